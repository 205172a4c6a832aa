"""Slabs of packed weights in one file, to be mapped into memory and written to a GPU as they are.

    magic, then the planes of each slab at multiples of 64 bytes, then an index (JSON), then its place and checksum

The file is read only if it is complete, and a slab only if its checksum matches.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.atomic import AtomicFile
from ..quant.weights import Packed, WeightType
from .errors import FormatError
from .mapped import Mapped

_MAGIC = b"wgpt\npk1"
_ALIGN = 64
_END = struct.Struct("<QI8s")  # the index's offset and checksum, and the magic again


class PackedWriter:
    """Writes to a temporary file; `commit` moves it to `path` when it is complete."""

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        self._output, self._about = AtomicFile(path), dict(about)
        self._slabs: dict[str, dict[str, Any]] = {}
        self._output.file.write(_MAGIC)

    def add(self, name: str, packed: Packed) -> None:
        slab: dict[str, Any] = {"type": packed.type.name, "n": packed.n, "k": packed.k}
        for plane, words in (("w", packed.w), ("s", packed.s)):
            file = self._output.file
            file.write(bytes(-file.tell() % _ALIGN))
            raw = np.ascontiguousarray(words).reshape(-1).view(np.uint8).data
            slab[plane] = [file.tell(), words.size, zlib.crc32(raw)]
            file.write(raw)
        self._slabs[name] = slab

    def commit(self) -> None:
        file = self._output.file
        at, index = file.tell(), json.dumps({"about": self._about, "slabs": self._slabs}).encode()
        file.write(index)
        file.write(_END.pack(at, zlib.crc32(index), _MAGIC))
        self._output.commit()

    def discard(self) -> None:
        self._output.discard()


class PackedFile:
    """Reads a file. Raises FormatError if it is incomplete. `damaged`: whether a slab was missing or had changed."""

    def __init__(self, path: Path) -> None:
        self.path, self._map = path, Mapped(path)
        self.damaged = False
        index = self._index()
        self.about: dict[str, Any] = index["about"]
        self._slabs: dict[str, dict[str, Any]] = index["slabs"]

    def _index(self) -> dict[str, Any]:
        data = self._map.data
        if bytes(data[: len(_MAGIC)]) == _MAGIC and len(data) >= len(_MAGIC) + _END.size:
            at, checksum, magic = _END.unpack(bytes(data[-_END.size :]))
            index = bytes(data[at : -_END.size])
            if magic == _MAGIC and zlib.crc32(index) == checksum:
                return dict(json.loads(index))
        raise FormatError(f"{self.path}: is not a file of packed weights, or is incomplete")

    def slab(self, name: str, kind: WeightType, n: int, k: int) -> Packed | None:
        """The slab; None if it is missing or damaged."""
        slab = self._slabs.get(name, {})
        if [slab.get(key) for key in ("type", "n", "k")] == [kind.name, n, k]:
            w, s = self._plane(*slab["w"]), self._plane(*slab["s"])
            if w is not None and s is not None:
                return Packed(kind, n, k, w.reshape(n, -1), s)
        self.damaged = True
        return None

    def _plane(self, at: int, words: int, checksum: int) -> NDArray[np.uint32] | None:
        raw = self._map.data[at : at + 4 * words]
        return raw.view(np.uint32) if zlib.crc32(raw.data) == checksum else None

    def close(self) -> None:
        self._map.close()
