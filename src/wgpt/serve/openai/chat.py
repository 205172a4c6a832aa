"""/v1/chat/completions: the fields of a request, and the object of its response."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.generation import MOST_LOGPROBS
from ...engine.completion import Completion
from ..calls import Call, new_call_id
from ..conversation import Conversation, Prepared
from ..settings import Limits
from ..structured import check_depth, rule_of
from ..tools import chat_tools
from .fields import MOST_TOKENS, FieldError, between, need, supported_fields, take
from .messages import read_messages
from .objects import Tokens, finish_reason, new_id, usage
from .request import COMMON, OFF, Common, Names

CHAT = "/v1/chat/completions"
FIELDS = (
    "messages", "max_completion_tokens", "top_logprobs", "chat_template_kwargs", "add_generation_prompt",
    "continue_final_message", "tools", "tool_choice", "parallel_tool_calls", *COMMON,
)  # fmt: skip
_RESERVED = ("messages", "tools", "documents", "add_generation_prompt", "bos", "eos", "template", "tokenizer")


@dataclass(frozen=True)
class ChatRequest:
    common: Common
    conversation: Conversation
    logprobs: bool


def read_chat(body: Any, names: Names, limits: Limits = Limits(), without: Sequence[str] = ()) -> ChatRequest:
    """Parse and check a body. `without`: fields that the caller does not support."""
    fields = [name for name in FIELDS if name not in without]
    body = supported_fields(body, fields, {**OFF, "stream": (False,)}, CHAT)
    if body.get("max_completion_tokens") is not None:
        if body.get("max_tokens") is not None:
            raise FieldError("max_tokens and max_completion_tokens are the same: give one of them", "max_tokens")
        body["max_tokens"] = between("max_completion_tokens", body.pop("max_completion_tokens"), 1, MOST_TOKENS)
    common = Common.of(body, names, limits)
    wanted, top = take(body, "logprobs", bool, False), body.get("top_logprobs")
    if top is not None and not wanted:
        raise FieldError("top_logprobs needs logprobs: true", "top_logprobs")
    if wanted:
        common.options["logprobs"] = 0 if top is None else between("top_logprobs", top, 0, MOST_LOGPROBS)
    return ChatRequest(common, _conversation(body), wanted)


def _conversation(body: Mapping[str, Any]) -> Conversation:
    messages = read_messages(need(body, "messages"))
    goes_on = take(body, "continue_final_message", bool, False)
    if goes_on and body.get("add_generation_prompt"):
        message = "continue_final_message and add_generation_prompt exclude each other"
        raise FieldError(message, "continue_final_message")
    if goes_on and (messages[-1]["role"] != "assistant" or messages[-1].get("tool_calls")):
        message = "continue_final_message needs a text of the assistant as the last message"
        raise FieldError(message, "continue_final_message")
    return Conversation(
        messages,
        chat_tools(body),
        rule_of(body),
        template_variables(body),
        take(body, "add_generation_prompt", bool, not goes_on),
        goes_on,
    )


def template_variables(body: Mapping[str, Any]) -> dict[str, Any]:
    """The template's variables besides the messages."""
    variables: dict[str, Any] = take(body, "chat_template_kwargs", dict, {})
    check_depth(variables, "chat_template_kwargs")
    reserved = next((name for name in variables if name in _RESERVED), None)
    if reserved is not None:
        raise FieldError(f"chat_template_kwargs cannot set {reserved}", "chat_template_kwargs")
    return variables


def chat_response(
    request: ChatRequest,
    prepared: Prepared,
    completions: Sequence[Completion],
    tokens: Tokens,
    prompt_ids: Sequence[int] | None = None,
) -> dict[str, Any]:
    """The response object. `prompt_ids`: to be included, if requested."""
    common = request.common
    body = {
        "id": new_id("chatcmpl"),
        "object": "chat.completion",
        "created": int(time.time()),
        "model": common.name,
        "choices": [_choice(i, request, prepared, each, tokens) for i, each in enumerate(completions)],
        "usage": usage(completions, common.n),
        "system_fingerprint": None,
        "service_tier": "default",
    }
    if common.return_token_ids and prompt_ids is not None:
        body["prompt_token_ids"] = list(prompt_ids)
    return body


def _choice(
    index: int, request: ChatRequest, prepared: Prepared, completion: Completion, tokens: Tokens
) -> dict[str, Any]:
    parsed = prepared.parsed(completion.text)
    text, calls = parsed.text, parsed.calls
    message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
    if calls:
        message["content"] = text or None
        message["tool_calls"] = [call_object(call) for call in calls]
    content = None
    if request.logprobs:
        content = tokens.chat_logprobs(completion.ids, completion.logprobs, completion.top_logprobs)
    choice = {
        "index": index,
        "message": message,
        "logprobs": {"content": content, "refusal": None} if request.logprobs else None,
        "finish_reason": chat_reason(completion, bool(calls)),
    }
    if request.common.return_token_ids:
        choice["token_ids"] = completion.ids
    return choice


def call_object(call: Call, id: str | None = None) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": id or new_call_id(), "type": "function", "function": function}


def chat_reason(completion: Completion, calls: bool) -> str:
    reason = finish_reason(completion)
    return "tool_calls" if calls and reason == "stop" else reason
