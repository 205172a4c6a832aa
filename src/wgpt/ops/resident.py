"""Weights that stay on a GPU: windows of few large buffers, and matrices split where one binding is too small."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from ..gpu import Buffer, GpuDevice, Tensor
from ..gpu.dtypes import itemsize
from ..quant.weights import WeightType
from .linear import Weight

_BLOCK = 1 << 30  # bytes of a buffer, where the adapter allows it


class Arena:
    """Hands out windows of large buffers: each buffer that a Program binds costs CPU time at every replay.

    Buffers are as large as what was announced by `expect`.
    """

    def __init__(self, device: GpuDevice) -> None:
        self.device = device
        self._left = 0  # what is still to come, so that the last buffer is no larger than it needs to be
        self._align = device.limits["min-storage-buffer-offset-alignment"]
        self._buffers: list[Buffer] = []
        self._used = 0

    @property
    def nbytes(self) -> int:
        return sum(b.size for b in self._buffers)

    def expect(self, *sizes: int) -> None:
        """Announce tensors of these many bytes."""
        self._left += sum(map(self.aligned, sizes))

    def aligned(self, nbytes: int) -> int:
        return -(-nbytes // self._align) * self._align

    def tensor(self, shape: tuple[int, ...], dtype: str, label: str) -> Tensor:
        """Uninitialised memory of its own, not of a buffer's own."""
        need = self.aligned(math.prod(shape) * itemsize(dtype))
        if not self._buffers or self._used + need > self._buffers[-1].size:
            most = min(_BLOCK, self.device.limits["max-buffer-size"]) // self._align * self._align
            size = max(need, min(self._left, most))
            self._buffers.append(self.device.buffer(size, f"{label} ..."))
            self._used = 0
        found = Tensor(self._buffers[-1], shape, dtype, self._used)
        self._used += need
        self._left -= need
        return found

    def release(self) -> None:
        for buffer in self._buffers:
            buffer.release()
        self._buffers = []


@dataclass(frozen=True, eq=False)
class Part:
    """Some rows of a linear layer."""

    weight: Weight
    bias: Tensor | None = None


class Slice(NamedTuple):
    """The rows of one of the layers that a Linear joins."""

    name: str
    at: int
    n: int


def slices_of(layers: Sequence[tuple[str, int]]) -> tuple[Slice, ...]:
    """Layers (name, rows) one after the other."""
    ends = accumulate(rows for _, rows in layers)
    return tuple(Slice(name, end - rows, rows) for (name, rows), end in zip(layers, ends, strict=True))


@dataclass(frozen=True, eq=False)
class Linear:
    """W[N, K] and maybe a bias; several parts, their rows one after the other, where types or limits ask for it.

    `slices` are the layers by name: q, k and v may be one Linear, and each may have an adapter.
    """

    parts: tuple[Part, ...]
    slices: tuple[Slice, ...] = ()

    @property
    def n(self) -> int:
        return sum(part.weight.n for part in self.parts)

    @property
    def k(self) -> int:
        return self.parts[0].weight.k

    @property
    def biased(self) -> bool:
        return self.parts[0].bias is not None


def rows_per_part(device: GpuDevice, kind: WeightType, n: int, k: int) -> int:
    """Rows that one binding holds: all of them, or a multiple of those at which every plane is whole words."""
    limit = device.limits["max-storage-buffer-binding-size"]
    if 4 * max(kind.words(n, k), kind.scale_words(n, k)) <= limit:
        return n
    whole = kind.whole_rows
    most = limit // (4 * max(kind.words(whole, k), kind.scale_words(whole, k))) * whole
    if most == 0:
        raise ValueError(f"{whole} rows of {k} {kind.name} weights exceed the {limit} bytes that one binding holds")
    return most


def empty_weight(arena: Arena, kind: WeightType, n: int, k: int, label: str) -> Weight:
    """W[N, K] without contents."""
    planes = {"w": arena.tensor((kind.words(n, k),), "u32", f"{label}.w")}
    if kind.scale_bits:
        planes["s"] = arena.tensor((kind.scale_words(n, k),), "u32", f"{label}.s")
    return Weight(kind, n, k, planes)
