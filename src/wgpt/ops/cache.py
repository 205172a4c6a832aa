"""The KV cache: keys and values of every layer, sequence and position, on the GPU."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..core.arguments import one_of
from ..core.errors import PreconditionError
from ..core.sizes import PAGE
from ..gpu import GpuDevice, Tensor
from ..kernels.attention import cache_types
from ..kernels.attention.attending import table_width
from .resident import Arena

DTYPES = cache_types.CACHES


class KVShape(NamedTuple):
    """Of a layer's keys and values at one position. A layer that uses those of another, or has a state instead, has no
    heads; one whose values are a part of its keys stores keys only."""

    kv_heads: int
    head_dim: int
    values: bool = True


def refused(dtype: str, layers: Sequence[KVShape]) -> str | None:
    """Why a type of cache cannot store the heads of these layers; None if it can."""
    sizes = sorted({layer.head_dim for layer in layers})
    return next(filter(None, (cache_types.refused(dtype, head_dim) for head_dim in sizes)), None)


def check_cache(dtype: str, layers: Sequence[KVShape]) -> None:
    """Refuse a type of cache that does not exist, or that cannot store the heads of these layers."""
    reason = refused(one_of("cache", dtype, DTYPES), layers)
    if reason is not None:
        raise PreconditionError(f"{reason}: use {' or '.join(cache_types.CONTIGUOUS)}")


def key_bytes(dtype: str, layer: KVShape) -> int:
    """Bytes of the keys of one layer at one position."""
    return layer.kv_heads * cache_types.TYPES[dtype].head_bytes(layer.head_dim)


def position_bytes(dtype: str, layers: Sequence[KVShape]) -> int:
    """Bytes of the keys and values of all layers at one position."""
    return sum((1 + layer.values) * key_bytes(dtype, layer) for layer in layers)


States = Sequence[Sequence[tuple[int, ...]]]  # of each layer that has some, the shapes of a sequence's


def state_bytes(states: States) -> int:
    """Bytes of a sequence's states."""
    return 4 * sum(math.prod(shape) for layer in states for shape in layer)


class _Layers:
    """k and v of each layer: [blocks, kv_heads, positions, head_dim], or as their type arranges them.

    They are never cleared: a row attends only to positions up to its own, all of which its sequence has written.
    """

    def __init__(self, device: GpuDevice, layers: Sequence[KVShape], blocks: int, positions: int, dtype: str) -> None:
        check_cache(dtype, layers)
        self.device, self.dtype = device, dtype
        # Of the layers that have some: [slots, ...], and [places, ...]
        self.states: list[tuple[Tensor, ...]] = []
        self.kept_states: list[tuple[Tensor, ...]] = []
        kind = cache_types.TYPES[dtype]
        # Keys and values are in different buffers: a dispatch that writes both must not bind one buffer twice.
        self._arenas = [Arena(device) for _ in range(2)]
        own = [each for each in layers if each.kv_heads]
        for arena, some in zip(self._arenas, (own, [each for each in own if each.values]), strict=True):
            arena.expect(*(blocks * positions * key_bytes(dtype, each) for each in some))
        self._layers: dict[int, tuple[Tensor, ...]] = {}
        try:
            for i, each in enumerate(layers):
                if each.kv_heads:
                    shape = kind.shape(blocks, each.kv_heads, positions, each.head_dim)
                    names = zip("kv" if each.values else "k", self._arenas, strict=False)
                    self._layers[i] = tuple(arena.tensor(shape, kind.dtype, f"{name}{i}") for name, arena in names)
        except BaseException:
            self.release()
            raise

    @property
    def nbytes(self) -> int:
        states = (*self.states, *self.kept_states)
        return sum(arena.nbytes for arena in self._arenas) + sum(t.nbytes for layer in states for t in layer)

    def layer(self, i: int) -> tuple[Tensor, ...]:
        """k and v of a layer; k alone if its values are a part of it."""
        return self._layers[i]

    def release(self) -> None:
        for arena in self._arenas:
            arena.release()
        for tensor in (t for layer in (*self.states, *self.kept_states) for t in layer):
            tensor.buffer.release()
        self.states, self.kept_states = [], []


class KVCache(_Layers):
    """A contiguous cache for training: k and v of each layer are [slots, kv_heads, capacity, head_dim]."""

    pages = 0
    table: Tensor | None = None

    def __init__(
        self, device: GpuDevice, layers: Sequence[KVShape], capacity: int, slots: int = 1, dtype: str = "f16"
    ) -> None:
        one_of("cache", dtype, cache_types.CONTIGUOUS)
        self.slots, self.capacity = slots, capacity
        super().__init__(device, layers, slots, capacity, dtype)


class PagedCache(_Layers):
    """A pool of pages of PAGE positions; `table` [slots, pages of a sequence] says which pages a slot has.

    Sequences have up to `capacity` positions. Without a table, each slot gets its pages in order. `states`: what the
    layers without keys and values keep of each slot. They are never cleared: kernels do not read what is there at the
    beginning of a sequence. `places`: for copies of states that are kept.
    """

    def __init__(
        self,
        device: GpuDevice,
        layers: Sequence[KVShape],
        capacity: int,
        slots: int = 1,
        dtype: str = "f16",
        *,
        pages: int | None = None,
        table: Tensor | None = None,
        states: States = (),
        places: int = 0,
    ) -> None:
        self.slots, self.capacity = slots, capacity
        width = table_width(capacity)
        self.pages = slots * width if pages is None else pages
        self.table, self._own_table = table, table is None
        super().__init__(device, layers, self.pages, PAGE, dtype)
        try:
            for shapes in states:
                for count, name, to in ((slots, "state", self.states), (places, "kept state", self.kept_states)):
                    if count:
                        to.append(())
                        for shape in shapes:  # one by one: what there is when memory runs out is released
                            to[-1] += (device.empty((count, *shape), "f32", name),)
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
