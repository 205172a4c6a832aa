"""Atomic writes: files and folders that are complete or absent, written under a temporary name, then renamed."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO

from .errors import WgptError

# Prefix of the files that a killed writer leaves behind; they are never read.
PREFIX = ".unfinished-"


class OutputError(WgptError, OSError):
    """A file or folder that cannot be written: which, and why."""


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Name `path` in system errors, which may name only a temporary file or no file at all."""
    try:
        yield
    except OutputError:
        raise
    except OSError as e:
        culprit = None if e.filename is None else Path(os.fsdecode(e.filename)).absolute()
        on_the_way = culprit in path.absolute().parents
        if not (culprit in (None, path.absolute()) or on_the_way or PREFIX in str(culprit)):
            raise  # about another file, which was read at the same time
        where = f" ({culprit})" if on_the_way else ""
        kept = "; the existing content is unchanged" if path.exists() else ""
        raise OutputError(f"{path}: cannot be written: {e.strerror or e}{where}{kept}") from e


def named(path: str | Path) -> Path:
    """The path. An empty one would mean the current directory, which is never intended."""
    if not str(path).strip():
        raise OutputError(f"{path!r} is not a path: give the path of a file or folder")
    return Path(path)


def check_file(path: Path) -> None:
    """Refuse a path that could not be written later, before the work whose result goes there."""
    if path.is_dir():
        raise OutputError(f"{path}: is a folder: give the path of a file")
    if path.exists() and not path.is_file():
        raise OutputError(f"{path}: is not a regular file: give another path")
    _check_parent(path)


def check_folder(path: Path) -> None:
    """The same for a folder."""
    if path.exists() and not path.is_dir():
        raise OutputError(f"{path}: is a file: give the path of a folder")
    _check_parent(path)


def _check_parent(path: Path) -> None:
    """Try to create something in the closest parent folder that exists."""
    with writing(path):
        there = next((parent for parent in path.absolute().parents if parent.exists()), path)  # / has no parent
        os.rmdir(tempfile.mkdtemp(prefix=PREFIX, dir=there))


class AtomicFile:
    """A file written beside `path`: `commit` puts it in its place, `discard` removes it."""

    def __init__(self, path: Path) -> None:
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=PREFIX, suffix=f"-{path.name}", dir=path.parent)
        self.path, self.temporary = path, Path(name)
        self.file: IO[bytes] = os.fdopen(handle, "wb")

    def commit(self) -> None:
        try:
            if not self.file.closed:
                self.file.flush()
                os.fsync(self.file.fileno())
                self.file.close()
            os.chmod(self.temporary, 0o666 & ~_umask())
            os.replace(self.temporary, self.path)
        except BaseException:
            self.discard()
            raise

    def discard(self) -> None:
        with suppress(OSError):  # a full disk has no room for what is still in memory
            self.file.close()
        self.temporary.unlink(missing_ok=True)


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write that replaces `path` at the end, unless something went wrong."""
    output = AtomicFile(path)
    with writing(path):
        try:
            yield output.file
        except BaseException:
            output.discard()
            raise
        output.commit()


@contextmanager
def replacing_path(path: Path) -> Iterator[Path]:
    """The same for writers that open their file themselves: the name of an empty file."""
    output = AtomicFile(path)
    output.file.close()
    with writing(path):
        try:
            yield output.temporary
            _sync(output.temporary)
        except BaseException:
            output.discard()
            raise
        output.commit()


@contextmanager
def new_folder(path: Path, *, replace: bool = False) -> Iterator[Path]:
    """A folder to fill that becomes `path` at the end. `path` must not exist or be empty, unless `replace` is set.

    Folders cannot be swapped atomically: a process killed between two renames leaves the old one under its
    temporary name.
    """
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        filled = Path(tempfile.mkdtemp(prefix=PREFIX, suffix=f"-{path.name}", dir=path.parent))
        try:
            yield filled
            for file in filled.iterdir():
                _sync(file)
            os.chmod(filled, 0o777 & ~_umask())
            with _moved_away(path) if replace and path.exists() else nullcontext():
                if os.name == "nt" and path.is_dir():
                    path.rmdir()  # elsewhere an empty folder is replaced
                os.rename(filled, path)
            _sync(path.parent)
        except BaseException:
            shutil.rmtree(filled, ignore_errors=True)
            raise


@contextmanager
def _moved_away(path: Path) -> Iterator[None]:
    """Move `path` out of the way; it is removed at the end, or moved back if something went wrong."""
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
    """Remove what killed writers left in a folder. Call it only if no other process writes there."""
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
    """Flush to disk, so that a name is never visible before its contents."""
    if os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
