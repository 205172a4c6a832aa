"""/v1/completions: the fields of a request, and the object of its response."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.generation import MOST_LOGPROBS
from ...engine.completion import Completion
from ...formats.errors import shown
from ..settings import Limits
from ..structured import Rule, rule_of
from .fields import MOST_TOKENS, FieldError, between, check_count, need, supported_fields, take
from .objects import Tokens, finish_reason, new_id, usage
from .request import COMMON, OFF, Common, Names

COMPLETIONS = "/v1/completions"
FIELDS = ("prompt", "echo", "add_special_tokens", *COMMON)
DEFAULT_MAX_TOKENS = 16  # as OpenAI's
Prompt = str | list[int]


@dataclass(frozen=True)
class CompletionRequest:
    """`logprobs`: how many most likely tokens to report besides the chosen one; None: no log-probabilities. `echo`: the
    text begins with the prompt. `max_tokens`: 0 with echo, to score a prompt."""

    common: Common
    prompts: list[Prompt]
    rule: Rule | None
    logprobs: int | None
    echo: bool
    add_special_tokens: bool
    max_tokens: int | None


def read_completion(
    body: Any, names: Names, limits: Limits = Limits(), without: Sequence[str] = ()
) -> CompletionRequest:
    """Parse and check a body. `without`: fields that the caller does not support."""
    fields = [name for name in FIELDS if name not in without]
    body = supported_fields(body, fields, {**OFF, "stream": (False,)}, COMPLETIONS)
    prompts = prompts_of(need(body, "prompt"), limits)
    echo = take(body, "echo", bool, False)
    most = body.get("max_tokens")
    if most is not None:
        between("max_tokens", most, 0 if echo else 1, MOST_TOKENS)
        if not most:
            del body["max_tokens"]
    logprobs = body.get("logprobs")
    if logprobs is False:  # some clients write it as for chats
        logprobs = None
    if logprobs is not None:
        logprobs = between("logprobs", logprobs, 0, MOST_LOGPROBS)
    common = Common.of(body, names, limits)
    if len(prompts) * common.n > limits.n:
        count = len(prompts) * common.n
        raise FieldError(f"{len(prompts)} prompts with n = {common.n} are {count} texts; at most {limits.n}", "n")
    if logprobs is not None:
        common.options["logprobs"] = logprobs
    special = take(body, "add_special_tokens", bool, True)
    return CompletionRequest(common, prompts, rule_of(body), logprobs, echo, special, most)


def prompts_of(value: Any, limits: Limits, name: str = "prompt") -> list[Prompt]:
    """The prompts: a text, a list of token ids, or a list of either."""
    several = isinstance(value, list) and bool(value) and isinstance(value[0], str | list)
    prompts: list[Prompt] = value if several else [value]
    check_count(name, len(prompts), limits.prompts, "texts")
    for each in prompts:
        if not isinstance(each, str | list):
            raise FieldError(f"{name} must be a text or a list of token ids, not {shown(each)}", name)
        if not each:
            raise FieldError(f"the {name} is empty: at least one token is required", name)
        for id in each if isinstance(each, list) else ():
            if not isinstance(id, int) or isinstance(id, bool):
                raise FieldError(f"{name}: token ids must be whole numbers, not {shown(id)}", name)
    return prompts


@dataclass(frozen=True)
class Echo:
    """An echoed prompt: its text and, if requested, the log-probabilities of its tokens."""

    text: str
    ids: Sequence[int]
    logprobs: Sequence[float | None] = ()  # None for the first token
    top_logprobs: Sequence[Mapping[int, float] | None] = ()


def completion_response(
    request: CompletionRequest,
    prompts: Sequence[Sequence[int]],
    completions: Sequence[Completion],
    tokens: Tokens,
    echoes: Sequence[Echo] = (),
) -> dict[str, Any]:
    """The response object. `prompts`: token ids of each prompt. `echoes`: of each prompt, if requested."""
    n = request.common.n
    choices = []
    for i, completion in enumerate(completions):
        echo = echoes[i // n] if echoes else None
        choices.append(_choice(i, request, prompts[i // n] if prompts else (), completion, tokens, echo))
    return {
        "id": new_id("cmpl"),
        "object": "text_completion",
        "created": int(time.time()),
        "model": request.common.name,
        "choices": choices,
        "usage": usage(completions, n),
        "system_fingerprint": None,
    }


def _choice(
    index: int,
    request: CompletionRequest,
    prompt: Sequence[int],
    completion: Completion,
    tokens: Tokens,
    echo: Echo | None,
) -> dict[str, Any]:
    choice = {
        "index": index,
        "text": (echo.text if echo else "") + completion.text,
        "logprobs": None if request.logprobs is None else _logprobs(request.logprobs, completion, tokens, echo),
        "finish_reason": finish_reason(completion),
    }
    if request.common.return_token_ids:
        choice |= {"prompt_token_ids": list(prompt), "token_ids": completion.ids}
    return choice


def _logprobs(most: int, completion: Completion, tokens: Tokens, echo: Echo | None) -> dict[str, Any]:
    ids: list[int] = list(completion.ids)
    logprobs: list[float | None] = list(completion.logprobs)
    tops: list[Mapping[int, float] | None] = list(completion.top_logprobs)
    if echo is not None:
        ids, logprobs, tops = [*echo.ids, *ids], [*echo.logprobs, *logprobs], [*echo.top_logprobs, *tops]
    return tokens.text_logprobs(ids, logprobs, tops if most else None)
