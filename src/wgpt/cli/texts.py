"""The option for a text that is read by a model."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ..core.errors import WgptError
from .common import decoded

Text = Annotated[str, typer.Option("--text", metavar="FILE|-", help="A file with text, or - for stdin.")]


def read_text(name: str) -> str:
    """The text of a file or of stdin; it must not be empty."""
    if name == "-":
        text = decoded(sys.stdin.buffer.read(), "stdin")
    else:
        try:
            text = Path(name).read_text("utf-8")
        except UnicodeDecodeError as e:
            raise WgptError(f"{name} is not UTF-8: {e.reason} at byte {e.start}") from None
        except (OSError, ValueError) as e:
            raise WgptError(f"{name}: cannot be read: {getattr(e, 'strerror', None) or e}") from None
    if not text.strip():
        raise WgptError(f"{name} has no text")
    return text
