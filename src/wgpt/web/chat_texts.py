"""Reduces a chat template to texts between messages, which the browser can join without running a template.

A template is a program, but most only write fixed texts before, between and after messages. These texts are found by
rendering a few conversations and checked on more of them. Other templates are refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..formats.chat import ChatError, render_chat
from ..formats.tokenizer import Tokenizer
from .errors import WebExportError

START, GENERATE = "start", "generate"
_LETTERS = {"s": "system", "u": "user", "a": "assistant"}
# Conversations by the first letters of their roles: the first have every pair of neighbours, the rest are checks.
_SHOWN = ("u", "uau", "su", "suau")
_CHECKED = ("uauau", "suauau", "uauauau")
_CONTENTS = ("Zq{0}x", "two\nlines {0}", "{{{{ {0} }}}} {{% if %}} <b>é日本</b>", "{0}.", " {0}\n", "# {0}\n\n- a")
_THOUGHT = "<think>\nHm.\n</think>\n\nAnswer {0}"
_AFTER = "</think>"

Message = Mapping[str, str]


def chat_texts(tokenizer: Tokenizer, name: str) -> dict[str, Any] | None:
    """The texts by neighbours ("user>assistant"), and what else is done to messages; None without a template.

    {"between": {"start>user": "<|im_start|>user\\n", ...}, "trim": [], "after": ""}
    """
    if tokenizer.chat_template is None:
        return None

    def rendered(messages: Sequence[Message]) -> str:
        return render_chat(tokenizer.chat_template, messages, bos=tokenizer.bos, eos=tokenizer.eos)

    between: dict[str, str] = {}
    for roles in _SHOWN:
        try:
            between.update(_between(rendered, roles))
        except ChatError as e:
            if "s" not in roles:
                raise WebExportError(f"the chat template of {name} rejects a plain conversation: {e}") from None
    roles_there = {role for pair in between for role in pair.split(">")}
    trim = [role for role in _LETTERS.values() if role in roles_there and _trims(rendered, role, between)]
    chat = {"between": between, "trim": trim, "after": ""}
    conversations = [c for c in (*_SHOWN, *_CHECKED) if "s" not in c or "system" in roles_there]
    for roles in conversations:
        for content in _CONTENTS:
            messages = _conversation(roles, content)
            if _joined(chat, messages) != rendered(messages):
                raise WebExportError(
                    f"the chat template of {name} is more than fixed texts around messages (seen with "
                    f"{', '.join(m['role'] for m in messages)}): it cannot be exported to a page"
                )
    thinking = _conversation("uau", _THOUGHT)
    if _joined(chat, thinking) != rendered(thinking):
        chat["after"] = _AFTER
        if _joined(chat, thinking) != rendered(thinking):
            raise WebExportError(f"the chat template of {name} changes what a model thought: it cannot be exported")
    return chat


def _conversation(roles: str, content: str) -> list[dict[str, str]]:
    return [{"role": _LETTERS[letter], "content": content.format(i)} for i, letter in enumerate(roles)]


def _between(rendered: Any, roles: str) -> dict[str, str]:
    """The texts around markers that stand for the messages."""
    messages = _conversation(roles, "Zq{0}x")
    rest, before, texts = rendered(messages), START, {}
    for message in messages:
        text, found, rest = rest.partition(message["content"])
        if not found:
            raise WebExportError(f"the chat template does not show the {message['role']}'s message as it is")
        texts[f"{before}>{message['role']}"] = text
        before = message["role"]
    texts[f"{before}>{GENERATE}"] = rest
    return texts


def _trims(rendered: Any, role: str, between: Mapping[str, str]) -> bool:
    """Whether the template removes spaces around the messages of a role."""
    letter = role[0]
    roles = {"s": "su", "u": "u", "a": "uau"}[letter]
    messages = [
        {**m, "content": f"  {m['content']}\n\n" if m["role"] == role else m["content"]}
        for m in _conversation(roles, "Zq{0}x")
    ]
    return _joined({"between": between, "trim": [role], "after": ""}, messages) == rendered(messages)


def _joined(chat: Mapping[str, Any], messages: Sequence[Message]) -> str:
    """The prompt as runtime/chat.js joins it."""
    text, before = "", START
    for message in messages:
        role, content = message["role"], message["content"]
        if chat["after"] and role == "assistant" and chat["after"] in content:
            content = content.rpartition(chat["after"])[2].lstrip("\n")
        text += chat["between"].get(f"{before}>{role}", "\0") + (content.strip() if role in chat["trim"] else content)
        before = role
    return text + chat["between"].get(f"{before}>{GENERATE}", "\0")
