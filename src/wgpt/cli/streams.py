"""Standard streams that may be closed, full, or unable to show a character."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import Any, TextIO


class _Output(io.FileIO):
    """A file whose errors say that it is stdout."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data) or 0
        except OSError as e:
            e.filename = "stdout"
            raise


class _Messages(io.FileIO):
    """A file that ignores write errors."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data) or 0
        except OSError:
            return len(data)


def prepare() -> None:
    """Make the streams safe to use, before anything else opens a file.

    A closed stream becomes /dev/null: otherwise the next file that is opened would take its number. Errors of stderr
    are ignored, because a failed message must not end the work.
    """
    for number, mode in enumerate(("r", "w", "w")):
        try:
            os.fstat(number)
        except OSError:
            # this takes the lowest free number, which is the closed stream's; child processes inherit it
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
        name = ("stdin", "stdout", "stderr")[number]
        if getattr(sys, name) is None:
            setattr(sys, name, io.TextIOWrapper(io.FileIO(number, mode, closefd=False), "utf-8"))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = _text(_Output(1, "w", closefd=False), sys.stdout.encoding, sys.stdout.line_buffering)
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr = _text(_Messages(2, "w", closefd=False), sys.stderr.encoding, True)


def _text(file: io.FileIO, encoding: str, by_line: bool) -> io.TextIOWrapper:
    """A text stream that replaces characters its encoding lacks."""
    return io.TextIOWrapper(io.BufferedWriter(file), encoding, errors="replace", line_buffering=by_line)


def fails(stream: TextIO) -> bool:
    """Flush a stream. Returns whether that failed; if so, the rest goes to /dev/null."""
    try:
        stream.flush()
        return False
    except ValueError:  # closed
        return True
    except OSError:
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return True
