"""Converts Anthropic's messages, whose contents are blocks, to chat messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...formats.errors import shown
from ..openai.fields import FieldError
from ..structured import check_depth

_LABELS = ("cache_control", "citations", "caller", "toolset_name")  # accepted and ignored: prompts are always cached


def system_text(value: Any) -> str:
    """The system prompt, from a text or text blocks."""
    if value is None:
        return ""
    return value if isinstance(value, str) else _texts(value, "system", "system")


def read_messages(value: Any) -> list[dict[str, Any]]:
    """Messages as openai/messages.py returns them; a tool_result becomes a separate message."""
    if not isinstance(value, list) or not value:
        raise _wrong(f'messages must be a list of {{"role": ..., "content": ...}}, not {shown(value)}')
    messages: list[dict[str, Any]] = []
    names: dict[str, str] = {}
    for i, message in enumerate(value):
        where = f"messages[{i}]"
        if not isinstance(message, Mapping):
            raise _wrong(f'{where} must be {{"role": ..., "content": ...}}, not {shown(message)}')
        unknown = next((name for name in message if name not in ("role", "content")), None)
        if unknown is not None:
            raise _wrong(f"{where}: unknown field {shown(unknown)}; supported: role, content")
        role, content = message.get("role"), message.get("content")
        if role not in ("user", "assistant", "system"):
            raise _wrong(f"{where}.role must be user or assistant, not {shown(role)}")
        if isinstance(content, str):
            messages.append({"role": role, "content": content})
        elif isinstance(content, list):
            messages += _from_blocks(role, content, where, names)
        else:
            raise _wrong(f"{where}.content must be a text or a list of blocks, not {shown(content)}")
    return messages


def without_thoughts(messages: list[dict[str, Any]], keep: int | None) -> list[dict[str, Any]]:
    """The messages, with the thoughts of only the last `keep` answers that have any; None: of all."""
    thinking = [i for i, message in enumerate(messages) if "reasoning_content" in message]
    cleared = set() if keep is None else set(thinking[: max(0, len(thinking) - keep)])
    return [
        {name: value for name, value in message.items() if name != "reasoning_content" or i not in cleared}
        for i, message in enumerate(messages)
    ]


def _wrong(message: str, field: str = "messages") -> FieldError:
    return FieldError(message, field)


def _from_blocks(role: str, blocks: list[Any], where: str, names: dict[str, str]) -> list[dict[str, Any]]:
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for i, block in enumerate(blocks):
        at = f"{where}.content[{i}]"
        kind = block.get("type") if isinstance(block, Mapping) else None
        if kind == "text":
            texts.append(_text(block, at))
        elif kind == "thinking" and role == "assistant":
            thoughts.append(_thought(block, at))
        elif kind == "tool_use" and role == "assistant":
            fields = _fields(block, at, "id", "name", "input")
            id, name, input = fields.get("id"), fields.get("name"), fields.get("input")
            if not isinstance(id, str) or not isinstance(name, str) or not isinstance(input, dict):
                raise _wrong(f"{at} needs an id, a name and an input, which is an object")
            check_depth(input, "messages")
            names[id] = name
            calls.append({"id": id, "type": "function", "function": {"name": name, "arguments": input}})
        elif kind == "tool_result" and role == "user":
            results.append(_result(block, at, names))
        else:
            images = ": this model reads text only" if kind in ("image", "document") else ""
            allowed = "text, thinking and tool_use" if role == "assistant" else "text and tool_result"
            raise _wrong(f"{at}: unsupported content {shown(kind)}; supported: {allowed}{images}")
    if not blocks:
        raise _wrong(f"{where}.content is empty")
    message: dict[str, Any] = {"role": role, "content": "".join(texts)}
    message |= {"tool_calls": calls} if calls else {}
    message |= {"reasoning_content": "".join(thoughts)} if thoughts else {}
    return [*results, message] if texts or calls or thoughts else results


def _thought(block: Mapping[str, Any], at: str) -> str:
    """A thought of the model. Its signature matters only to Anthropic's servers."""
    thought = _fields(block, at, "thinking", "signature").get("thinking")
    if not isinstance(thought, str):
        raise _wrong(f"{at}.thinking must be a string, not {shown(thought)}")
    return thought


def _result(block: Mapping[str, Any], at: str, names: Mapping[str, str]) -> dict[str, Any]:
    fields = _fields(block, at, "tool_use_id", "content", "is_error")
    id, content = fields.get("tool_use_id"), fields.get("content", "")
    if not isinstance(id, str):
        raise _wrong(f"{at}.tool_use_id must be a string, not {shown(id)}")
    if not isinstance(fields.get("is_error", False), bool):
        raise _wrong(f"{at}.is_error must be true or false, not {shown(fields['is_error'])}")
    text = content if isinstance(content, str) else _texts(content, f"{at}.content", "messages")
    text = f"Error: {text}" if fields.get("is_error") else text
    message = {"role": "tool", "content": text, "tool_call_id": id}
    return {**message, "name": names[id]} if id in names else message


def _texts(value: Any, where: str, field: str) -> str:
    if not isinstance(value, list):
        raise _wrong(f"{where} must be a text or a list of text blocks, not {shown(value)}", field)
    texts = []
    for i, block in enumerate(value):
        kind = block.get("type") if isinstance(block, Mapping) else block
        if kind != "text":
            raise _wrong(f"{where}[{i}]: unsupported content {shown(kind)}; supported: text", field)
        texts.append(_text(block, f"{where}[{i}]", field))
    return "\n".join(texts)


def _text(block: Mapping[str, Any], at: str, field: str = "messages") -> str:
    text = _fields(block, at, "text", field=field).get("text")
    if not isinstance(text, str):
        raise _wrong(f"{at}.text must be a string, not {shown(text)}", field)
    return text


def _fields(block: Mapping[str, Any], at: str, *names: str, field: str = "messages") -> dict[str, Any]:
    present = {name: value for name, value in block.items() if value is not None}
    unknown = next((name for name in present if name not in ("type", *names, *_LABELS)), None)
    if unknown is not None:
        raise _wrong(f"{at}: unknown field {shown(unknown)}; supported: {', '.join(names)}", field)
    return present
