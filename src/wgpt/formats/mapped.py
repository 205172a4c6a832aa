"""A memory-mapped file, from which tensors are read."""

from __future__ import annotations

import mmap
import os
import stat
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .errors import FormatError


class Mapped:
    """A read-only memory map. After `close` nothing more can be read; arrays returned before stay valid."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            # Non-blocking: opening a named pipe must not hang before its type is checked.
            fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        except (OSError, ValueError) as e:
            raise FormatError(f"{path}: cannot be opened: {reason(e)}") from e
        try:
            status = os.fstat(fd)
            if not stat.S_ISREG(status.st_mode):
                raise self.error("is not a regular file")
            if not status.st_size:
                raise self.error("is empty (0 bytes): download it again")
            self.size = status.st_size
            self.version = version_of(status)
            # np.frombuffer keeps the map; it is freed with the last array.
            self._data: NDArray[np.uint8] | None = np.frombuffer(mmap.mmap(fd, 0, access=mmap.ACCESS_READ), np.uint8)
        except (OSError, ValueError) as e:
            raise FormatError(f"{path}: cannot be mapped into memory: {reason(e)}") from e
        finally:
            os.close(fd)

    @property
    def data(self) -> NDArray[np.uint8]:
        if self._data is None:
            raise self.error("is closed: open the checkpoint again to read its tensors")
        return self._data

    @property
    def closed(self) -> bool:
        return self._data is None

    def close(self) -> None:
        self._data = None

    def error(self, message: str) -> FormatError:
        return FormatError(f"{self.path}: {message}")


def version_of(status: os.stat_result) -> tuple[int, int, int]:
    """Identifies a file's contents: changes when the file is replaced or written to (its inode, size and times)."""
    return status.st_ino, status.st_size, status.st_mtime_ns


def reason(e: Exception) -> str:
    return (e.strerror if isinstance(e, OSError) else None) or str(e)


def impostor(head: bytes) -> str | None:
    """What a file really is, from its first bytes, if it is a common mistake such as an HTML page."""
    start = head[:512].lstrip().lower()
    if head.startswith(b"version https://git-lfs"):
        return "is a Git LFS pointer, not the model itself: fetch it with `git lfs pull`, or download the file"
    if start.startswith((b"<!doctype html", b"<html")):
        return "is an HTML page, not a model: the download went to a web page; use the file's direct link"
    if head.startswith(b"PK\x03\x04"):
        return "is a zip archive (PyTorch's .bin and .pt are), which is unsupported: use the safetensors or GGUF file"
    if not head.strip(b"\0"):
        return f"begins with {len(head)} zero bytes: an unfinished download; download it again"
    return None
