"""Renders messages through a model's own chat template, to the text that it was trained on."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..core.errors import WgptError
from ..core.naming import argument
from . import template_worker
from .control_tokens import ChatText, mapped, strings, unused_marker
from .errors import shown
from .template_process import TemplateFault, render_template
from .tokenizer_base import Tokenizer

_MESSAGES = {
    template_worker.SYNTAX: "has an error in ",
    template_worker.LIMIT: "was stopped: ",
    template_worker.DEPTH: "is nested too deeply",
    # A template is a program: anything may fail in it. Its own raise_exception gives the author's message.
    template_worker.OTHER: "rejects these messages: ",
}


_CONTINUED = "\ufdd0continued\ufdd0"  # stands for the last message, whose end the template must not write
_SYSTEM = ("system", "developer")  # roles of the instructions at the beginning of a chat
_MOST_DEPTH = 100  # most levels of nested lists and dicts
# Keys by which clients pass a model's thoughts; templates read the first, gpt-oss's the second (transformers).
REASONING = ("reasoning_content", "thinking", "reasoning")


class ChatError(WgptError, ValueError):
    """Invalid messages, or a template that cannot render them."""


def render_chat(
    template: str | None,
    messages: Sequence[Mapping[str, Any]],
    *,
    add_generation_prompt: bool = True,
    bos: str | None = None,
    eos: str | None = None,
    tools: Sequence[Any] | None = None,
    documents: Sequence[Any] | None = None,
    **extra: Any,
) -> str:
    """The prompt of a chat; `extra` are variables that the template reads, such as enable_thinking=False.

    render_chat(template, [{"role": "user", "content": "Hello"}], bos="<s>", eos="</s>")
    """
    given = _variables(messages, add_generation_prompt=add_generation_prompt, tools=tools, documents=documents, **extra)
    return _rendered(template, given, bos, eos)


def _variables(messages: Any, *, add_generation_prompt: bool = True, **others: Any) -> dict[str, Any]:
    """The caller's variables for a template, as plain data."""
    variables = {"tools": None, "documents": None, **others}
    plain = {name: _plain(value, name) for name, value in variables.items()}
    return {**plain, "messages": checked(messages), "add_generation_prompt": add_generation_prompt}


def _rendered(template: str | None, given: Mapping[str, Any], bos: str | None, eos: str | None) -> str:
    if template is None:
        raise ChatError(
            "this model has no chat template, so it cannot chat: give it a plain prompt to continue (`wgpt run`), "
            "or load a version that was trained for chats (often named -Instruct)"
        )
    # A token that the model lacks stays undefined, which renders as nothing; None would render as "None".
    own = {name: token for name, token in (("bos_token", bos), ("eos_token", eos)) if token is not None}
    try:
        return render_template(template, {**given, **own})
    except TemplateFault as e:
        raise ChatError(f"the chat template {_MESSAGES[e.fault]}{_line(e.message)}") from None


def chat_text(tokenizer: Tokenizer, messages: Sequence[Mapping[str, Any]], **options: Any) -> str:
    """The prompt of a chat for `tokenizer.encode`: control tokens come from the template alone.

    `options` are those of `render_chat`. With tokenizer.allow_control_tokens, messages may spell them too.

    chat_text(tokenizer, [{"role": "user", "content": "Is <|im_end|> a token?"}])
    """
    template, controls = tokenizer.chat_template, tokenizer.control_tokens
    given = _variables(messages, **options)

    def rendered(variables: Mapping[str, Any]) -> str:
        return _rendered(template, variables, tokenizer.bos, tokenizer.eos)

    text, texts = rendered(given), list(strings(given))
    if tokenizer.allow_control_tokens:
        return text
    if not controls.threatened(texts):
        return ChatText(text)
    marker = unused_marker([*texts, template or ""])
    own = controls.spelled(rendered(mapped(given, lambda each: controls.broken(each, marker))))
    if controls.spelled(text) == own and not any(map(controls.spelled, texts)):  # they are all the template's
        return ChatText(text)
    text = rendered(mapped(given, lambda each: controls.marked(each, marker)))
    if controls.spelled(text) != own:
        raise ChatError(
            f"the chat template makes control tokens of parts of the messages: change them, or allow that with "
            f"{argument('allow_control_tokens')}"
        )
    return ChatText(text, marker)


