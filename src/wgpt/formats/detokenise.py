"""Text from tokens as they come, in pieces that are final: no half characters, and stop strings held back.

Each token is looked at once. What the `tokenizers` decoders do to a whole list is done here piece by piece, so the
parts of a reply put together are exactly `Tokenizer.decode` of all its ids.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from ..core.errors import PreconditionError
from ..core.naming import argument
from .tokenizer_base import Tokenizer

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")


class Detokeniser:
    """The text of one sequence, token by token.

    text = Detokeniser(tokenizer)
    for id in ids:
        print(text.add(id), end="")
    print(text.finish())
    """

    def __init__(self, tokenizer: Tokenizer, skip_special: bool = True) -> None:
        self._tokenizer = tokenizer
        self._skipped = tokenizer.special_ids if skip_special else frozenset()
        self._joiner = _joiner(tokenizer)
        self._pieces = tokenizer.pieces

    def add(self, id: int) -> str:
        """The text that this token completes: often the token's own, sometimes "" or more."""
        if id in self._skipped:
            return ""
        piece = self._pieces.get(id)
        if piece is None:
            if not self._tokenizer.has(id):
                return ""
            piece = self._pieces[id] = self._joiner.piece(self._tokenizer.token(id))
        return self._joiner.add(id, piece)

    def finish(self) -> str:
        """The remaining text; incomplete characters become U+FFFD."""
        return self._joiner.finish()


def token_bytes(tokenizer: Tokenizer, id: int) -> bytes:
    """The bytes of a token within a text, perhaps a part of a character. Special tokens are spelled out."""
    if not tokenizer.has(id):
        return b""
    token = tokenizer.token(id)
    return token.encode() if id in tokenizer.special_ids else _joiner(tokenizer).data(token)


class _Joiner(Protocol):
    def piece(self, token: str) -> Any:
        """A token in the form that `add` takes; looked up once for all texts."""

    def data(self, token: str) -> bytes:
        """The bytes of a token within a text."""

    def add(self, id: int, piece: Any) -> str: ...

    def finish(self) -> str: ...


def _joiner(tokenizer: Tokenizer) -> _Joiner:
    decoder = tokenizer.decoder or {}
    steps = decoder["decoders"] if decoder.get("type") == "Sequence" else [decoder]
    kinds = [step.get("type") for step in steps]
    if kinds == ["ByteLevel"]:
        return _ByteLevel()
    if kinds[:3] == ["Replace", "ByteFallback", "Fuse"] and kinds[3:] in ([], ["Strip"]):
        space = steps[0]
        strip: dict[str, Any] = steps[3] if steps[3:] else {"content": " ", "start": 0, "stop": 0}
        if "String" in space["pattern"] and not strip["stop"]:
            return _SentencePiece(space["pattern"]["String"], space["content"], strip["content"], strip["start"])
    return _AtTheEnd(tokenizer)


def _byte_alphabet() -> dict[str, int]:
    """GPT-2's characters for bytes: printable ones stand for themselves, others are moved above U+0100."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    moved = [byte for byte in range(256) if byte not in plain]
    return {chr(byte): byte for byte in plain} | {chr(0x100 + i): byte for i, byte in enumerate(moved)}


_ALPHABET = _byte_alphabet()


class _ByteLevel:
    """Pieces are bytes; a character may span several pieces."""

    def __init__(self) -> None:
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")

    def piece(self, token: str) -> bytes:
        try:
            return bytes([_ALPHABET[c] for c in token])
        except KeyError:  # an added token, spelled as plain text
            return token.encode()

    def data(self, token: str) -> bytes:
        return self.piece(token)

    def add(self, id: int, piece: bytes) -> str:
        return self._utf8.decode(piece)

    def finish(self) -> str:
        return self._utf8.decode(b"", final=True)


class _SentencePiece:
    """Pieces are text with a mark for spaces; bytes of other characters are tokens such as <0xE2>.

    A run of byte tokens is text only if the whole run is UTF-8, so it is final only when it ends.
    """

    def __init__(self, mark: str, space: str, stripped: str, strip: int) -> None:
        self._mark, self._space = mark, space
        self._stripped, self._strip = stripped, strip  # how many spaces are stripped from the front
        self._run = bytearray()

    def piece(self, token: str) -> str:
        return token

    def data(self, token: str) -> bytes:
        byte = _BYTE.fullmatch(token)
        return bytes([int(byte[1], 16)]) if byte else token.replace(self._mark, self._space).encode()

    def add(self, id: int, piece: str) -> str:
        if byte := _BYTE.fullmatch(piece):
            self._run.append(int(byte[1], 16))
            return ""
        return self._front(self._end_of_run() + piece.replace(self._mark, self._space))

    def finish(self) -> str:
        return self._front(self._end_of_run())

    def _end_of_run(self) -> str:
        run = bytes(self._run)
        self._run.clear()
        try:
            return run.decode()
        except UnicodeDecodeError:
            return "\ufffd" * len(run)

    def _front(self, text: str) -> str:
        while text and self._strip:
            if not text.startswith(self._stripped):
                self._strip = 0
                break
            text = text[1:]
            self._strip -= 1
        return text


class _AtTheEnd:
    """For unknown decoders: no text is final before the end."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._ids: list[int] = []

    def piece(self, token: str) -> str:
        return token

    def data(self, token: str) -> bytes:
        return token.encode()

    def add(self, id: int, piece: str) -> str:
        self._ids.append(id)
        return ""

    def finish(self) -> str:
        ids, self._ids = self._ids, []
        return self._tokenizer.decode(ids, skip_special=False)  # skipped tokens were not added


