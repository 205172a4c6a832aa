"""The KV cache: keys and values of every layer, sequence and position, on the GPU."""

from __future__ import annotations

from ..gpu import GpuDevice, Tensor
from ..gpu.arguments import one_of
from ..gpu.dtypes import itemsize
from .resident import Arena

DTYPES = ("f16", "f32")


class KVCache:
    """k and v of each layer are [slots, kv_heads, capacity, head_dim]; a slot is one sequence.

    It is never cleared: a row attends only to positions up to its own, all of which its sequence has written.
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
    ) -> None:
        one_of("cache", dtype, DTYPES)
        self.device, self.slots, self.capacity, self.dtype = device, slots, capacity, dtype
        shape = (slots, kv_heads, capacity, head_dim)
        each = slots * kv_heads * capacity * head_dim * itemsize(dtype)
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
