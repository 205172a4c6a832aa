"""Files and folders that are either there whole or not there: written aside, then renamed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO

# What a killed writer leaves behind begins so; nothing with this beginning is ever read.
PREFIX = ".unfinished-"


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write that takes the place of `path` at the end, unless something went wrong."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=PREFIX, suffix=f"-{path.name}", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


@contextmanager
def new_folder(path: Path, *, replace: bool = False) -> Iterator[Path]:
    """A folder to fill that becomes `path` at the end. `path` must not exist, or be empty, or else is replaced.

    Folders cannot change places at once: a process killed between two renames leaves the old one aside.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=PREFIX, suffix=f"-{path.name}", dir=path.parent))
    try:
        yield aside
        for file in aside.iterdir():
            _sync(file)
        os.chmod(aside, 0o777 & ~_umask())
        with _moved_away(path) if replace and path.exists() else nullcontext():
            if os.name == "nt" and path.is_dir():
                path.rmdir()  # elsewhere an empty folder is replaced
            os.rename(aside, path)
        _sync(path.parent)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise


@contextmanager
def _moved_away(path: Path) -> Iterator[None]:
    """`path` is free; what was there is removed at the end, or put back if something went wrong."""
    away = Path(tempfile.mkdtemp(prefix=PREFIX, suffix=f"-{path.name}", dir=path.parent))
    os.rename(path, away / path.name)
    try:
        yield
    except BaseException:
        os.rename(away / path.name, path)
        away.rmdir()
        raise
    shutil.rmtree(away, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Remove what killed writers left in a folder. Only where no other process writes."""
    for left in folder.glob(f"{PREFIX}*"):
        if left.is_dir():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sync(path: Path) -> None:
    """Have the disk keep it, so that a name never comes before its contents."""
    if os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
