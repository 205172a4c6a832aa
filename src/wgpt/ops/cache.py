"""The KV cache: keys and values of every layer, sequence and position, on the GPU."""

from __future__ import annotations

import numpy as np

from ..gpu import GpuDevice, Tensor
from ..gpu.arguments import one_of
from ..gpu.dtypes import itemsize
from ..kernels.attention.attending import CACHES, PAGE, table_width
from .resident import Arena

DTYPES = CACHES


class _Layers:
    """k and v of each layer: [blocks, kv_heads, positions, head_dim].

    They are never cleared: a row attends only to positions up to its own, all of which its sequence has written.
    """

    def __init__(
        self, device: GpuDevice, layers: int, kv_heads: int, head_dim: int, blocks: int, positions: int, dtype: str
    ) -> None:
        one_of("cache", dtype, DTYPES)
        self.device, self.dtype = device, dtype
        shape = (blocks, kv_heads, positions, head_dim)
        each = blocks * kv_heads * positions * head_dim * itemsize(dtype)
        # Keys and values are in different buffers: a dispatch that writes both must not bind one buffer twice.
        self._arenas = [Arena(device) for _ in range(2)]
        for arena in self._arenas:
            arena.expect(*[each] * layers)
        names = ("k", "v")
        self._layers: list[tuple[Tensor, Tensor]] = []
        try:
            for i in range(layers):
                k, v = (a.tensor(shape, dtype, f"{n}{i}") for a, n in zip(self._arenas, names, strict=True))
                self._layers.append((k, v))
        except BaseException:
            self.release()
            raise

    @property
    def nbytes(self) -> int:
        return sum(arena.nbytes for arena in self._arenas)

    def layer(self, i: int) -> tuple[Tensor, Tensor]:
        return self._layers[i]

    def release(self) -> None:
        for arena in self._arenas:
            arena.release()


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
        self.slots, self.capacity = slots, capacity
        super().__init__(device, layers, kv_heads, head_dim, slots, capacity, dtype)


class PagedCache(_Layers):
    """A pool of pages of PAGE positions; `table` [slots, pages of a sequence] says which pages a slot has.

    Sequences have up to `capacity` positions. Without a table, each slot gets its pages in order.
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
    ) -> None:
        self.slots, self.capacity = slots, capacity
        width = table_width(capacity)
        self.pages = slots * width if pages is None else pages
        self.table, self._own_table = table, table is None
        super().__init__(device, layers, kv_heads, head_dim, self.pages, PAGE, dtype)
        if table is None:
            order = np.arange(slots * width, dtype=np.uint32).reshape(slots, width)
            self.table = device.tensor(order, label="page table")

    def release(self) -> None:
        super().release()
        if self.table is not None and self._own_table:
            self.table.buffer.release()
