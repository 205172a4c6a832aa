"""Reuse of short-lived buffers: creating one costs tens of microseconds and a clear."""

from __future__ import annotations

from collections import defaultdict

from .buffer import Buffer
from .core import Core
from .webgpu.interface import STORAGE


def size_class(size: int) -> int:
    """Round up to 2^k or 1.5 * 2^k: at most a third of a buffer is unused."""
    power = 256
    while power < size:
        if power * 3 // 2 >= size:
            return power * 3 // 2
        power *= 2
    return power


class BufferPool:
    """Free buffers by size class and usage; keeps at most `keep_bytes` of them."""

    def __init__(self, device: Core, keep_bytes: int = 256 << 20) -> None:
        self._device, self._keep = device, keep_bytes
        self._free: dict[tuple[int, int], list[Buffer]] = defaultdict(list)
        self.free_bytes = 0

    def take(self, size: int, usage: int = STORAGE, label: str = "") -> Buffer:
        rounded = min(size_class(size), max(size, self._device.limits["max-buffer-size"] // 16 * 16))
        with self._device.lock:
            stock = self._free.get((rounded, usage))
            if stock:
                buffer = stock.pop()
                self.free_bytes -= buffer.size
                return buffer
            return Buffer(self._device, rounded, usage, label)

    def give(self, buffer: Buffer, usage: int = STORAGE) -> None:
        with self._device.lock:
            if buffer.released:
                return
            if self.free_bytes + buffer.size > self._keep:
                buffer.release()
                return
            self.free_bytes += buffer.size
            self._free[(buffer.size, usage)].append(buffer)

    def trim(self) -> None:
        """Release all free buffers."""
        for stock in self._free.values():
            for buffer in stock:
                buffer.release()
        self._free.clear()
        self.free_bytes = 0