@dataclass(frozen=True)
class Mark:
    """The beginning of a part that stop strings do not end. `first`: only at the beginning of the text, after optional
    white space."""

    text: str
    first: bool = False


class StopStrings:
    """Ends a text before the first stop string, which may come in pieces. `until`: from this mark on, none counts.

    stops = StopStrings(["\\nUser:"])
    emit, hit = stops.add("Hello\\nUs")  # ("Hello", False): the rest may be the start of a stop string
    """

    def __init__(self, stops: Iterable[str] = (), until: Mark | None = None) -> None:
        self._stops = [stops] if isinstance(stops, str) else list(stops)
        for stop in self._stops:
            if not isinstance(stop, str) or not stop:
                raise PreconditionError(f"{argument('stop')} must be a non-empty string, not {stop!r}")
        self._longest = max(map(len, self._stops), default=0)
        self._mark = until
        self._pending = ""
        self.hit = False
        self.past_mark = False

    def add(self, text: str) -> tuple[str, bool]:
        """(text to show now, whether a stop string was found); after a hit nothing more is shown."""
        if self.hit:
            return "", True
        if self.past_mark or not (self._stops or self._mark):
            return text, False
        text = self._pending + text
        certain, self.past_mark = self._before_mark(text)
        # The stop string that is complete first, so that the pieces the text comes in make no difference.
        matches = [(at + len(stop), at) for stop in self._stops if (at := text.find(stop, 0, certain)) >= 0]
        if matches:
            self.hit, self._pending = True, ""
            return text[: min(matches)[1]], True
        if self.past_mark:
            self._pending = ""
            return text, False
        keep = len(text) - certain + self._could_begin(text[:certain])
        self._pending = text[len(text) - keep :]
        return text[: len(text) - keep], False

    def finish(self) -> str:
        """The remaining text. A beginning of a mark that was not completed may contain a stop string: see `hit`."""
        self._mark = None
        text, hit = self.add("")
        pending, self._pending = self._pending, ""
        return text if hit else text + pending

    def _before_mark(self, text: str) -> tuple[int, bool]:
        """(length of the text before the mark or its possible beginning, whether the mark was found)."""
        mark = self._mark
        if mark is None:
            return len(text), False
        if mark.first:
            begun = text.lstrip()
            if mark.text.startswith(begun[: len(mark.text)]):
                return 0, begun.startswith(mark.text)
            self._mark = None
            return len(text), False
        at = text.find(mark.text)
        if at >= 0:
            return at, True
        sizes = range(min(len(mark.text) - 1, len(text)), 0, -1)
        return len(text) - next((size for size in sizes if text.endswith(mark.text[:size])), 0), False

    def _could_begin(self, text: str) -> int:
        """How many characters at the end may begin a stop string."""
        for size in range(min(self._longest - 1, len(text)), 0, -1):
            if any(stop.startswith(text[-size:]) for stop in self._stops if len(stop) > size):
                return size
        return 0
