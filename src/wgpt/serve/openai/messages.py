"""Checks the messages of a chat and converts their contents to plain texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...formats.chat import REASONING
from ...formats.errors import shown
from ..structured import check_depth
from .fields import FieldError, text_of

ROLES = ("system", "developer", "user", "assistant", "tool")
# Fields besides role and content that templates may read; all other fields must be empty.
_READ = ("name", "tool_calls", "tool_call_id", *REASONING)
_EMPTY = ("refusal", "audio", "function_call", "annotations")


def read_messages(value: Any) -> list[dict[str, Any]]:
    """Messages with a role and a string as content; tool calls have ids, names and arguments."""
    if not isinstance(value, list):
        raise _wrong(f'messages must be a list of {{"role": ..., "content": ...}}, not {shown(value)}')
    if not value:
        raise _wrong("messages is empty: a chat needs at least one message")
    messages = [_message(message, f"messages[{i}]") for i, message in enumerate(value)]
    names: dict[str, str] = {}
    for message in messages:  # some templates read the function's name in its result
        for call in message.get("tool_calls", ()):
            names[call["id"]] = call["function"]["name"]
        if message["role"] == "tool" and "name" not in message and message["tool_call_id"] in names:
            message["name"] = names[message["tool_call_id"]]
    return messages


def _wrong(message: str) -> FieldError:
    return FieldError(message, "messages")


def _message(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise _wrong(f'{where} must be {{"role": ..., "content": ...}}, not {shown(value)}')
    present = {name: item for name, item in value.items() if item is not None}
    role = present.pop("role", None)
    if not isinstance(role, str) or role not in ROLES:
        raise _wrong(f"{where}.role must be one of {', '.join(ROLES)}, not {shown(role)}")
    for name in _EMPTY:
        if present.pop(name, "") not in ("", []):
            raise _wrong(f"{where}.{name} is unsupported")
    content = text_of(present.pop("content", None), where)
    unknown = next((name for name in present if name not in _READ), None)
    if unknown is not None:
        raise _wrong(f"{where}: unknown field {shown(unknown)}; supported: role, content, {', '.join(_READ)}")
    for name in ("name", "tool_call_id", *REASONING):
        if not isinstance(present.get(name, ""), str):
            raise _wrong(f"{where}.{name} must be a string, not {shown(present[name])}")
    thoughts = {present.pop(name) for name in REASONING if name in present}
    if len(thoughts) > 1:
        raise _wrong(f"{where}: {', '.join(REASONING)} mean the same, but differ: give one of them")
    if thoughts:
        present["reasoning_content"] = thoughts.pop()
    calls = _calls(present.pop("tool_calls"), where) if "tool_calls" in present else []
    if calls and role != "assistant":
        raise _wrong(f"{where}.tool_calls is for the assistant, not for {shown(role)}")
    if role == "tool" and "tool_call_id" not in present:
        raise _wrong(f'{where} needs the "tool_call_id" that it answers')
    if not isinstance(content, str) and not (content is None and calls):
        raise _wrong(f"{where}.content must be a string or a list of text parts, not {shown(content)}")
    message = {"role": "system" if role == "developer" else role, "content": content or "", **present}
    return {**message, "tool_calls": calls} if calls else message


def _calls(value: Any, where: str) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise _wrong(f"{where}.tool_calls must be a list, not {shown(value)}")
    return [_call(call, f"{where}.tool_calls[{i}]") for i, call in enumerate(value)]


def _call(value: Any, where: str) -> dict[str, Any]:
    call = value if isinstance(value, Mapping) else {}
    function = call.get("function")
    if call.get("type", "function") != "function" or not isinstance(function, Mapping):
        raise _wrong(f'{where} must be {{"id": ..., "type": "function", "function": ...}}, not {shown(value)}')
    id, name, arguments = call.get("id"), function.get("name"), function.get("arguments")
    if not isinstance(id, str) or not isinstance(name, str) or not isinstance(arguments, str):
        raise _wrong(f"{where} needs an id, function.name and function.arguments, which are strings")
    return tool_call(id, name, arguments)


def tool_call(id: str, name: str, arguments: str) -> dict[str, Any]:
    """A call as templates read it: with its arguments as an object, if they are one and not nested too deeply."""
    try:
        parsed = json.loads(arguments)
        check_depth(parsed, "messages")
    except (ValueError, RecursionError, FieldError):
        parsed = arguments
    return {"id": id, "type": "function", "function": {"name": name, "arguments": parsed}}
