"""Extracts tool calls from a text that arrives in pieces."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass, field

from .tools import Style


@dataclass(frozen=True)
class TextPiece:
    """Text outside of calls."""

    text: str


@dataclass(frozen=True)
class CallStart:
    """The beginning of a call; its arguments follow in pieces."""

    index: int
    name: str


@dataclass(frozen=True)
class CallPiece:
    """A piece of the arguments' JSON."""

    index: int
    arguments: str


Piece = TextPiece | CallStart | CallPiece


@dataclass
class Call:
    """A complete call; `arguments` is JSON, unless the answer was cut off."""

    name: str
    arguments: str = ""


@dataclass
class Parsed:
    """An answer: its text and its calls."""

    text: str = ""
    calls: list[Call] = field(default_factory=list)

    def add(self, pieces: list[Piece]) -> None:
        for piece in pieces:
            if isinstance(piece, TextPiece):
                self.text += piece.text
            elif isinstance(piece, CallStart):
                self.calls.append(Call(piece.name))
            else:
                self.calls[piece.index].arguments += piece.arguments


def new_call_id(kind: str = "call_") -> str:
    return kind + secrets.token_hex(12)


class CallParser:
    """Separates text from calls. The grammar of tools.py ensures that calls are complete and fit their schemas."""

    def __init__(self, style: Style, names: tuple[str, ...]) -> None:
        self._trigger, self._closing = style.opening.rstrip(), style.closing.strip()
        name = "|".join(map(re.escape, names))
        self._head = re.compile(rf'\s*\{{\s*"name"\s*:\s*"({name})"\s*,\s*"{style.key}"\s*:\s*(?=\S)')
        self._state = self._text if self._trigger else self._bare
        self._buffer = ""
        self._calls = 0
        self._pieces: list[Piece] = []

    def add(self, text: str) -> list[Piece]:
        self._buffer += text
        while self._buffer and self._state():
            pass
        pieces, self._pieces = self._pieces, []
        return pieces

    def finish(self) -> list[Piece]:
        """The remaining text. A call that was cut off before its arguments counts as text."""
        rest, self._buffer = self._buffer, ""
        if rest and self._state in (self._text, self._bare, self._call):
            opening = self._trigger if self._state == self._call else ""
            if rest.strip() or not self._calls:
                return [TextPiece(opening + rest)]
        return []

    # States: each consumes some of the buffer and returns whether there may be more to consume.

    def _text(self) -> bool:
        before, found, after = self._buffer.partition(self._trigger)
        if found:
            self._emit_text(before.rstrip())
            self._buffer, self._state = after, self._call
            return True
        held = len(before) - len(before.rstrip())  # drop white space before a call
        for size in range(min(len(self._trigger) - 1, len(before)), 0, -1):
            if before.endswith(self._trigger[:size]):
                kept = before[: len(before) - size]
                held = size + len(kept) - len(kept.rstrip())
                break
        self._emit_text(before[: len(before) - held])
        self._buffer = before[len(before) - held :]
        return False

    def _bare(self) -> bool:
        """The state without a trigger: a text that begins with { is a call."""
        if not (stripped := self._buffer.lstrip()):
            return False
        self._state = self._call if stripped[0] == "{" else self._rest
        return True

    def _rest(self) -> bool:
        self._emit_text(self._buffer)
        self._buffer = ""
        return False

    def _call(self) -> bool:
        """The state from the trigger to the arguments."""
        if head := self._head.match(self._buffer):
            self._pieces.append(CallStart(self._calls, head[1]))
            self._buffer, self._state = self._buffer[head.end() :], self._arguments
            self._scanner = JsonScanner()
            return True
        if self._closing and self._closing in self._buffer:  # not a call after all
            self._emit_text(self._trigger + self._buffer)
            self._buffer, self._state = "", self._text
        return False

    def _arguments(self) -> bool:
        end = self._scanner.add(self._buffer)
        taken = self._buffer if end is None else self._buffer[:end]
        if taken:
            self._pieces.append(CallPiece(self._calls, taken))
        self._buffer = self._buffer[len(taken) :]
        if end is None:
            return False
        self._calls += 1
        self._state = self._after
        return True

    def _after(self) -> bool:
        """The state after the arguments: the call's last brace and its closing mark."""
        ending = "}" + self._closing
        stripped = "".join(self._buffer.split())
        if len(stripped) < len(ending):
            return False
        end = self._buffer.find(self._closing) + len(self._closing) if self._closing else self._buffer.find("}") + 1
        self._buffer = self._buffer[end:]
        self._state = self._text if self._trigger else self._rest
        return True

    def _emit_text(self, text: str) -> None:
        if text:
            self._pieces.append(TextPiece(text))


class JsonScanner:
    """Finds the end of a JSON object or list that arrives in pieces."""

    _MARKS = re.compile(r'["{}\[\]]')
    _IN_STRING = re.compile(r'["\\]')

    def __init__(self) -> None:
        self._depth, self._string, self._escaped = 0, False, False

    def add(self, text: str) -> int | None:
        """The index in this text where the value ends; None if it continues."""
        at = 0
        while at < len(text):
            if self._escaped:
                self._escaped = False
                at += 1
                continue
            mark = (self._IN_STRING if self._string else self._MARKS).search(text, at)
            if mark is None:
                return None
            at = mark.end()
            character = mark[0]
            if character == "\\":
                self._escaped = True
            elif character == '"':
                self._string = not self._string
            else:
                self._depth += 1 if character in "{[" else -1
                if self._depth <= 0:
                    return at
        return None


def parse(style: Style, names: tuple[str, ...], text: str) -> Parsed:
    """Parse a complete answer."""
    parser, parsed = CallParser(style, names), Parsed()
    parsed.add(parser.add(text))
    parsed.add(parser.finish())
    return parsed


def arguments_of(text: str) -> object:
    """The arguments as an object, for templates and Anthropic's blocks; as text if they are not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
