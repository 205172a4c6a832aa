"""Where a model's weights come from: a checkpoint, streamed to the GPU in slabs of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..formats import Checkpoint, Stored
from ..gpu import GpuDevice, Tensor
from ..gpu.dtypes import from_bf16
from ..kernels.weighted import planes
from ..ops.linear import Weight
from ..ops.resident import Arena, Linear, Part, empty_weight, rows_per_part, slices_of
from ..quant.weights import Packed, WeightType, from_gguf_blocks, pack, unpack, weight_type

Named = tuple[str, int]  # a layer's name without ".weight", and its rows
Progress = Callable[[int, int, str], None]  # (bytes done, of how many, what)
Kinds = Callable[[str], WeightType]  # how a layer's matrix is kept, by its name without ".weight"
TABLES = ("model.embed_tokens", "wte", "wpe", "lm_head")  # a row per token or position, not layers of blocks
_SLAB = 32 << 20  # bytes of a matrix in host memory at a time


class Source(Protocol):
    """What a family asks for its weights."""

    def linear(self, k: int, *layers: Named, bias: bool = False) -> Linear:
        """W[N, K] of one layer, or of several that read the same input, their rows one after the other."""
        ...

    def vector(self, *names: Named) -> Tensor:
        """f32 vectors (norms), one after the other."""
        ...


def kinds_of(checkpoint: Checkpoint, dtype: str | None = None, table: str | None = None) -> Kinds:
    """As they came, or `dtype`; those in TABLES `table` if given, and as they came where `dtype` is for layers only."""
    layers = weight_type(dtype) if dtype else None
    tables = None if layers is not None and layers.layers_only else layers
    if table is not None:
        tables = weight_type(table)

    def kind(name: str) -> WeightType:
        wanted = tables if name in TABLES else layers
        return wanted or weight_type(checkpoint.tensors[f"{name}.weight"].type)

    return kind


def alike(layers: Sequence[Named], kinds: Kinds) -> list[tuple[WeightType, list[Named]]]:
    """Layers in their order, neighbours of one type together."""
    groups: list[tuple[WeightType, list[Named]]] = []
    for layer in layers:
        kind = kinds(layer[0])
        if groups and groups[-1][0] == kind:
            groups[-1][1].append(layer)
        else:
            groups.append((kind, [layer]))
    return groups


class FromCheckpoint:
    """Weights stay as they came, or are converted on the way, as kinds_of says."""

    def __init__(
        self,
        device: GpuDevice,
        checkpoint: Checkpoint,
        dtype: str | None = None,
        progress: Progress | None = None,
        table: str | None = None,
    ) -> None:
        self.arena = Arena(device)
        self._device, self._tensors, self._progress = device, checkpoint.tensors, progress
        self._kinds = kinds_of(checkpoint, dtype, table)
        self._done, self._total = 0, checkpoint.nbytes
        for stored in checkpoint.tensors.values():
            self._expect(stored)

    def _expect(self, stored: Stored) -> None:
        if len(stored.shape) == 1:
            self.arena.expect(4 * stored.shape[0])
            return
        (n, k), kind = stored.shape, self._kinds(stored.name.removesuffix(".weight"))
        self.arena.expect(4 * kind.words(n, k), 4 * kind.scale_words(n, k))

    def linear(self, k: int, *layers: Named, bias: bool = False) -> Linear:
        parts: list[Part] = []
        for kind, group in alike(layers, self._kinds):
            parts += self._parts(k, kind, group, bias)
        return Linear(tuple(parts), slices_of(layers))

    def _parts(self, k: int, kind: WeightType, group: list[Named], bias: bool) -> list[Part]:
        """Layers of one type as one part, or a long one as several."""
        n = sum(rows for _, rows in group)
        step = rows_per_part(self._device, kind, n, k)
        if len(group) > 1 and step < n:
            return [part for layer in group for part in self._parts(k, kind, [layer], bias)]
        biases = self._read_vectors([f"{name}.bias" for name, _ in group]) if bias else None
        if len(group) > 1:
            whole = self._joined(group, kind)
            weight = empty_weight(self.arena, kind, n, k, group[0][0])
            self._write(weight, whole, 0)
            return [Part(weight, self._upload(biases, group[0][0]) if biases is not None else None)]
        name, parts = group[0][0], []
        for lo in range(0, n, step):
            hi = min(n, lo + step)
            weight = empty_weight(self.arena, kind, hi - lo, k, name)
            slab = kind.whole_rows * max(1, _SLAB // kind.nbytes(kind.whole_rows, k))
            for first in range(lo, hi, slab):
                self._write(weight, packed(*self._rows(name, first, min(hi, first + slab)), kind), first - lo)
            own = None if biases is None else self._upload(biases[lo:hi], f"{name}.bias")
            parts.append(Part(weight, own))
        return parts

    def _joined(self, group: list[Named], kind: WeightType) -> Packed:
        """Whole layers, their rows one after the other."""
        if kind.group > 1:
            return pack(np.concatenate([values(*self._rows(name, 0, rows)) for name, rows in group]), kind.name)
        return Packed.concat([packed(*self._rows(name, 0, rows), kind) for name, rows in group])

    def _rows(self, name: str, lo: int, hi: int) -> tuple[NDArray[Any], Stored]:
        stored = self._tensors[f"{name}.weight"]
        rows = stored.rows(lo, hi)
        if self._progress is not None:
            self._done += rows.nbytes
            self._progress(self._done, self._total, name)
        return rows, stored

    def _write(self, weight: Weight, slab: Packed, first: int) -> None:
        """Rows from `first` on; slabs begin where planes have whole words."""
        offsets = {"w": weight.type.words(first, weight.k), "s": weight.type.scale_words(first, weight.k)}
        for plane, array in planes(slab).items():
            window = weight.planes[plane].window(offsets[plane], array.size)
            self._device.write(window, array.reshape(-1))

    def vector(self, *names: Named) -> Tensor:
        return self._upload(self._read_vectors([name for name, _ in names]), names[0][0])

    def _read_vectors(self, names: list[str]) -> NDArray[np.float32]:
        found = []
        for name in names:
            stored = self._tensors[name]
            self._done += stored.nbytes
            found.append(floats(stored.rows(0, stored.shape[0])))
        return np.concatenate(found)

    def _upload(self, array: NDArray[np.float32], label: str) -> Tensor:
        tensor = self.arena.tensor(array.shape, "f32", label)
        self._device.write(tensor, array)
        return tensor


def floats(rows: NDArray[Any]) -> NDArray[np.float32]:
    """f32 of unquantised rows; bf16 comes as uint16."""
    return from_bf16(rows) if rows.dtype == np.uint16 else rows.astype(np.float32)


def packed(rows: NDArray[Any], stored: Stored, kind: WeightType) -> Packed:
    """Rows of a checkpoint in the GPU's layout, in their own bits unless `kind` is another type."""
    n, k = rows.shape[0], stored.shape[1]
    if kind.name == stored.type:
        if stored.quantised:
            return from_gguf_blocks(rows, kind.name, n, k)
        if k % kind.chunk == 0:
            words = np.ascontiguousarray(rows).view(np.uint32).reshape(n, -1)
            return Packed(kind, n, k, words, np.zeros(0, np.uint32))
    return pack(values(rows, stored), kind.name)


def values(rows: NDArray[Any], stored: Stored) -> NDArray[np.floating]:
    """What rows of a matrix stand for."""
    if stored.quantised:
        return unpack(from_gguf_blocks(rows, stored.type, len(rows), stored.shape[1]))
    return floats(rows)
