"""GpuDevice: one opened GPU, with its limits, features, memory count and caches."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import refused
from ..core.sizes import memory_limit
from . import dtypes, forks
from .buffer import Buffer, Tensor, check_copy
from .core import Core
from .deferred import flush_deferred
from .errors import AllocationError
from .gpus import choose_gpu
from .opening import open_gpu
from .pipeline import PipelineCache
from .pool import BufferPool
from .readback import read
from .room import room
from .traits import Traits
from .typed import typed_methods
from .webgpu import host_memory
from .webgpu.failures import translated
from .webgpu.interface import HOST, Copy, GpuInfo, WebGpu


@typed_methods
class GpuDevice(Core):
    """An opened GPU.

    >>> device = wgpt.GpuDevice.open(0)      # by index or part of its name; without, the best
    >>> tensor = device.tensor(np.float32([1, 2, 3]))
    >>> device.read(tensor)
    array([1., 2., 3.], dtype=float32)
    >>> device.close()
    """

    def __init__(
        self,
        info: GpuInfo,
        webgpu: WebGpu,
        traits: Traits,
        *,
        reason: str,
        webgpu_reason: str = "",
        faults: Sequence[str] = (),
        memory_limit: int | None = None,
    ) -> None:
        super().__init__(info, webgpu, memory_limit)
        self.traits, self.reason, self.faults = traits, reason, list(faults)
        self.webgpu_reason = webgpu_reason
        self.pool, self.pipelines = BufferPool(self), PipelineCache(self)

    @classmethod
    def open(cls, gpu: int | str | None = None, *, webgpu: str | None = None, allow_faulty: bool = False) -> GpuDevice:
        """Open the best GPU, or one by index or by part of its name (WGPT_GPU does the same).

        webgpu: the implementation of WebGPU: auto (Dawn where the GPU has matrix units that pass a self-check, else
            wgpu-native; the default), dawn, or wgpu. WGPT_WEBGPU does the same.
        """
        info, chosen, reason = choose_gpu(gpu)
        opened = open_gpu(info, chosen, webgpu=webgpu, allow_faulty=allow_faulty)
        return cls(
            opened.info,
            opened.webgpu,
            opened.traits,
            reason=reason,
            webgpu_reason=opened.webgpu_reason,
            faults=opened.faults,
            memory_limit=memory_limit(),
        )

    @property
    def subgroup_size(self) -> int:
        return self.traits.subgroup_size

    @functools.cached_property
    def key(self) -> str:
        """Identifies GPU, driver and shader compiler: tuning results are stored under this key."""
        dawn = " | Dawn" if self.webgpu.name == "Dawn" else ""
        return f"{self.info.name} | {self.info.driver} | {self.info.backend}{dawn}"

    def buffer(self, size: int, label: str = "") -> Buffer:
        """A buffer that stays allocated until it is released, for weights and caches."""
        with self.lock:
            self.check_alive()
            return Buffer(self, size, label=label)

    def host_buffer(self, size: int, label: str = "") -> Buffer:
        """A buffer in host memory that the GPU can copy from."""
        if host_memory.FEATURE not in self.features:
            other = "webgpu='wgpu'" if self.webgpu.name == "Dawn" else "another GPU"
            raise AllocationError(
                f"{self.info} does not support buffers in host memory ({host_memory.FEATURE}), which "
                f"non-resident weights need: load the model with resident='all', or choose {other}"
            )
        with self.lock:
            self.check_alive()
            return Buffer(self, size, HOST, label)

    def room(self, wanted: int) -> int:
        """How many of `wanted` bytes could be allocated now. WebGPU does not report it, so this tries."""
        if wanted < 0:
            raise refused("wanted", wanted, "at least 0 bytes")
        with self.lock:
            self.check_alive()
            return room(self, wanted)

    def tensor(self, array: NDArray[Any], dtype: str | None = None, label: str = "") -> Tensor:
        """Upload an array to new memory."""
        buffer = self.buffer(array.nbytes, label)
        tensor = Tensor(buffer, array.shape, dtype or dtypes.dtype_of(array))
        self.write_unused(tensor, array)
        return tensor

    def empty(self, shape: tuple[int, ...], dtype: str = "f32", label: str = "") -> Tensor:
        """An uninitialised tensor."""
        return Tensor(self.buffer(int(np.prod(shape)) * dtypes.itemsize(dtype), label), shape, dtype)

    def write(self, tensor: Tensor, array: NDArray[Any]) -> None:
        """Copy host data into a tensor; takes effect before the next submit."""
        flush_deferred(self)
        self.write_unused(tensor, array)

    def write_unused(self, tensor: Tensor, array: NDArray[Any]) -> None:
        """As `write`, for memory that no recorded work uses yet: deferred work need not be flushed."""
        if array.size != tensor.size or array.dtype != dtypes.numpy_type(tensor.dtype):
            raise ValueError(f"array: cannot write {array.shape} {array.dtype} into {tensor}")
        if array.size == 0:
            return
        raw = dtypes.as_words(array)
        with self.lock, translated(f"uploading {raw.nbytes} bytes"):
            self.check_alive()
            self.settle_submits()
            self.webgpu.write_buffer(tensor.buffer.handle, tensor.offset, raw)
        self.uploaded_bytes += raw.nbytes

    def read(self, tensor: Tensor) -> NDArray[Any]:
        """Copy a tensor to the host; waits for the work before it."""
        return read(self, self.pool, tensor)

    def holds(self, buffer: Buffer) -> bool:
        """Whether a buffer may contain anything but zeros."""
        return True

    def copy(self, pairs: Iterable[tuple[Tensor, Tensor]]) -> None:
        """Copy each first tensor to the second one, of the same size in another buffer, without waiting: after what was
        submitted before, and before what is submitted later.
        """
        copies = []
        for source, target in pairs:
            check_copy(source, target)
            ends = source.buffer.handle, source.offset, target.buffer.handle, source.nbytes, target.offset
            copies.append(Copy(*ends))
        with self.lock, translated("copying tensors"):
            self.check_alive()
            self.settle()
            self.webgpu.submit(self.webgpu.ready(copies))
            self.submits += 1

    def close(self) -> None:
        """Free everything. Tensors and Programs of this device are unusable afterwards."""
        if not self.closed:
            self.submitter.settle()
            self.pool.trim()
            super().close()

    def __repr__(self) -> str:
        return f"GpuDevice({self.info.name!r})"


def device_of(tensor: Tensor) -> GpuDevice:
    """The device that a tensor is on."""
    device = tensor.buffer.device
    assert isinstance(device, GpuDevice)  # only the probe's minimal device (a Core) is not a GpuDevice
    return device


_default: GpuDevice | None = None
_default_lock = threading.Lock()


def default_device() -> GpuDevice:
    """The process's device, opened on first use.

    >>> wgpt.default_device() is wgpt.default_device()
    True
    """
    global _default
    forks.check()  # before taking the lock, which a thread of the parent may have held
    with _default_lock:
        if _default is None or _default.closed:
            _default = GpuDevice.open()
        return _default
