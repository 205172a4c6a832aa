"""Cuts the contents of buffers into files that a browser can fetch, verify and cache separately."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.progress import Progress

SHARD_BYTES = 32 << 20
_ALIGN = 256


class Shards:
    """Writes `FOLDER/NUMBER-HASH.bin`. Equal contents are written once: Programs for several GPUs share the weights."""

    def __init__(self, folder: Path, progress: Progress | None, expected: int) -> None:
        self._folder, self._progress, self._expected = folder, progress, expected
        self._places: dict[bytes, list[int]] = {}
        self._shard = bytearray()
        self.files: list[dict[str, Any]] = []
        self.bytes = 0

    def add(self, data: NDArray[np.uint8]) -> list[int]:
        """Add contents; returns [offset in the stream, bytes]."""
        digest = hashlib.sha256(data.data).digest()
        if digest not in self._places:
            self._append(bytes(-self.bytes % _ALIGN))
            self._places[digest] = [self.bytes, data.nbytes]
            self._append(data.data)
        return self._places[digest]

    def _append(self, data: bytes | memoryview) -> None:
        view = memoryview(data).cast("B") if len(data) else memoryview(b"")
        while len(view):
            part = view[: SHARD_BYTES - len(self._shard)]
            self._shard += part
            self.bytes += len(part)
            view = view[len(part) :]
            if len(self._shard) == SHARD_BYTES:
                self._write()
        if self._progress is not None:
            self._progress(min(self.bytes, self._expected), self._expected, "writing")

    def _write(self) -> None:
        digest = hashlib.sha256(self._shard).hexdigest()
        name = f"{len(self.files):04d}-{digest[:16]}.bin"
        (self._folder / name).write_bytes(self._shard)
        self.files.append({"file": f"{self._folder.name}/{name}", "bytes": len(self._shard), "sha256": digest})
        self._shard = bytearray()

    def finish(self) -> None:
        """Write the last file."""
        if self._shard:
            self._write()
