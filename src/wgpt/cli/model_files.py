"""Shared code of commands that write model files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .styles import styled

ModelFile = Annotated[
    str,
    typer.Argument(
        metavar="MODEL",
        help="A known name, a .gguf file, a Hugging Face folder, or ORG/NAME on the hub.",
        show_default=False,
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite what is at --out.")]


def finished(out: Path, summary: str, notes: list[str]) -> None:
    """Print the path on stdout, and notes on stderr."""
    typer.echo(str(out))
    typer.echo(styled(summary, dim=True), err=True)
    for note in notes:
        typer.echo(note, err=True)
