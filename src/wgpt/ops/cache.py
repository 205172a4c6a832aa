"""The KV cache: keys and values of every layer, sequence and position, on the GPU."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..gpu import GpuDevice, PreconditionError, Tensor
from ..gpu.arguments import one_of
from ..kernels.attention import cache_types
from ..kernels.attention.attending import PAGE, table_width
from .resident import Arena

DTYPES = cache_types.CACHES


def check_cache(dtype: str, head_dim: int) -> None:
    """Refuse a type of cache that does not exist, or that cannot store heads of this size."""
    reason = cache_types.refused(one_of("cache", dtype, DTYPES), head_dim)
    if reason is not None:
        raise PreconditionError(f"{reason}: use {' or '.join(cache_types.CONTIGUOUS)}")


def position_bytes(dtype: str, kv_heads: int, head_dim: int) -> int:
    """Bytes of the keys, or values, of one layer at one position."""
    return kv_heads * cache_types.TYPES[dtype].head_bytes(head_dim)


States = Sequence[Sequence[tuple[int, ...]]]  # of each layer that has some, the shapes of a sequence's


def state_bytes(states: States) -> int:
    """Bytes of a sequence's states."""
    return 4 * sum(math.prod(shape) for layer in states for shape in layer)


class _Layers:
    """k and v of each layer: [blocks, kv_heads, positions, head_dim], or as their type arranges them.

    They are never cleared: a row attends only to positions up to its own, all of which its sequence has written.
    """

    def __init__(
        self, device: GpuDevice, layers: int, kv_heads: int, head_dim: int, blocks: int, positions: int, dtype: str
    ) -> None:
        check_cache(dtype, head_dim)
        self.device, self.dtype = device, dtype
        self.states: list[tuple[Tensor, ...]] = []  # of the layers that have some: [slots, ...]
        kind = cache_types.TYPES[dtype]
        shape = kind.shape(blocks, kv_heads, positions, head_dim)
        each = blocks * positions * position_bytes(dtype, kv_heads, head_dim)
        # Keys and values are in different buffers: a dispatch that writes both must not bind one buffer twice.
        self._arenas = [Arena(device) for _ in range(2)]
        for arena in self._arenas:
            arena.expect(*[each] * layers)
        names = ("k", "v")
        self._layers: list[tuple[Tensor, Tensor]] = []
        try:
            for i in range(layers):
                k, v = (a.tensor(shape, kind.dtype, f"{n}{i}") for a, n in zip(self._arenas, names, strict=True))
                self._layers.append((k, v))
        except BaseException:
            self.release()
            raise

    @property
    def nbytes(self) -> int:
        return sum(arena.nbytes for arena in self._arenas) + sum(t.nbytes for layer in self.states for t in layer)

    def layer(self, i: int) -> tuple[Tensor, Tensor]:
        return self._layers[i]

    def release(self) -> None:
        for arena in self._arenas:
            arena.release()
        for tensor in (t for layer in self.states for t in layer):
            tensor.buffer.release()
        self.states = []


class KVCache(_Layers):
    """A contiguous cache for training: k and v of each layer are [slots, kv_heads, capacity, head_dim]."""

    pages = 0
    table: Tensor | None = None

    def __init__(
        self,
        device: GpuDevice,
        layers: int,
        kv_heads: int,
        head_dim: int,
        capacity: int,
        slots: int = 1,
        dtype: str = "f16",
    ) -> None:
        one_of("cache", dtype, cache_types.CONTIGUOUS)
        self.slots, self.capacity = slots, capacity
        super().__init__(device, layers, kv_heads, head_dim, slots, capacity, dtype)


class PagedCache(_Layers):
    """A pool of pages of PAGE positions; `table` [slots, pages of a sequence] says which pages a slot has.

    Sequences have up to `capacity` positions. Without a table, each slot gets its pages in order. `states`: what the
    layers without keys and values keep of each slot. They are never cleared: kernels do not read what is there at the
    beginning of a sequence.
    """

    def __init__(
        self,
        device: GpuDevice,
        layers: int,
        kv_heads: int,
        head_dim: int,
        capacity: int,
        slots: int = 1,
        dtype: str = "f16",
        *,
        pages: int | None = None,
        table: Tensor | None = None,
        states: States = (),
    ) -> None:
        self.slots, self.capacity = slots, capacity
        width = table_width(capacity)
        self.pages = slots * width if pages is None else pages
        self.table, self._own_table = table, table is None
        super().__init__(device, layers, kv_heads, head_dim, self.pages, PAGE, dtype)
        try:
            for shapes in states:
                self.states.append(tuple(device.empty((slots, *shape), "f32", "state") for shape in shapes))
        except BaseException:
            super().release()
            raise
        if table is None:
            order = np.arange(slots * width, dtype=np.uint32).reshape(slots, width)
            self.table = device.tensor(order, label="page table")

    def release(self) -> None:
        super().release()
        if self.table is not None and self._own_table:
            self.table.buffer.release()
