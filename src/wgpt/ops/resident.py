"""Weights that stay on a GPU: windows of few large buffers, and matrices split if one binding is too small."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from ..gpu import Buffer, GpuDevice, Tensor
from ..gpu.dtypes import itemsize
from ..quant.weights import WeightType
from .weight import Weight

_BLOCK = 1 << 30  # bytes of a buffer, if the GPU allows it


class Arena:
    """Hands out windows of large buffers: each buffer that a Program binds costs CPU time at every replay.

    Buffers are sized by what was announced with `expect`.
    """

    def __init__(self, device: GpuDevice) -> None:
        self.device = device
        self._left = 0  # announced bytes still to come, so that the last buffer is not too large
        self._align = device.limits["min-storage-buffer-offset-alignment"]
        self._buffers: list[Buffer] = []
        self._used: list[int] = []  # bytes of each

    @property
    def nbytes(self) -> int:
        return sum(b.size for b in self._buffers)

    def expect(self, *sizes: int) -> None:
        """Announce tensors of these sizes in bytes."""
        self._left += sum(map(self.aligned, sizes))

    def aligned(self, nbytes: int) -> int:
        return -(-nbytes // self._align) * self._align

    def tensor(self, shape: tuple[int, ...], dtype: str, label: str) -> Tensor:
        """Uninitialised memory inside one of the arena's buffers."""
        need = self.aligned(math.prod(shape) * itemsize(dtype))
        gaps = [buffer.size - used for buffer, used in zip(self._buffers, self._used, strict=True)]
        at = next((i for i, gap in enumerate(gaps) if need <= gap), len(gaps))
        if at == len(gaps):
            most = min(_BLOCK, self.device.limits["max-buffer-size"]) // self._align * self._align
            size = max(need, min(self._left - sum(gaps), most))  # later tensors may fit into the gaps
            if 2 * need > most:  # a large gap behind it would fit none like it
                size = need
            self._buffers.append(self.device.buffer(size, f"{label} ..."))
            self._used.append(0)
        tensor = Tensor(self._buffers[at], shape, dtype, self._used[at])
        self._used[at] += need
        self._left -= need
        return tensor

    def block(self, i: int) -> AbstractContextManager[None]:
        """Tensors that are allocated within belong to a model's i-th block."""
        return nullcontext()

    def home(self, tensor: Tensor) -> Tensor:
        """The memory to write a tensor's contents to: see streaming.py."""
        return tensor

    def release(self) -> None:
        for buffer in self._buffers:
            buffer.release()
        self._buffers, self._used = [], []


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
    """The slices of joined layers (name, rows)."""
    ends = accumulate(rows for _, rows in layers)
    return tuple(Slice(name, end - rows, rows) for (name, rows), end in zip(layers, ends, strict=True))


@dataclass(frozen=True, eq=False)
class Linear:
    """W[N, K] with an optional bias, in several parts of rows if types or limits require it.

    `slices` are the layers by name: q, k and v may be one Linear, and each may have a LoRA.
    `scale` and `cap` are a head's: logits are cap tanh(scale x . W^T / cap), or without a cap if it is 0.
    """

    parts: tuple[Part, ...]
    slices: tuple[Slice, ...] = ()
    scale: float = 1.0
    cap: float = 0.0

    @property
    def n(self) -> int:
        return sum(part.weight.n for part in self.parts)

    @property
    def k(self) -> int:
        return self.parts[0].weight.k

    @property
    def biased(self) -> bool:
        return self.parts[0].bias is not None


def empty_weight(arena: Arena, kind: WeightType, n: int, k: int, label: str) -> Weight:
    """W[N, K] without contents."""
    planes = {"w": arena.tensor((kind.words(n, k),), "u32", f"{label}.w")}
    if kind.scale_bits:
        planes["s"] = arena.tensor((kind.resident_scale_words(n, k),), "u32", f"{label}.s")
    return Weight(kind, n, k, planes)
