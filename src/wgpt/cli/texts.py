"""Texts from files and from stdin."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, Annotated

import typer

from ..core.errors import WgptError

Text = Annotated[str, typer.Option("--text", metavar="FILE|-", help="A file with text, or - for stdin.")]

_MOST_BYTES = 1 << 30  # such as /dev/zero: a text without end would take all memory
_PIECE = 1 << 20


def read_text(path: str | Path) -> str:
    """A text file, in UTF-8."""
    try:
        with Path(path).open("rb") as file:
            data = _read(file, str(path))
    except (OSError, ValueError) as e:
        raise WgptError(f"{path}: cannot be read: {getattr(e, 'strerror', None) or e}") from None
    return decoded(data, str(path), "utf-8-sig")


def read_stdin(name: str = "stdin") -> str:
    """`name`: what errors call it."""
    return decoded(_read(sys.stdin.buffer, name), name)


def read_some_text(name: str) -> str:
    """The text of a file, or of stdin (-); it must not be empty."""
    text = read_stdin() if name == "-" else read_text(name)
    if not text.strip():
        raise WgptError(f"{name} has no text")
    return text


def decoded(data: bytes | bytearray, name: str, encoding: str | None = None) -> str:
    """Bytes as text, with \\n at the end of lines; an error says where in `name` it is. `encoding`: stdin's if None."""
    encoding = encoding or sys.stdin.encoding or "utf-8"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as e:
        shown = encoding.removesuffix("-sig")
        raise WgptError(f"{name} is not text in {shown}: {e.reason} at byte {e.start}") from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _read(file: IO[bytes], name: str) -> bytearray:
    data = bytearray()
    while piece := file.read(_PIECE):
        data += piece
        if len(data) > _MOST_BYTES:
            raise WgptError(f"{name} has more than {_MOST_BYTES >> 30} GiB of text: give it in several parts")
    return data
