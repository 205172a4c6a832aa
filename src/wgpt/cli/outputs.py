"""Files and folders that commands write: checked before the work, not after it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import typer

from ..core.atomic import OutputError, check_file, named, writing
from ..core.errors import WgptError

_HEAD = 1 << 16  # bytes at the start that identify a file


def output_path(text: str) -> Path:
    """A parser for options: rejects an empty name, which Path would turn into the current directory."""
    try:
        return named(text)
    except OutputError as e:
        raise typer.BadParameter(str(e)) from None


def check_own_folder(folder: Path) -> None:
    """Create one of wgpt's folders if it is missing, and check that files can be written to it."""
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:  # checking permissions is not enough: the disk may be full
            file.write(b"wgpt")
            file.flush()


def check_in_folder(path: Path) -> None:
    """Check that a file can be written to its folder, which must exist."""
    if not path.parent.is_dir():
        raise WgptError(f"{path}: no such folder: {path.parent}")
    check_file(path)


def check_report(path: Path, mark: str) -> None:
    """As check_in_folder, for a file that may only overwrite its own kind, which contains `mark`."""
    check_in_folder(path)
    if not path.exists():
        return
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if head and mark.encode() not in head:
        raise WgptError(f"{path}: exists and was not written by this command: choose another name, or remove it first")
