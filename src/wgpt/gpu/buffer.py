"""Buffers, and tensors that are typed windows into them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..core.arguments import brief
from ..core.errors import PreconditionError
from ..core.sizes import readable_bytes
from . import dtypes
from .core import Core
from .errors import AllocationError, ValidationError
from .process_bound import ProcessBound
from .typed import typed_methods
from .webgpu.failures import translated
from .webgpu.interface import HOST, STORAGE
from .webgpu.interrupts import interruptible

_MOST_UNRECLAIMED = 128 << 20  # bytes of released buffers that wgpu may hold before their memory is reclaimed


class Buffer(ProcessBound):
    """GPU memory, or host memory with the usage HOST. `release()` frees it at once; the device counts its bytes."""

    def __init__(self, device: Core, size: int, usage: int = STORAGE, label: str = "") -> None:
        self.device, self.label, self.on_host = device, label, usage == HOST
        if size < 0:
            raise PreconditionError(f"size must be at least 0 bytes, not {size}")
        self.size = max(16, (size + 15) // 16 * 16)
        limit = device.limits["max-buffer-size"]
        where = f"{label[:60] or 'buffer'}: requested {readable_bytes(size)}, "
        where += f"per-buffer limit {readable_bytes(limit)}, in use {readable_bytes(device.bytes_in_use)}"
        if self.size > limit:
            raise AllocationError(f"{where}: split it, or use a smaller data type")
        if not self.on_host:
            device.check_memory(self.size, where)
        if device.unreclaimed_bytes > _MOST_UNRECLAIMED:
            device.reclaim()
        try:
            with translated(f"allocating {where}"):
                self.handle: Any = device.webgpu.create_buffer(self.size, usage, label)
        except AllocationError as e:
            raise AllocationError(f"out of GPU memory; {where}: release something, or use a smaller data type") from e
        device._count(self.size, 1, self.on_host)

    @property
    def released(self) -> bool:
        return self.handle is None

    def release(self) -> None:
        if self.handle is not None:
            handle, self.handle = self.handle, None
            if not self.device.forked:
                self.device.submitter.after_all(handle.destroy)  # submitting commands that use destroyed memory fails
            self.device._count(-self.size, -1, self.on_host)

    @interruptible
    def __del__(self) -> None:
        if getattr(self, "handle", None) is not None:
            self.release()


@typed_methods
@dataclass(frozen=True, eq=False)
class Tensor(ProcessBound):
    """A shaped, typed window of a Buffer; row-major and dense.

    >>> tensor = wgpt.default_device().tensor(np.zeros((2, 3), np.float32))
    >>> tensor, tensor.reshape(6), tensor.nbytes
    (Tensor(2x3 f32), Tensor(6 f32), 24)
    >>> tensor.buffer.release()
    """

    _way_out = "copy its values instead (device.read)"

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
        if math.prod(shape) != self.size or min(shape, default=0) < 0:
            raise ValueError(f"cannot view {self.shape} as shape {shape}")
        return Tensor(self.buffer, shape, self.dtype, self.offset)

    def window(self, at: int, *shape: int) -> Tensor:
        """A tensor over the elements from `at` on."""
        if at < 0 or min(shape, default=0) < 0 or at + math.prod(shape) > self.size:
            raise ValueError(f"a window at element {brief(at)} of shape {brief(shape)} does not fit in {self.shape}")
        return Tensor(self.buffer, shape, self.dtype, self.offset + at * dtypes.itemsize(self.dtype))

    def __repr__(self) -> str:
        return f"Tensor({'x'.join(map(str, self.shape))} {self.dtype})"


def check_copy(source: Tensor, target: Tensor) -> None:
    """Refuse a copy that WebGPU cannot make."""
    if source.nbytes != target.nbytes or source.buffer is target.buffer:
        raise ValidationError(f"a copy needs two buffers and equal sizes, not {source} and {target}")
