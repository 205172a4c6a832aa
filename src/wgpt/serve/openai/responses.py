"""/v1/responses: the fields of a request, and the object of its response."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...core.generation import MOST_LOGPROBS
from ...engine.completion import Completion
from ...formats.errors import shown
from ..calls import new_call_id
from ..conversation import Conversation, Prepared
from ..settings import Limits
from ..structured import Rule, named_schema_rule, response_format_rule
from .chat import template_variables
from .fields import MOST_TOKENS, OPTIONS, FieldError, between, checked, chosen, need, object_of, supported_fields, take
from .objects import Tokens, finish_reason, new_id
from .request import Common, Names
from .response_items import namespaces, read_input, response_tools

RESPONSES = "/v1/responses"
_LOGPROBS = "message.output_text.logprobs"
_INCLUDABLE = (_LOGPROBS, "reasoning.encrypted_content")  # the latter is accepted, but there is no encrypted content
FIELDS = (
    "model", "input", "instructions", "max_output_tokens", "text", "tools", "tool_choice", "parallel_tool_calls",
    "include", "top_logprobs", "stream", "stream_options", "metadata", "user", "lora", "priority",
    "chat_template_kwargs", "reasoning", *(name for name in OPTIONS if name not in ("logprobs", "max_tokens")),
)  # fmt: skip
_OFF: Mapping[str, tuple[Any, ...]] = {
    "store": (False,), "background": (False,), "previous_response_id": (), "conversation": (), "prompt": (),
    "max_tool_calls": (), "truncation": ("disabled",), "service_tier": ("auto", "default"), "moderation": (),
    "context_management": ([],),
}  # fmt: skip


@dataclass(frozen=True)
class ResponseRequest:
    """`echoed`: request fields that the response repeats. `namespaces`: namespaces of functions, by full name."""

    common: Common
    conversation: Conversation
    logprobs: bool
    echoed: Mapping[str, Any] = field(default_factory=dict)
    namespaces: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def call_item(self, id: str, call_id: str, full_name: str, arguments: str, status: str) -> dict[str, Any]:
        namespace, name = self.namespaces.get(full_name, (None, full_name))
        within = {} if namespace is None else {"namespace": namespace}
        item = {"id": id, "type": "function_call", "call_id": call_id, "name": name, **within}
        return {**item, "arguments": arguments, "status": status}


def read_response(body: Any, names: Names, limits: Limits = Limits()) -> ResponseRequest:
    if isinstance(body, Mapping) and body.get("previous_response_id") is not None:
        message = "previous_response_id is unsupported: responses are not stored; send the whole input"
        raise FieldError(message, "previous_response_id")
    body = supported_fields(body, FIELDS, _OFF, RESPONSES, ("client_metadata",))
    most = body.pop("max_output_tokens", None)
    if most is not None:
        body["max_tokens"] = between("max_output_tokens", most, 1, MOST_TOKENS)
    _check_reasoning(body.get("reasoning"))
    if "stream_options" in body:
        options = object_of(body.pop("stream_options"), "stream_options", ("include_obfuscation",))
        if options.get("include_obfuscation") not in (None, False):
            raise FieldError("stream_options.include_obfuscation is unsupported", "stream_options.include_obfuscation")
    metadata, user = take(body, "metadata", dict, {}), take(body, "user", str)
    common = Common.of(body, names, limits)
    logprobs = _LOGPROBS in _included(body.get("include"))
    top = body.get("top_logprobs")
    if top is not None and between("top_logprobs", top, 0, MOST_LOGPROBS) and not logprobs:
        raise FieldError(f'top_logprobs needs include: ["{_LOGPROBS}"]', "top_logprobs")
    if logprobs:
        common.options["logprobs"] = top or 0
    messages = read_input(need(body, "input"), body.get("instructions"))
    text = object_of(body.get("text", {}), "text", ("format", "verbosity"))
    if text.get("verbosity", "medium") != "medium":
        raise FieldError("text.verbosity is unsupported; only medium is supported", "text.verbosity")
    conversation = Conversation(messages, response_tools(body), _format(text.get("format")), template_variables(body))
    echoed = {
        "instructions": body.get("instructions"),
        "metadata": metadata,
        "max_output_tokens": most,
        "parallel_tool_calls": conversation.tools.parallel,
        "temperature": common.options.get("temperature", 1.0),
        "top_p": common.options.get("top_p", 1.0),
        "text": {"format": text.get("format", {"type": "text"})},
        "tool_choice": body.get("tool_choice", "auto"),
        "tools": [_echoed_tool(tool) for tool in body.get("tools", [])],
        "top_logprobs": top or 0,
        "user": user,
    }
    return ResponseRequest(common, conversation, logprobs, echoed, namespaces(body))


def _echoed_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    return {**({"strict": True, "parameters": None} if tool["type"] == "function" else {}), **tool}


def _check_reasoning(value: Any) -> None:
    """Accept the field only if it requests nothing: this server does not separate thoughts from answers."""
    if value is None:
        return
    reasoning = object_of(value, "reasoning", ("effort", "summary", "generate_summary"))
    if reasoning.get("effort", "none") != "none":
        raise FieldError(f"reasoning.effort {shown(reasoning['effort'])} is unsupported", "reasoning.effort")
    for name in ("summary", "generate_summary"):
        if name in reasoning:
            chosen(f"reasoning.{name}", reasoning[name], ("auto",))


def _included(value: Any) -> list[str]:
    if value is None:
        return []
    for name in checked("include", value, list):
        if name not in _INCLUDABLE:
            raise FieldError(f"include: unsupported {shown(name)}; supported: {', '.join(_INCLUDABLE)}", "include")
    return list(value)


def _format(value: Any) -> Rule | None:
    """{"type": "json_schema", "name", "schema", ...}: without the nested level of chat completions."""
    if isinstance(value, Mapping) and value.get("type") == "json_schema":
        format = object_of(value, "text.format", ("type", "name", "description", "schema", "strict"))
        return named_schema_rule(format, "text.format")
    return None if value is None else response_format_rule(value, "text.format")


# The response ---------------------------------------------------------------------------------------------------


def response_object(
    request: ResponseRequest,
    id: str,
    created: int,
    output: Sequence[Mapping[str, Any]] = (),
    completion: Completion | None = None,
) -> dict[str, Any]:
    """The response object: finished if there is a completion, otherwise in progress."""
    cut = completion is not None and finish_reason(completion) == "length"
    status = "in_progress" if completion is None else "incomplete" if cut else "completed"
    return {
        "id": id,
        "object": "response",
        "created_at": created,
        "completed_at": int(time.time()) if status == "completed" else None,
        "status": status,
        "background": False,
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "model": request.common.name,
        "output": list(output),
        "previous_response_id": None,
        "reasoning": {"effort": None, "summary": None},
        "service_tier": "default",
        "store": False,
        "truncation": "disabled",
        "usage": None if completion is None else _usage(completion),
        **request.echoed,
    }


def _usage(completion: Completion) -> dict[str, Any]:
    prompt, text = completion.prompt_tokens, len(completion.ids)
    return {
        "input_tokens": prompt,
        "input_tokens_details": {"cached_tokens": completion.cached_tokens, "cache_write_tokens": 0},
        "output_tokens": text,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": prompt + text,
    }


def whole_response(
    request: ResponseRequest, prepared: Prepared, completion: Completion, tokens: Tokens
) -> dict[str, Any]:
    """The response to a request that does not stream."""
    parsed = prepared.parsed(completion.text)
    text, calls = parsed.text, parsed.calls
    status = "incomplete" if finish_reason(completion) == "length" else "completed"
    output: list[dict[str, Any]] = []
    if text or not calls:
        logprobs = None
        if request.logprobs:
            logprobs = tokens.chat_logprobs(completion.ids, completion.logprobs, completion.top_logprobs)
        part = text_part(text, logprobs)
        output.append(message_item(new_id("msg"), [part], "completed" if calls else status))
    for i, call in enumerate(calls):
        complete = "completed" if i < len(calls) - 1 else status
        output.append(request.call_item(new_id("fc"), new_call_id(), call.name, call.arguments, complete))
    return response_object(request, new_id("resp"), int(time.time()), output, completion)


def text_part(text: str, logprobs: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": logprobs or []}


def message_item(id: str, content: list[dict[str, Any]], status: str) -> dict[str, Any]:
    return {"id": id, "type": "message", "role": "assistant", "status": status, "content": content}
