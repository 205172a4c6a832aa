"""A model's weights from a checkpoint, copied to the GPU in slabs of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.progress import Progress
from ..formats import Checkpoint, Stored
from ..gpu import GpuDevice, Tensor
from ..gpu.bindings import most_bytes
from ..gpu.dtypes import from_bf16
from ..kernels.weighted import planes
from ..ops.resident import Arena, Linear, Part, empty_weight, slices_of
from ..ops.weight import Weight, rows_per_part
from ..quant.weights import Packed, WeightType, from_gguf_blocks, pack, pack_expanded, stacked_type, unpack, weight_type
from .config import Config
from .converted import ConvertedWeights, Kinds, is_kept
from .finite_check import FiniteCheck, Rows
from .group_scales import GroupScales
from .weight_recipe import WeightRecipe
from .weight_source import Named

_SLAB = 32 << 20  # bytes of a matrix in host memory at once


def kinds_of(checkpoint: Checkpoint, dtype: str | None = None, table: str | None = None) -> Kinds:
    """The type in which each matrix is stored on the GPU, by the recipe `dtype`; see `recipe_kinds`."""
    asked = recipe_kinds(checkpoint, dtype, table)

    def kind_of(name: str) -> WeightType:
        stored = checkpoint.tensors[f"{name}.weight"]
        n, k = stored.shape
        return stacked_type(asked(name), stored.matrices, n // stored.matrices, k)

    return kind_of


def recipe_kinds(checkpoint: Checkpoint, dtype: str | None = None, table: str | None = None) -> Kinds:
    """Types by the recipe `dtype` (weight_recipe.py), and `table` for embedding and head; else as in the file."""
    type_of = WeightRecipe.parse(dtype, table).types(Config.of(checkpoint.config))
    return lambda name: type_of(name) or weight_type(checkpoint.tensors[f"{name}.weight"].type)


def converted_weights(
    device: GpuDevice, checkpoint: Checkpoint, dtype: str | None = None, table: str | None = None
) -> ConvertedWeights:
    """The cache of the weights that a load with this recipe converts."""
    recipe = str(WeightRecipe.parse(dtype, table))
    return ConvertedWeights(checkpoint, recipe, kinds_of(checkpoint, dtype, table), most_bytes(device))


def alike(k: int, layers: Sequence[Named], kinds: Kinds) -> list[tuple[WeightType, list[Named]]]:
    """Layers in order, adjacent ones of the same type grouped, unless they would share a group of scales."""
    groups: list[tuple[WeightType, list[Named]]] = []
    for layer in layers:
        kind = kinds(layer[0])
        if groups and groups[-1][0] == kind and kind.ends_with_a_group(groups[-1][1][-1][1], k):
            groups[-1][1].append(layer)
        else:
            groups.append((kind, [layer]))
    return groups


class Cut(NamedTuple):
    """A part of a Linear: all rows of several layers of one type, or rows lo .. hi of one."""

    kind: WeightType
    layers: list[Named]
    lo: int
    hi: int


def cuts(device: GpuDevice, k: int, layers: Sequence[Named], kinds: Kinds) -> Iterator[Cut]:
    """Split layers with the same input into parts of one type that fit into a binding."""
    for kind, group in alike(k, layers, kinds):
        n = sum(rows for _, rows in group)
        if rows_per_part(device, kind, n, k) >= n:
            yield Cut(kind, group, 0, n)
            continue
        for name, rows in group:
            step = rows_per_part(device, kind, rows, k)
            yield from (Cut(kind, [(name, rows)], lo, min(rows, lo + step)) for lo in range(0, rows, step))


class FromCheckpoint:
    """Weights keep their type, or are converted during loading, according to kinds_of."""

    def __init__(
        self,
        device: GpuDevice,
        checkpoint: Checkpoint,
        dtype: str | None = None,
        progress: Progress | None = None,
        table: str | None = None,
        expected: int = 0,
        arena: Arena | None = None,
        converted: ConvertedWeights | None = None,
    ) -> None:
        """`converted`: shared with other sources; the owner finishes it."""
        self.arena = arena or Arena(device)
        self.arena.expect(expected)  # size of all weights in bytes
        self._device, self._tensors, self._progress = device, checkpoint.tensors, progress
        self._kinds, self._asked = kinds_of(checkpoint, dtype, table), recipe_kinds(checkpoint, dtype, table)
        self._finite, self._scales = FiniteCheck(device, checkpoint), GroupScales(values)
        self._done, self._total = 0, checkpoint.nbytes
        self._owner = converted is None
        self.converted = converted or converted_weights(device, checkpoint, dtype, table)

    def block(self, i: int) -> AbstractContextManager[None]:
        return self.arena.block(i)

    def linear(self, k: int, *layers: Named, bias: bool = False) -> Linear:
        parts = [self._part(k, cut, bias) for cut in cuts(self._device, k, layers, self._kinds)]
        return Linear(tuple(parts), slices_of(layers))

    def _part(self, k: int, cut: Cut, bias: bool) -> Part:
        kind, group, lo, hi = cut
        name = group[0][0]
        weight = empty_weight(self.arena, kind, hi - lo, k, name)
        home = replace(weight, planes={plane: self.arena.home(tensor) for plane, tensor in weight.planes.items()})
        if len(group) > 1:
            self._write(home, Packed.concat([self._packed(each, 0, rows, kind) for each, rows in group]), 0)
            self._finite.add(home, *(_rows_of(each, 0, rows) for each, rows in group))
        else:
            slab = kind.whole_rows * max(1, _SLAB // kind.nbytes(kind.whole_rows, k))
            for first in range(lo, hi, slab):
                self._write(home, self._packed(name, first, min(hi, first + slab), kind), first - lo)
            self._finite.add(home, _rows_of(name, lo, hi))
        if not bias:
            return Part(weight)
        biases = self._read_vectors([f"{each}.bias" for each, _ in group])[lo:hi]
        return Part(weight, self._upload(biases, f"{name}.bias"))

    def _packed(self, name: str, lo: int, hi: int, kind: WeightType) -> Packed:
        """Rows of one layer."""

        def convert() -> Packed:
            with self._finite.converting(_rows_of(name, lo, hi)):
                rows = stored.rows(lo, hi)
                if asked != kind:
                    scales = self._scales.expanded(stored, asked, lo, hi)
                    return pack_expanded(values(rows, stored), asked.name, scales)
                return packed(rows, stored, kind, self._scales.means(stored, kind, lo, hi))

        asked = self._asked(name)
        stored = self._tensors[f"{name}.weight"]
        if is_kept(stored, kind):
            slab = self.converted.slab(f"{name}[{lo}:{hi}]", kind, hi - lo, stored.shape[1], convert)
        else:
            slab = convert()
        self._advance(name, hi - lo)
        return slab

    @property
    def done(self) -> int:
        """How many bytes of the checkpoint have been read."""
        return self._done

    def _advance(self, name: str, rows: int) -> None:
        if self._progress is not None:
            stored = self._tensors[f"{name}.weight"]
            self._done += stored.nbytes // stored.shape[0] * rows
            self._progress(self._done, self._total, name)

    def _write(self, weight: Weight, slab: Packed, first: int) -> None:
        """Write rows from `first` on; slabs begin at whole words of the planes."""
        kind, arrays = weight.type, planes(slab)
        offsets = {"w": kind.words(first, weight.k), "s": kind.resident_scale_words(first, weight.k) if first else 0}
        if first and kind.head.size:  # the first slab has written it
            arrays["s"] = slab.s
        for plane, array in arrays.items():
            window = weight.planes[plane].window(offsets[plane], array.size)
            self._device.write(window, array.reshape(-1))

    def vector(self, *names: Named) -> Tensor:
        return self._upload(self._read_vectors([name for name, _ in names]), names[0][0])

    def _read_vectors(self, names: list[str]) -> NDArray[np.float32]:
        vectors = []
        for name in names:
            stored = self._tensors[name]
            self._done += stored.nbytes
            values = floats(stored.rows(0, stored.shape[0]))
            vectors.append(-np.exp(values) if stored.log else values + np.float32(stored.less))
            self._finite.vector(name, vectors[-1])
        return np.concatenate(vectors)

    def finish(self) -> None:
        """After all weights: refuse NaN and Inf, and save the converted weights."""
        try:
            self._finite.finish()
        except BaseException:
            self.discard()
            raise
        if self._owner:
            self.converted.finish()

    def discard(self) -> None:
        """Drop the converted weights; call it if loading failed."""
        if self._owner:
            self.converted.discard()

    def _upload(self, array: NDArray[np.float32], label: str) -> Tensor:
        tensor = self.arena.tensor(array.shape, "f32", label)
        self._device.write(self.arena.home(tensor), array)
        return tensor


def _rows_of(name: str, lo: int, hi: int) -> Rows:
    """Rows of a layer's matrix."""
    return Rows(f"{name}.weight", lo, hi)


def floats(rows: NDArray[Any]) -> NDArray[np.float32]:
    """Unquantised rows as f32; bf16 is stored as uint16."""
    return from_bf16(rows) if rows.dtype == np.uint16 else rows.astype(np.float32)


def packed(rows: NDArray[Any], stored: Stored, kind: WeightType, means: NDArray[np.float32] | None = None) -> Packed:
    """Rows of a checkpoint in the GPU's layout, without conversion if `kind` is their type. `means`: for `pack`."""
    n, k = rows.shape[0], stored.shape[1]
    if kind.name == stored.type:
        if stored.quantised:
            return from_gguf_blocks(rows, kind.name, n, k)
        if k % kind.chunk == 0:
            words = np.ascontiguousarray(rows).view(np.uint32).reshape(n, -1)
            return Packed(kind, n, k, words, np.zeros(0, np.uint32))
    return pack(values(rows, stored), kind.name, means)


def values(rows: NDArray[Any], stored: Stored) -> NDArray[np.floating]:
    """The values of a matrix's rows."""
    if stored.quantised:
        return unpack(from_gguf_blocks(rows, stored.type, len(rows), stored.shape[1]))
    return floats(rows)
