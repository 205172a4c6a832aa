"""LoRA adapters for inference: any number of them in one buffer, so that each row of a step may use another.

Their layout is described in kernels/products/lora_layout.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.errors import PreconditionError
from ..core.sizes import readable_bytes
from ..gpu import AllocationError, GpuDevice, Tensor
from ..gpu.bindings import most_bytes
from ..kernels.products import lora_layout as layout
from .resident import Linear, Slice

F32 = NDArray[np.float32]
Factors = Mapping[str, tuple[F32, F32, float]]  # by layer: A[r, K], B[N, r], scale
_QUAD = 16  # bytes


@dataclass(frozen=True, eq=False)
class LoraGroup:
    """What a projection needs to use the adapters of its rows."""

    slices: tuple[Slice, ...]
    k: int
    at: int  # its entry among those of an adapter, in quads
    quads: int  # room for A x of a row

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(s.n for s in self.slices)


class LoraPool:
    """GPU memory of `capacity` bytes for LoRA adapters of the given layers, with ranks up to `rank`.

    Programs that were recorded with a pool use every adapter that is in it when they run: `add` and `remove` change
    only its contents. An adapter that does not fit (`lacks`) needs a larger pool, and Programs recorded with that.

    >>> pool = LoraPool(device, network.adaptable, capacity=256 << 20, rank=64)     # doctest: +SKIP
    >>> pirate = pool.add(read_lora("pirate-lora").targets)                         # its index; 0 means no adapter
    >>> Forward(backend, rows, cache, loras=(pool, indices))                         # indices: u32 [M], one per row
    >>> pool.remove(pirate)                                                         # once no row uses it
    """

    def __init__(
        self, device: GpuDevice, layers: Iterable[Linear], capacity: int, rank: int = 64, adapters: int = 63
    ) -> None:
        if not 1 <= rank <= layout.MOST_RANK:
            raise PreconditionError(f"LoRA ranks from 1 to {layout.MOST_RANK} are supported, not {rank}")
        layers = [layer for layer in layers if layer.slices]
        wide = next((layer for layer in layers if len(layer.slices) > layout.MOST_SLICES), None)
        if wide is not None or not layers:
            names = ", ".join(s.name for s in wide.slices) if wide else "none"
            raise PreconditionError(f"a pool needs projections of 1 to {layout.MOST_SLICES} layers, not {names}")
        self.device, self.rank = device, rank
        apart = max(1, device.limits["min-storage-buffer-offset-alignment"] // _QUAD)
        self._entries = np.zeros((adapters + 1, len(layers) + 1, apart, 4), np.uint32)
        first = self._entries.size // 4  # the quad where factors begin
        size = first + -(-capacity // _QUAD)
        if size * _QUAD > most_bytes(device):
            limit = readable_bytes(most_bytes(device))
            raise AllocationError(f"LoRA pool: {readable_bytes(size * _QUAD)} exceed the {limit} of one binding")
        # WebGPU clears new buffers, so the table begins without quads.
        self.flat = device.empty((size, 4), "f32", "LoRA adapters")
        self.table = Tensor(self.flat.buffer, (adapters + 1, (len(layers) + 1) * apart, 4), "u32")
        self.apart = apart  # quads from a group's entry to the next
        self._groups: dict[str, int] = {}  # by the name of a slice
        self._layers: list[LoraGroup] = []
        for i, layer in enumerate(layers):
            quads = len(layer.slices) * layout.quads_of(rank)
            self._layers.append(LoraGroup(layer.slices, layer.k, i * apart, quads))
            self._groups |= {s.name: i for s in layer.slices}
        self._free = [(first, size)]  # spans of quads, in order
        self._spans: dict[int, list[tuple[int, int]]] = {}  # of each adapter

    @classmethod
    def holding(cls, device: GpuDevice, layers: Iterable[Linear], factors: Factors) -> LoraPool:
        """A pool for exactly one adapter, which has index 1, and for the layers that it adapts."""
        used = [layer for layer in layers if any(s.name in factors for s in layer.slices)]
        rank = max((a.shape[0] for a, _, _ in factors.values()), default=0)
        pool = cls(device, used, nbytes_of(factors), rank, adapters=1)
        pool.add(factors)
        return pool

    @property
    def nbytes(self) -> int:
        return self.flat.nbytes

    @property
    def free_bytes(self) -> int:
        """Bytes for further adapters, perhaps in several places."""
        return _QUAD * sum(end - at for at, end in self._free)

    @property
    def indices(self) -> list[int]:
        """The indices of all adapters."""
        return sorted(self._spans)

    def group(self, layer: Linear) -> LoraGroup | None:
        """What the projection needs; None if no adapter of this pool can change it."""
        i = self._groups.get(layer.slices[0].name) if layer.slices else None
        return None if i is None else self._layers[i]

    def lacks(self, factors: Factors) -> str:
        """Why an adapter does not fit; empty if it does."""
        for name, (a, _, _) in factors.items():
            if name not in self._groups:
                return f"{name} is not among its layers"
            if a.shape[0] > self.rank:
                return f"rank {a.shape[0]} of {name} exceeds its {self.rank}"
        if len(self._spans) + 1 == len(self._entries):
            return f"it has {len(self._spans)} adapters, as many as it was created for"
        return "" if self._placed(factors) else f"{readable_bytes(nbytes_of(factors))} do not fit into what is free"

    def add(self, factors: Factors) -> int:
        """Upload an adapter; returns its index. Raises AllocationError if it does not fit."""
        reason = self.lacks(factors)
        if reason:
            raise AllocationError(f"the LoRA pool of {readable_bytes(self.nbytes)} is too small: {reason}")
        index = next(i for i in range(1, len(self._entries)) if i not in self._spans)
        spans, self._free = self._placed(factors) or ([], self._free)
        self._spans[index] = [span for _, span in spans]
        for i, (at, end) in spans:
            a, b, ranks = _packed(self._layers[i], factors)
            self._entries[index, i, 0] = layout.entry_of(at, at + len(a), ranks, end - at)
            self.device.write(Tensor(self.flat.buffer, (end - at, 4), "f32", at * _QUAD), np.concatenate([a, b]))
        self._write_table()
        return index

    def remove(self, index: int) -> None:
        """Free an adapter's memory and index. Rows that still have it run without an adapter until it is reused."""
        for span in self._spans.pop(index):
            self._free = _joined(self._free, span)
        self._entries[index] = 0
        self._write_table()

    def _write_table(self) -> None:
        self.device.write(self.table, self._entries.reshape(self.table.shape))

    def _placed(self, factors: Factors) -> tuple[list[tuple[int, tuple[int, int]]], list[tuple[int, int]]] | None:
        """A span for each group that the adapter changes, and what is then free; None if one finds no place."""
        free, spans = list(self._free), []
        for i in sorted({self._groups[name] for name in factors}):
            need = sum(_quads(*factors[s.name][:2]) for s in self._layers[i].slices if s.name in factors)
            at = next((j for j, (begin, end) in enumerate(free) if end - begin >= need), None)
            if at is None:
                return None
            begin, end = free[at]
            free[at : at + 1] = [(begin + need, end)] if begin + need < end else []
            spans.append((i, (begin, begin + need)))
        return spans, free

    def release(self) -> None:
        self.flat.buffer.release()


def nbytes_of(factors: Factors) -> int:
    """GPU memory of an adapter in a pool, without the pool's table."""
    return _QUAD * sum(_quads(a, b) for a, b, _ in factors.values())


def _quads(a: F32, b: F32) -> int:
    return layout.quads_of(a.shape[0]) * (a.shape[1] + b.shape[0])


def _packed(group: LoraGroup, factors: Factors) -> tuple[F32, F32, Sequence[int]]:
    """A and B of a group as quads, and the ranks of its slices."""
    adapted = [factors.get(s.name) for s in group.slices]
    a = np.concatenate([layout.a_quads(f[0]).reshape(-1, 4) for f in adapted if f is not None])
    b = np.concatenate([layout.b_quads(f[1], f[2]).reshape(-1, 4) for f in adapted if f is not None])
    return a, b, [0 if f is None else f[0].shape[0] for f in adapted]


def _joined(free: list[tuple[int, int]], span: tuple[int, int]) -> list[tuple[int, int]]:
    """The free spans with one more; neighbours become one."""
    joined: list[tuple[int, int]] = []
    for at, end in sorted([*free, span]):
        if joined and joined[-1][1] == at:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((at, end))
    return joined
