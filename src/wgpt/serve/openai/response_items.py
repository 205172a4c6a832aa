"""Converts the items of /v1/responses' input to chat messages, and its tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...formats.errors import shown
from ..tools import Tools, choose, functions_of
from .fields import FieldError, checked, chosen, object_of, take, text_of
from .messages import tool_call

_ROLES = ("user", "assistant", "system", "developer")
_TEXTS = ("input_text", "output_text", "text")
_LABELS = ("id", "status", "phase", "type")  # accepted and ignored
_TYPES = ("message", "function_call", "function_call_output")


def read_input(value: Any, instructions: Any) -> list[dict[str, Any]]:
    """The messages of a chat, from a text or from items."""
    messages: list[dict[str, Any]] = []
    if instructions is not None:
        messages.append({"role": "system", "content": checked("instructions", instructions, str)})
    if isinstance(value, str):
        return [*messages, {"role": "user", "content": value}]
    if not isinstance(value, list) or not value:
        raise FieldError(f"input must be a text or a list of items, not {shown(value)}", "input")
    names: dict[str, str] = {}
    for i, item in enumerate(value):
        _add(messages, item, f"input[{i}]", names)
    return messages


def _add(messages: list[dict[str, Any]], value: Any, where: str, names: dict[str, str]) -> None:
    if not isinstance(value, Mapping):
        raise _wrong(f"{where} must be an object, not {shown(value)}")
    item = {name: part for name, part in value.items() if part is not None}
    kind = item.get("type", "message")
    if kind == "message":
        _only(item, where, "role", "content")
        role, content = item.get("role"), text_of(item.get("content"), where, _TEXTS, "input")
        if role not in _ROLES:
            raise _wrong(f"{where}.role must be one of {', '.join(_ROLES)}, not {shown(role)}")
        if not isinstance(content, str):
            raise _wrong(f"{where}.content must be a text or a list of text parts, not {shown(content)}")
        messages.append({"role": "system" if role == "developer" else role, "content": content})
    elif kind == "function_call":
        _only(item, where, "call_id", "name", "arguments", "namespace")
        id, name, arguments = (_text(item, where, key) for key in ("call_id", "name", "arguments"))
        if "namespace" in item:
            name = full_name(_text(item, where, "namespace"), name)
        names[id] = name
        if not messages or messages[-1]["role"] != "assistant":
            messages.append({"role": "assistant", "content": ""})
        messages[-1].setdefault("tool_calls", []).append(tool_call(id, name, arguments))
    elif kind == "function_call_output":
        _only(item, where, "call_id", "output")
        id = _text(item, where, "call_id")
        output = text_of(item.get("output"), f"{where}.output", _TEXTS, "input")
        if not isinstance(output, str):
            raise _wrong(f"{where}.output must be a text or a list of text parts, not {shown(output)}")
        message = {"role": "tool", "content": output, "tool_call_id": id}
        messages.append({**message, "name": names[id]} if id in names else message)
    else:
        raise _wrong(f"{where}: unsupported type {shown(kind)}; supported: {', '.join(_TYPES)}")


def _wrong(message: str) -> FieldError:
    return FieldError(message, "input")


def _only(item: Mapping[str, Any], where: str, *names: str) -> None:
    unknown = next((name for name in item if name not in names and name not in _LABELS), None)
    if unknown is not None:
        raise _wrong(f"{where}: unknown field {shown(unknown)}; supported: {', '.join(names)}")


def _text(item: Mapping[str, Any], where: str, name: str) -> str:
    if not isinstance(item.get(name), str):
        raise _wrong(f"{where}.{name} must be a string, not {shown(item.get(name))}")
    return str(item[name])


def full_name(namespace: str, name: str) -> str:
    """The name of a namespace's function, as the model sees it."""
    return f"{namespace}.{name}"


def namespaces(body: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """(namespace, name) of functions in namespaces, by full name. The body's tools must have been checked."""
    groups = [tool for tool in body.get("tools") or [] if tool.get("type") == "namespace"]
    return {
        full_name(group["name"], tool["name"]): (group["name"], tool["name"])
        for group in groups
        for tool in group["tools"]
    }


def _function(value: Any, name: str, types: Sequence[str]) -> dict[str, Any]:
    tool = dict(checked(name, value, dict))
    if (kind := tool.pop("type", None)) != "function":
        search = ": this server cannot search the web" if str(kind).startswith("web_search") else ""
        message = f"{name}: unsupported type {shown(kind)}; supported: {', '.join(types)}{search}"
        raise FieldError(message, f"{name}.type")
    return tool


def response_tools(body: Mapping[str, Any]) -> Tools:
    """tools, tool_choice and parallel_tool_calls of a response: functions lack the nested level of chat completions."""
    values = []
    for i, value in enumerate(take(body, "tools", list, [])):
        name = f"tools[{i}]"
        if isinstance(value, Mapping) and value.get("type") == "namespace":
            group = object_of(value, name, ("type", "name", "description", "tools"))
            checked(f"{name}.description", group.get("description", ""), str)
            space = checked(f"{name}.name", group.get("name"), str)
            for j, inner in enumerate(checked(f"{name}.tools", group.get("tools"), list)):
                tool = _function(inner, f"{name}.tools[{j}]", ("function",))
                tool["name"] = full_name(space, checked(f"{name}.tools[{j}].name", tool.get("name"), str))
                values.append((tool, f"{name}.tools[{j}]", "parameters"))
        else:
            values.append((_function(value, name, ("function", "namespace")), name, "parameters"))
    parallel = checked("parallel_tool_calls", body.get("parallel_tool_calls", True), bool)
    tools, choice = Tools(functions_of(values), False, parallel), body.get("tool_choice")
    if choice is None:
        return tools
    if isinstance(choice, str):
        return choose(tools, chosen("tool_choice", choice, ("none", "auto", "required")))
    choice = object_of(choice, "tool_choice", ("type", "name", "mode", "tools"))
    if choice.get("type") == "function":
        return choose(tools, "required", [checked("tool_choice.name", choice.get("name"), str)])
    if choice.get("type") == "allowed_tools":
        mode = chosen("tool_choice.mode", choice.get("mode"), ("auto", "required"))
        allowed = checked("tool_choice.tools", choice.get("tools"), list)
        named = [object_of(each, "tool_choice.tools", ("type", "name")) for each in allowed]
        return choose(tools, mode, [checked("tool_choice.tools.name", each.get("name"), str) for each in named])
    message = f"tool_choice.type must be function or allowed_tools, not {shown(choice.get('type'))}"
    raise FieldError(message, "tool_choice.type")
