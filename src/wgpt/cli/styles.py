"""Colours and progress bars, if the terminal supports them and the user wants them."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, TextIO

import typer

if TYPE_CHECKING:
    from rich.console import Console

_PIPED_WIDTH = 160


def plain() -> bool:
    """Whether to write without colours: see https://no-color.org; dumb terminals have none."""
    return bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"


def styled(text: str, **style: Any) -> str:
    """The text with typer's styles, unless plain text is wanted."""
    return text if plain() else typer.style(text, **style)


def watched(stream: TextIO) -> bool:
    """Whether the stream is a terminal that can show a moving progress bar."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def console(*, stderr: bool = False) -> Console:
    """A console for stdout or stderr. A pipe gets a fixed width, large enough that tables do not wrap."""
    from rich.console import Console  # late: `wgpt --help` does not need it

    piped = not (sys.stderr if stderr else sys.stdout).isatty() and "COLUMNS" not in os.environ
    width = _PIPED_WIDTH if piped else None
    return Console(stderr=stderr, highlight=False, width=width, color_system=None if plain() else "auto")
