"""Control tokens in chats: only the template writes them; in messages they are plain text.

A tokenizer recognises added tokens anywhere in a text, so the author of a message could end it and begin another.
Before the template is rendered, a marker is inserted into each control token that a message spells. Where the text has
a marker, it is encoded by a copy of the tokenizer whose control tokens have unguessable names; all other texts are
encoded as usual.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

from tokenizers import AddedToken
from tokenizers import Tokenizer as Backend

from ..core.errors import PreconditionError

# Unicode's noncharacters, which texts should not contain. JSON may spell one as \ufdd1.
_MARKERS = [chr(code) for code in range(0xFDD1, 0xFDF0)]


class ChatText(str):
    """The text of a chat. `marked`: the same text, with `marker` inside control tokens that messages spell."""

    marked: str
    marker: str

    def __new__(cls, marked: str, marker: str = "") -> ChatText:
        if marker:
            marked = marked.replace(_escaped(marker), marker)
        text = super().__new__(cls, marked.replace(marker, "") if marker else marked)
        text.marked, text.marker = marked, marker
        return text

    def ending(self, place: str, last: str, controls: ControlTokens) -> ChatText:
        """The text up to the last occurrence of `place`, followed by `last`."""
        before = self.marked.rpartition(place)[0]
        if self.marker and self.marker in last:
            marker = unused_marker([before, last])
            return text_after(before.replace(self.marker, marker), last, controls, marker)
        return text_after(before, last, controls, self.marker)


def text_after(before: str, text: str, controls: ControlTokens, marker: str = "") -> ChatText:
    """A text whose first part may contain control tokens, and whose second part is plain text."""
    if not marker and controls.spelled(text):
        marker = unused_marker([before, text])
    return ChatText(before + (controls.marked(text, marker) if marker else text), marker)


def unused_marker(texts: list[str]) -> str:
    """A marker that occurs in none of the texts."""
    for marker in _MARKERS:
        if not any(marker in text or _escaped(marker) in text for text in texts):
            return marker
    raise PreconditionError("the messages have too many noncharacters (U+FDD1 to U+FDEF): remove them")


def _escaped(marker: str) -> str:
    return f"\\u{ord(marker):04x}"


def ids_of(backend: Backend, text: str, special: bool, unlocked: bool) -> list[int]:
    """Token ids. unlocked: let other threads run. `tokenizers` holds the GIL while it encodes a single text, but not
    for a batch."""
    if unlocked:
        (encoding,) = backend.encode_batch_fast([text], add_special_tokens=special)
    else:
        encoding = backend.encode(text, add_special_tokens=special)
    ids: list[int] = encoding.ids
    return ids


class ControlTokens:
    """The control tokens of a tokenizer: those marked as special, except single characters, which are text."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        unknown = getattr(backend.model, "unk_token", None)
        added = backend.get_added_tokens_decoder()
        self._tokens = {t.content: i for i, t in added.items() if t.special and len(t.content) > 1}
        self._ids = frozenset(i for token, i in self._tokens.items() if token != unknown)
        longest_first = sorted((t for t in added.values() if t.content in self._tokens), key=lambda t: -len(t.content))
        self._spelling = re.compile("|".join(map(_expression, longest_first)) or "(?!)")
        self._beginning = re.compile("|".join(sorted({re.escape(token[:2]) for token in self._tokens})) or "(?!)")
        self._firsts = frozenset(token[0] for token in self._tokens)
        self._prefixes = frozenset(token[:end] for token in self._tokens for end in range(1, len(token)))
        self._longest = max(map(len, self._tokens), default=0)

    def threatened(self, texts: list[str]) -> bool:
        """Whether a text contains the beginning of a control token. If none does, none can be spelled."""
        return any(self._beginning.search(text) or text[-1:] in self._firsts for text in texts)

    def spelled(self, text: str) -> list[str]:
        """The control tokens that a text spells, in order."""
        return self._spelling.findall(text)

    def marked(self, text: str, marker: str) -> str:
        """The text with the marker in each control token that it spells, or of which it ends with a part."""
        ends = any(text[-size:] in self._prefixes for size in range(1, min(self._longest, len(text) + 1)))
        return _broken(self._spelling, text, marker) + marker * ends

    def broken(self, text: str, marker: str) -> str:
        """The text with the marker wherever a control token could begin, even one that the template completes."""
        return _broken(self._beginning, text, marker) + marker * (text[-1:] in self._firsts)

    def encode(self, text: ChatText, special: bool, *, unlocked: bool = False) -> list[int]:
        """Token ids, with only those control tokens that the template wrote."""
        wrote = self.spelled(text.marked)
        if self.spelled(text) == wrote:
            ids = ids_of(self._backend, str(text), special, unlocked)
            around = self._backend.encode("", add_special_tokens=special).ids
            # Normalisation may turn other characters into a control token.
            if sum(i in self._ids for i in ids) <= len(wrote) + len(around):
                return ids
        renamed = self._spelling.sub(lambda match: self._names[match[0]], text.marked)
        renamed = renamed.replace(text.marker, "") if text.marker else renamed
        return ids_of(self._renamed, renamed, special, unlocked)

    @cached_property
    def _names(self) -> dict[str, str]:
        key = secrets.token_hex(8)
        return {token: f"\U00100000{key}{i}\U00100001" for token, i in self._tokens.items()}

    @cached_property
    def _renamed(self) -> Backend:
        """A copy of the tokenizer with other names for its control tokens."""
        state, names = json.loads(self._backend.to_str()), self._names
        model = state["model"]
        if isinstance(model["vocab"], dict):
            model["vocab"] = {names.get(token, token): i for token, i in model["vocab"].items()}
        else:
            model["vocab"] = [[names.get(token, token), score] for token, score in model["vocab"]]
        if "merges" in model:
            model["merges"] = [merge for merge in model["merges"] if not self._joins(merge)]
        model["unk_token"] = names.get(model.get("unk_token"), model.get("unk_token"))
        for token in state["added_tokens"]:
            if token["content"] in names:
                token |= {"content": names[token["content"]], "single_word": False}  # `spelled` has ensured that
        backend = Backend.from_str(json.dumps(state))
        assert all(backend.token_to_id(names[token]) == i for token, i in self._tokens.items())
        return backend

    def _joins(self, merge: Any) -> bool:
        parts = merge.split(" ") if isinstance(merge, str) else merge
        return "".join(parts) in self._tokens or any(part in self._tokens for part in parts)


def _expression(token: AddedToken) -> str:
    text = re.escape(token.content)
    return rf"(?<!\w){text}(?!\w)" if token.single_word else text


def _broken(pattern: re.Pattern[str], text: str, marker: str) -> str:
    """The text with the marker after the first character of each match; repeated, because matches may overlap."""
    while pattern.search(text):
        text = pattern.sub(lambda match: match[0][0] + marker + match[0][1:], text)
    return text


def mapped(value: Any, change: Callable[[str], str]) -> Any:
    """Plain data with each string changed, keys included."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {change(key): mapped(item, change) for key, item in value.items()}
    return [mapped(item, change) for item in value] if isinstance(value, list) else value


def strings(value: Any) -> Iterator[str]:
    """All strings in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from strings(item)
        if isinstance(value, Mapping):
            yield from value
