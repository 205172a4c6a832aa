"""Reads converted weights from the cache, or writes them to it while a model is loaded."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from ..core.sizes import readable_bytes
from ..formats import Checkpoint, FormatError, Stored, weight_cache
from ..formats.mapped import version_of
from ..formats.packed_file import PackedFile, PackedWriter
from ..quant.weights import PACKING_VERSION, Packed, WeightType

Kinds = Callable[[str], WeightType]  # by a matrix's name without ".weight": its type


class ConvertedWeights:
    """`slab` reads rows from the cache or converts them. `finish` saves the converted ones, `discard` drops them."""

    def __init__(self, checkpoint: Checkpoint, recipe: str, kinds: Kinds, binding: int) -> None:
        """`binding`: the largest binding on the GPU in bytes, which determines the slabs."""
        self._checkpoint, self._recipe = checkpoint, recipe
        self._file: PackedFile | None = None
        self._writer: PackedWriter | None = None
        types = {stored.name: kinds(stored.name.removesuffix(".weight")) for stored in _matrices(checkpoint)}
        sizes = [types[s.name].nbytes(*s.shape) for s in _matrices(checkpoint) if is_kept(s, types[s.name])]
        self._limit = weight_cache.limit() if sizes else 0
        if self._limit:
            names = {name: kind.name for name, kind in types.items()}
            versions = {kind.name: kind.version for kind in types.values() if kind.version}
            self._open([names, binding, *([versions] if versions else [])], sum(sizes))

    def _open(self, facts: list[object], size: int) -> None:
        self._files: list[list[object]] = [
            [os.path.realpath(file.path), *file.version] for file in self._checkpoint.files
        ]
        versions = [PACKING_VERSION, version("gguf")]  # the gguf package provides some of the quantisers
        key = json.dumps([versions, self._files, self._recipe, facts])
        path = weight_cache.path_of(hashlib.sha256(key.encode()).hexdigest()[:32])
        try:
            self._file = PackedFile(path)
        except FormatError:
            self._file = None
        if self._file is not None:
            weight_cache.mark_used(path)
        else:
            self._begin(path, size)

    def _begin(self, path: Path, size: int) -> None:
        """Write a new file, if the limit and the disk allow it."""
        if size > self._limit:
            _warn(f"they take {readable_bytes(size)}, but {weight_cache.LIMIT} is {readable_bytes(self._limit)}")
            return
        model = os.path.realpath(self._checkpoint.path)
        about = {"model": model, "recipe": self._recipe, "files": self._files}
        try:
            weight_cache.drop_outdated(model, self._files)
            weight_cache.make_room(size, self._limit)
            path.parent.mkdir(parents=True, exist_ok=True)
            free = shutil.disk_usage(path.parent).free
            if free < size:
                _warn(f"they take {readable_bytes(size)}, but {path.parent} has {readable_bytes(free)} free")
                return
            self._writer = PackedWriter(path, about)
        except OSError as e:
            self._give_up(e)

    def slab(self, name: str, kind: WeightType, n: int, k: int, convert: Callable[[], Packed]) -> Packed:
        """Rows [n, k], under a name that identifies them."""
        cached = None if self._file is None else self._file.slab(name, kind, n, k)
        if cached is not None:
            return cached
        packed = convert()
        if self._writer is not None:
            try:
                self._writer.add(name, packed)
            except OSError as e:
                self._give_up(e)
        return packed

    def finish(self) -> None:
        """Save the cache; call it when the model is loaded."""
        if self._file is not None:
            self._file.close()
            if self._file.damaged:  # the next load writes a new file
                weight_cache.remove(self._file.path)
        if self._writer is not None:
            if not self._unchanged():
                self._writer.discard()
                return
            try:
                self._writer.commit()
                weight_cache.make_room(0, self._limit)  # other processes may have written in the meantime
            except OSError as e:
                self._give_up(e)

    def discard(self) -> None:
        if self._file is not None:
            self._file.close()
        if self._writer is not None:
            self._writer.discard()

    def _unchanged(self) -> bool:
        """Whether the model's files have not changed since they were opened; otherwise nothing is saved."""
        try:
            return all(version_of(os.stat(file.path)) == file.version for file in self._checkpoint.files)
        except OSError:
            return False

    def _give_up(self, e: OSError) -> None:
        if self._writer is not None:
            self._writer.discard()
            self._writer = None
        _warn(e.strerror or str(e))


def is_kept(stored: Stored, kind: WeightType) -> bool:
    """Whether the converted rows are worth caching: always, except f16 or bf16 converted to f32."""
    return stored.type != kind.name and (stored.quantised or kind.name != "f32")


def _matrices(checkpoint: Checkpoint) -> list[Stored]:
    return [stored for stored in checkpoint.tensors.values() if len(stored.shape) == 2]


def _warn(reason: str) -> None:
    warnings.warn(f"the converted weights are not cached in {weight_cache.folder()}: {reason}", stacklevel=2)
