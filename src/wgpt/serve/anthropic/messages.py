"""Anthropic's /v1/messages: the fields of a request, and the object of its response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...engine.completion import Completion
from ...formats.errors import shown
from ...formats.tokenizer import Tokenizer
from ..calls import arguments_of, new_call_id
from ..conversation import Conversation, Prepared
from ..openai.chat import template_variables
from ..openai.fields import OPTIONS, FieldError, between, checked, need, object_of, supported_fields, take
from ..openai.objects import new_id
from ..openai.request import Common, Names
from ..settings import Limits
from ..structured import Rule, named_schema_rule
from ..tools import Tools, choose, functions_of
from .blocks import read_messages, system_text, without_thoughts

ENDPOINT = "/v1/messages"
# Also accepted: options that Anthropic's clients do not send. top_k and temperature are in both lists.
_OPTIONS = tuple(name for name in OPTIONS if name not in ("stop", "logprobs"))
COUNTED = (
    "model", "messages", "system", "tools", "tool_choice", "thinking", "cache_control", "output_config",
    "context_management",
)  # fmt: skip
FIELDS = (*COUNTED, "stop_sequences", "stream", "metadata", "lora", "priority", "chat_template_kwargs", *_OPTIONS)
_OFF: Mapping[str, tuple[Any, ...]] = {
    "service_tier": ("auto", "standard_only"), "container": (), "mcp_servers": ([],),
    "inference_geo": (), "speed": ("standard",), "diagnostics": (),
}  # fmt: skip
_LABELS = ("user_profile_id", "workspace_id")
_TOOL_LABELS = ("cache_control", "type", "eager_input_streaming", "allowed_callers", "defer_loading", "input_examples")


@dataclass(frozen=True)
class MessageRequest:
    common: Common
    conversation: Conversation
    stops: tuple[str, ...]


def read_message(body: Any, names: Names, limits: Limits = Limits(), counting: bool = False) -> MessageRequest:
    """Parse and check a body. `counting`: for /v1/messages/count_tokens, which has fewer fields."""
    endpoint = f"{ENDPOINT}/count_tokens" if counting else ENDPOINT
    body = supported_fields(body, COUNTED if counting else FIELDS, _OFF, endpoint, _LABELS)
    need(body, "model")
    if not counting:
        need(body, "max_tokens")
        _check_metadata(body.get("metadata"))
    stops = _stops(body.get("stop_sequences"))
    _check_thinking(body.get("thinking"))
    keep = _thoughts_to_keep(body.get("context_management"))
    common = Common.of({**body, "stop": stops} if stops else body, names, limits)
    messages = without_thoughts(read_messages(need(body, "messages")), keep)
    system = system_text(body.get("system"))
    if system:
        messages.insert(0, {"role": "system", "content": system})
    goes_on = messages[-1]["role"] == "assistant" and not messages[-1].get("tool_calls")  # "prefill"
    conversation = Conversation(
        messages, _tools(body), _rule(body.get("output_config")), template_variables(body), not goes_on, goes_on
    )
    return MessageRequest(common, conversation, tuple(stops))


def _check_metadata(value: Any) -> None:
    if value is not None:
        user = object_of(value, "metadata", ("user_id",)).get("user_id")
        if user is not None:
            checked("metadata.user_id", user, str)


def _check_thinking(value: Any) -> None:
    if value is None:
        return
    kind = object_of(value, "thinking", ("type", "budget_tokens", "display")).get("type")
    if kind not in ("disabled", "adaptive"):  # "adaptive": the model decides whether to think
        message = f"thinking.type {shown(kind)} is unsupported; only disabled and adaptive are supported"
        raise FieldError(message, "thinking")


def _thoughts_to_keep(value: Any) -> int | None:
    """For how many of the last answers `context_management` keeps the thoughts; None: all."""
    keep: int | None = None
    management = {} if value is None else object_of(value, "context_management", ("edits",))
    for i, edit in enumerate(checked("context_management.edits", management.get("edits", []), list)):
        name = f"context_management.edits[{i}]"
        kind = checked(name, edit, dict).get("type")
        if kind != "clear_thinking_20251015":
            message = f"{name}: unsupported type {shown(kind)}; supported: clear_thinking_20251015"
            raise FieldError(message, f"{name}.type")
        turns = object_of(edit, name, ("type", "keep")).get("keep", 1)
        if isinstance(turns, dict):
            keeping = object_of(turns, f"{name}.keep", ("type", "value"))
            turns = "all" if keeping.get("type") == "all" else keeping.get("value")
        if turns != "all":
            keep = between(f"{name}.keep", turns, 1, 2**31)
    return keep


def _stops(value: Any) -> list[str]:
    if value is None:
        return []
    for stop in checked("stop_sequences", value, list):
        if not isinstance(stop, str) or not stop:
            raise FieldError(f"stop_sequences: each must be a non-empty string, not {shown(stop)}", "stop_sequences")
    return list(value)


def _rule(value: Any) -> Rule | None:
    if value is None:
        return None
    config = object_of(value, "output_config", ("format", "effort"))
    if config.get("effort", "high") != "high":  # the default of Anthropic
        message = f"output_config.effort {shown(config['effort'])} is unsupported; only high is supported"
        raise FieldError(message, "output_config.effort")
    if "format" not in config:
        return None
    format = object_of(config["format"], "output_config.format", ("type", "schema"))
    if format.get("type") != "json_schema":
        message = f"output_config.format.type must be json_schema, not {shown(format.get('type'))}"
        raise FieldError(message, "output_config.format.type")
    return named_schema_rule(format, "output_config.format")


def _tools(body: Mapping[str, Any]) -> Tools:
    values = []
    for i, value in enumerate(take(body, "tools", list, [])):
        tool = checked(f"tools[{i}]", value, dict)
        if tool.get("type") not in (None, "custom"):
            message = f"tools[{i}]: unsupported type {shown(tool['type'])}; supported: custom"
            raise FieldError(message, f"tools[{i}].type")
        if tool.get("defer_loading") not in (None, False) or tool.get("allowed_callers") not in (None, ["direct"]):
            raise FieldError(f"tools[{i}]: defer_loading and allowed_callers are unsupported", f"tools[{i}]")
        if tool.get("input_examples") not in (None, []):
            raise FieldError(f"tools[{i}].input_examples is unsupported", f"tools[{i}].input_examples")
        if tool.get("input_schema") is None:
            raise FieldError(f'tools[{i}] needs an "input_schema"', f"tools[{i}].input_schema")
        values.append(({k: v for k, v in tool.items() if k not in _TOOL_LABELS}, f"tools[{i}]", "input_schema"))
    tools, choice = Tools(functions_of(values)), body.get("tool_choice")
    if choice is None:
        return tools
    choice = object_of(choice, "tool_choice", ("type", "name", "disable_parallel_tool_use"))
    one = take(choice, "disable_parallel_tool_use", bool, False)
    tools, kind = Tools(tools.functions, False, not one), choice.get("type")
    if kind == "tool":
        return choose(tools, "required", [checked("tool_choice.name", choice.get("name"), str)])
    modes = {"auto": "auto", "any": "required", "none": "none"}
    if kind not in modes:
        raise FieldError(f"tool_choice.type must be auto, any, tool or none, not {shown(kind)}", "tool_choice.type")
    return choose(tools, modes[kind])


# The response ---------------------------------------------------------------------------------------------------


def message_object(
    id: str, model: str, content: Sequence[Mapping[str, Any]], completion: Completion | None, **stop: Any
) -> dict[str, Any]:
    return {
        "id": id,
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": list(content),
        "stop_reason": None,
        "stop_sequence": None,
        **stop,
        "usage": usage(completion or Completion()),
    }


def usage(completion: Completion) -> dict[str, Any]:
    """Anthropic counts cached tokens separately."""
    return {
        "input_tokens": completion.prompt_tokens - completion.cached_tokens,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": completion.cached_tokens,
        "output_tokens": len(completion.ids),
        "service_tier": "standard",
    }


def stop_of(completion: Completion, calls: bool, stops: Sequence[str], tokenizer: Tokenizer) -> dict[str, Any]:
    """(stop_reason, stop_sequence)."""
    if completion.reason == "stop" and not calls and (stop := _hit(completion, stops, tokenizer)) is not None:
        return {"stop_reason": "stop_sequence", "stop_sequence": stop}
    if completion.reason == "context":
        return {"stop_reason": "model_context_window_exceeded", "stop_sequence": None}
    if completion.reason not in ("eos", "stop"):
        return {"stop_reason": "max_tokens", "stop_sequence": None}
    return {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}


def _hit(completion: Completion, stops: Sequence[str], tokenizer: Tokenizer) -> str | None:
    """The stop string that ended a text: the one that its tokens continue with.

    None if a token or the grammar ended it.
    """
    whole = tokenizer.decode(completion.ids)
    rest = whole[len(completion.text) :]
    known = [stop for stop in stops if stop in whole]
    return next((stop for stop in known if rest.startswith(stop)), known[0] if known else None)


def message_response(
    request: MessageRequest, prepared: Prepared, completion: Completion, tokenizer: Tokenizer
) -> dict[str, Any]:
    """The response to a request that does not stream."""
    parsed = prepared.parsed(completion.text)
    text, calls = parsed.text, parsed.calls
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text or not calls else []
    for call in calls:
        input = arguments_of(call.arguments)
        input = input if isinstance(input, dict) else {}  # the arguments were cut off; stop_reason says so
        content.append({"type": "tool_use", "id": new_call_id("toolu_"), "name": call.name, "input": input})
    stop = stop_of(completion, bool(calls), request.stops, tokenizer)
    return message_object(new_id("msg"), request.common.name, content, completion, **stop)
