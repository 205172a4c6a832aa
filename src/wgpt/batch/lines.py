"""The lines of `wgpt batch`: what each requests, and its answer. Plain lines are here, OpenAI's in openai_lines.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from ..api import Model
from ..core.errors import WgptError
from ..engine.completion import Completion
from ..formats.chat import encode_chat, keeping
from ..formats.errors import shown
from ..serve.openai.fields import OPTIONS, FieldError, check_names, lora_of, options_of, samples_of
from ..train.lines import DataError, Line, read_lines

Key = tuple[str, str | int]  # the name of the field that identifies a line in its answer, and its value
EXAMPLE = '{"prompt": "..."}'
_PLAIN = ("id", "prompt", "messages", "lora", "n", "chat_template_kwargs", *OPTIONS)
_OPENAI = ("custom_id", "method", "url", "body")  # keys of OpenAI's format: a line with any of them is read as such
_TEMPLATE_NAMES = ("tokenizer", "template", "messages", "bos", "eos")


@dataclass(frozen=True)
class Work:
    """What a line requests: `n` texts for each prompt."""

    prompts: Sequence[str | Sequence[int]]
    options: Mapping[str, Any] = field(default_factory=dict)  # options that the line sets
    n: int = 1
    lora: str | None = None
    request: Any = None  # data that the format needs again to write the answer


class Form(Protocol):
    """A line parsed in its format."""

    def work(self, model: Model) -> Work:
        """What the line requests. Raises WgptError."""
        ...

    def answer(self, model: Model, work: Work, completions: Sequence[Completion]) -> dict[str, Any]:
        """The answer; completions in the order of prompts, `n` of each."""
        ...

    def failure(self, error: WgptError, status: int) -> dict[str, Any]:
        """The answer of a line that failed. `status`: 400 if the line is invalid, else 500."""
        ...


def is_openai(value: Mapping[str, Any]) -> bool:
    return any(name in value for name in _OPENAI)


def key_of(value: Mapping[str, Any], number: int) -> Key:
    """How the answer identifies a line: by its id if that is valid, else by its line number."""
    name = "custom_id" if is_openai(value) else "id"
    id = value.get(name)
    valid = isinstance(id, str) or (name == "id" and isinstance(id, int) and not isinstance(id, bool))
    return (name, id) if valid and id is not None else ("line", number)


def key_of_answer(answer: Mapping[str, Any]) -> Key | None:
    """The key of the line that an answer belongs to; None if it is not an answer."""
    for name in ("custom_id", "line", "id"):
        key = answer.get(name)
        if isinstance(key, str if name == "custom_id" else int if name == "line" else str | int):
            return name, key
    return None


def has_failed(answer: Mapping[str, Any]) -> bool:
    if "custom_id" not in answer:
        return "error" in answer
    response = answer.get("response")
    return answer.get("error") is not None or not isinstance(response, dict) or response.get("status_code") != 200


def keys(path: Path) -> dict[Key, int]:
    """The keys of all lines in a file. Refuses duplicate ids."""
    lines: dict[Key, int] = {}
    for line in read_lines(path, EXAMPLE):
        number = line.number if isinstance(line, Line) else line.line
        key = key_of(line.value, number) if isinstance(line, Line) else ("line", number)
        if key in lines:
            raise WgptError(
                f"{path}, line {number}: {key[0]} {shown(key[1])} is already used in line {lines[key]}: ids must differ"
            )
        lines[key] = number
    return lines


def chat_ids(model: Model, messages: Any, variables: Any) -> list[int]:
    """Token ids of a conversation; `variables` are for the chat template."""
    if not isinstance(variables, Mapping | None):
        raise FieldError(f"chat_template_kwargs must be an object, not {shown(variables)}", "chat_template_kwargs")
    taken = next((name for name in variables or () if name in _TEMPLATE_NAMES), None)
    if taken is not None:
        raise FieldError(f"chat_template_kwargs cannot set {shown(taken)}", "chat_template_kwargs")
    if isinstance(messages, str):
        raise FieldError('messages must be a list of {"role": ..., "content": ...}, not a string', "messages")
    return encode_chat(model.tokenizer, messages, **(variables or {}))


@dataclass(frozen=True)
class BrokenLine:
    """A line that is not a JSON object."""

    error: DataError

    def work(self, model: Model) -> Work:
        raise self.error

    def answer(self, model: Model, work: Work, completions: Sequence[Completion]) -> dict[str, Any]:
        raise AssertionError("a broken line has no completions")

    def failure(self, error: WgptError, status: int) -> dict[str, Any]:
        return {"line": self.error.line, "error": str(error)}


@dataclass(frozen=True)
class PlainLine:
    """{"prompt": ...} or {"messages": [...]}, with options of Model.generate."""

    key: Key
    value: Mapping[str, Any]

    def work(self, model: Model) -> Work:
        value = self.value
        check_names(value, _PLAIN)
        if "id" in value and self.key[0] != "id":
            raise FieldError(f"id must be a string or a whole number, not {shown(value['id'])}", "id")
        if ("prompt" in value) == ("messages" in value):
            raise FieldError('a line needs one of "prompt" and "messages"')
        prompt, options = self._prompt(model), options_of(value)
        if not isinstance(prompt, str) and "messages" in value:
            options = keeping(options, value["messages"], partial(self._chat, model), prompt)
        return Work([prompt], options, samples_of(value), lora_of(value))

    def _chat(self, model: Model, messages: Any) -> list[int]:
        return chat_ids(model, messages, self.value.get("chat_template_kwargs"))

    def _prompt(self, model: Model) -> str | Sequence[int]:
        if "messages" in self.value:
            return self._chat(model, self.value["messages"])
        if "chat_template_kwargs" in self.value:
            raise FieldError('chat_template_kwargs needs "messages": a "prompt" uses no chat template')
        prompt = self.value["prompt"]
        if isinstance(prompt, str) or (isinstance(prompt, list) and not any(isinstance(p, str | list) for p in prompt)):
            return prompt
        raise FieldError(f"prompt must be a text or a list of token ids, not {shown(prompt)}", "prompt")

    def answer(self, model: Model, work: Work, completions: Sequence[Completion]) -> dict[str, Any]:
        samples = [_sample(completion) for completion in completions]
        one = completions[0]
        counts = {"prompt_tokens": one.prompt_tokens, "cached_tokens": one.cached_tokens}
        name, id = self.key
        return {name: id, **(samples[0] if work.n == 1 else {"samples": samples}), **counts}

    def failure(self, error: WgptError, status: int) -> dict[str, Any]:
        name, id = self.key
        return {name: id, "error": str(error)}


def _sample(completion: Completion) -> dict[str, Any]:
    return {
        "text": completion.text,
        "reason": completion.reason,
        "tokens": len(completion.ids),
        "seed": completion.seed,
        **completion.scored,
    }
