"""Buffers, and tensors that are typed windows into them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import wgpu

from . import dtypes
from .errors import AllocationError, readable_bytes, translated

if TYPE_CHECKING:
    from .device import GpuDevice

STORAGE = wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC | wgpu.BufferUsage.COPY_DST
UNIFORM = wgpu.BufferUsage.UNIFORM | wgpu.BufferUsage.COPY_DST
STAGING = wgpu.BufferUsage.MAP_READ | wgpu.BufferUsage.COPY_DST
QUERIES = wgpu.BufferUsage.QUERY_RESOLVE | wgpu.BufferUsage.COPY_SRC


class Buffer:
    """GPU memory. `release()` frees it at once; the device counts what is in use."""

    def __init__(self, device: GpuDevice, size: int, usage: int = STORAGE, label: str = "") -> None:
        self.device, self.label = device, label
        self.size = max(16, (size + 15) // 16 * 16)
        limit = device.limits["max-buffer-size"]
        where = f"{label or 'buffer'}: asked {readable_bytes(size)}, per-buffer limit {readable_bytes(limit)}, "
        where += f"in use {readable_bytes(device.bytes_in_use)}"
        if self.size > limit:
            raise AllocationError(f"{where}: split it, or use a smaller data type")
        try:
            with translated(f"allocating {where}"):
                self.handle: Any = device.wgpu_device.create_buffer(size=self.size, usage=usage, label=label)
        except AllocationError as e:
            raise AllocationError(f"out of GPU memory; {where}: release something, or use a smaller data type") from e
        device._count(self.size, 1)

    @property
    def released(self) -> bool:
        return self.handle is None

    def release(self) -> None:
        if self.handle is not None:
            handle, self.handle = self.handle, None
            self.device.submitter.after_all(handle.destroy)  # a submit with destroyed memory would fail
            self.device._count(-self.size, -1)

    def __del__(self) -> None:
        if getattr(self, "handle", None) is not None:
            self.release()


@dataclass(frozen=True, eq=False)
class Tensor:
    """A shaped, typed window of a Buffer; row-major and dense."""

    buffer: Buffer
    shape: tuple[int, ...]
    dtype: str = "f32"
    offset: int = 0

    @cached_property
    def size(self) -> int:
        return math.prod(self.shape)

    @cached_property
    def nbytes(self) -> int:
        """Bytes of the elements, rounded up to whole 32-bit words (what a binding covers)."""
        return max(4, (self.size * dtypes.itemsize(self.dtype) + 3) // 4 * 4)

    def reshape(self, *shape: int) -> Tensor:
        if math.prod(shape) != self.size:
            raise ValueError(f"cannot view {self.shape} as {shape}")
        return Tensor(self.buffer, shape, self.dtype, self.offset)

    def window(self, at: int, *shape: int) -> Tensor:
        """Elements from `at` on, as a tensor of its own."""
        if at < 0 or at + math.prod(shape) > self.size:
            raise ValueError(f"{shape} from element {at} on is not inside {self.shape}")
        return Tensor(self.buffer, shape, self.dtype, self.offset + at * dtypes.itemsize(self.dtype))

    def __repr__(self) -> str:
        return f"Tensor({'x'.join(map(str, self.shape))} {self.dtype})"
