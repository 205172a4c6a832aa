"""A cache of converted weights: a file per model and recipe; the least recently used is removed first."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..core.atomic import PREFIX
from ..core.home import home
from ..core.sizes import parse_bytes
from .errors import FormatError
from .packed_file import PackedFile

LIMIT = "WGPT_CACHE_LIMIT"
_DEFAULT_LIMIT = 20 << 30
_SUFFIX = ".weights"
_STALE_S = 3600  # seconds: an unfinished file not written to for this long was left by a killed process


@dataclass(frozen=True)
class ConvertedModel:
    """A file of the cache."""

    path: Path
    model: str  # the path of the model's files
    recipe: str
    files: list[list[object]]  # their version when the weights were converted
    nbytes: int
    used: float  # seconds since 1970

    @property
    def name(self) -> str:
        """The name by which it can be removed."""
        return self.path.stem[:12]


def folder() -> Path:
    return home() / "converted"


def path_of(key: str) -> Path:
    return folder() / f"{key}{_SUFFIX}"


def limit() -> int:
    """The cache's limit in bytes; 0 turns it off."""
    text = os.environ.get(LIMIT, "").strip()
    if not text:
        return _DEFAULT_LIMIT
    return parse_bytes(text, LIMIT)


def entries() -> list[ConvertedModel]:
    """All complete files, the most recently used first."""
    return _latest_first(map(_entry, _finished()))


def _latest_first(files: Iterable[ConvertedModel | None]) -> list[ConvertedModel]:
    return sorted(filter(None, files), key=lambda entry: -entry.used)


def _entry(path: Path) -> ConvertedModel | None:
    try:
        file, status = PackedFile(path), path.stat()
        file.close()
    except (FormatError, OSError):  # damaged, or just removed by another process
        return None
    about = file.about
    return ConvertedModel(path, about["model"], about["recipe"], about["files"], status.st_size, status.st_mtime)


def mark_used(path: Path) -> None:
    with suppress(OSError):  # a cache that cannot be written to can be read
        os.utime(path)


def make_room(size: int, most: int) -> None:
    """Remove files until one of `size` bytes fits into `most`, and also damaged or abandoned ones."""
    files = {path: _entry(path) for path in _finished()}
    for path in [path for path, entry in files.items() if entry is None]:
        remove(path)
    left = most - size
    for entry in _latest_first(files.values()):
        left -= entry.nbytes
        if left < 0:
            remove(entry.path)
    for path in _unfinished():
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > _STALE_S:
                remove(path)


def drop_outdated(model: str, files: list[list[object]]) -> None:
    """Remove weights converted from files that have changed since."""
    for entry in entries():
        if entry.model == model and entry.files != files:
            remove(entry.path)


def clear(chosen: list[ConvertedModel] | None = None) -> int:
    """Remove these files, or all, including damaged and unfinished ones; returns the bytes freed."""
    if chosen is not None:
        return sum(remove(entry.path) for entry in chosen)
    return sum(remove(path) for path in _finished() | _unfinished())


def _finished() -> set[Path]:
    return {path for path in folder().glob(f"*{_SUFFIX}") if not path.name.startswith(PREFIX)}


def _unfinished() -> set[Path]:
    return set(folder().glob(f"{PREFIX}*"))


def remove(path: Path) -> int:
    """Remove a file and return the bytes freed: 0 if it is gone already, or (on Windows) in use."""
    try:
        size = path.stat().st_size
        path.unlink()
    except OSError:
        return 0
    return size