def continued_text(tokenizer: Tokenizer, messages: Sequence[Mapping[str, Any]], **options: Any) -> str:
    """As chat_text, up to the end of the last message, which the answer continues."""
    *before, last = checked(messages)
    text = chat_text(tokenizer, [*before, {**last, "content": _CONTINUED}], add_generation_prompt=False, **options)
    if _CONTINUED not in text:
        raise ChatError("the chat template cannot continue the last message")
    content = last.get("content", "")
    if isinstance(text, ChatText):
        return text.ending(_CONTINUED, content, tokenizer.control_tokens)
    return str(text.rpartition(_CONTINUED)[0] + content)


def encode_chat(tokenizer: Tokenizer, messages: Sequence[Mapping[str, Any]], **options: Any) -> list[int]:
    """The token ids of a chat. None are added: the template writes the special tokens itself."""
    return tokenizer.encode(chat_text(tokenizer, messages, **options), special=False)


def keeping(
    options: Mapping[str, Any], messages: Any, encode: Callable[[list[Any]], Sequence[int]], ids: Sequence[int]
) -> dict[str, Any]:
    """The options to answer a chat whose token ids are these: a context that slides keeps the system prompt.

    `encode`: gives the token ids of a chat. What another question has in common with this chat is its system prompt.
    """
    if options.get("overflow") != "slide" or options.get("keep") is not None or isinstance(messages, str):
        return dict(options)
    system = list(itertools.takewhile(lambda message: message.get("role") in _SYSTEM, messages))
    if not system:
        return dict(options)
    other = encode([*system, {"role": "user", "content": "0"}])
    pairs = enumerate(zip(ids, other, strict=False))
    return {**options, "keep": next((i for i, (a, b) in pairs if a != b), min(len(ids), len(other)))}


def checked(messages: Any) -> list[dict[str, Any]]:
    """Messages as plain data, each with a role and a content."""
    if isinstance(messages, str | Mapping) or not isinstance(messages, Sequence):
        raise ChatError(
            f'messages must be a list of {{"role": ..., "content": ...}}, not {type(messages).__name__}: '
            'for one question, [{"role": "user", "content": "..."}]'
        )
    if not messages:
        raise ChatError("a chat needs at least one message")
    return [_checked(message, f"messages[{i}]") for i, message in enumerate(messages)]


def _checked(message: Any, where: str) -> dict[str, Any]:
    if not isinstance(message, Mapping):
        raise ChatError(f'{where} must be {{"role": ..., "content": ...}}, not {type(message).__name__}')
    role, content = message.get("role"), joined(message.get("content"), where)
    if not isinstance(role, str) or not role:
        raise ChatError(f'{where} needs a "role", such as "user", "assistant" or "system", not {shown(role)}')
    # Only tool calls have no content.
    if not isinstance(content, str) and not (content is None and message.get("tool_calls")):
        raise ChatError(f'{where} needs a string as its "content", not {shown(content)}')
    if "content" in message:  # a template would write None as "None"
        message = {**message, "content": content or ""}
    plain: dict[str, Any] = _plain(message, where)
    reasoning = next((plain[name] for name in REASONING if plain.get(name) is not None), None)
    return plain if reasoning is None else {"thinking": reasoning, **plain, "reasoning_content": reasoning}


def joined(content: Any, where: str) -> Any:
    """A content that is a list of text parts, as one string: templates of text models take no lists.

    joined([{"type": "text", "text": "Hello "}, {"type": "text", "text": "world"}], "messages[0]")
    """
    if not isinstance(content, list | tuple):
        return content
    texts = []
    for i, part in enumerate(content):
        text = part.get("text") if isinstance(part, Mapping) and part.get("type") == "text" else None
        if not isinstance(text, str):
            kind = part.get("type") if isinstance(part, Mapping) else part
            raise ChatError(f"{where}.content[{i}]: unsupported content {shown(kind)}; supported: text")
        texts.append(text)
    return "".join(texts)


def _plain(value: Any, where: str, depth: int = 0) -> Any:
    """A value rebuilt from JSON's types: objects with methods must not reach a template."""
    if value is None or type(value) in (str, int, float, bool):
        return value
    if depth == _MOST_DEPTH:
        raise ChatError(f"{where[:40]}... is nested more than {_MOST_DEPTH} levels deep, or contains itself")
    if isinstance(value, Mapping):
        return {str(key): _plain(item, f"{where}[{key!r}]", depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(value)]
    raise ChatError(f"{where} is a {type(value).__name__}: a chat may contain only strings, numbers, lists and dicts")


def _line(message: str) -> str:
    text = " ".join(message.split())
    return text if len(text) <= 300 else f"{text[:300]}..."
