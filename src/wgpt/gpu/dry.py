"""A device without a GPU: Programs are recorded for it and their memory is counted, but nothing is computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from . import dtypes
from .buffer import Buffer, Tensor
from .device import GpuDevice
from .traits import Traits
from .webgpu.interface import GpuInfo
from .webgpu.nothing import HostMemory, HostMemoryWebGpu, NullWebGpu

_INFO = GpuInfo(-1, "no GPU", "", "", "DiscreteGPU", "none")
_TRAITS = Traits(software=False, f16=True, subgroup_size=32, workgroup_bytes=32 << 10, max_invocations=256)
_LIMITS = {
    "max-buffer-size": 1 << 40,
    "max-storage-buffer-binding-size": (2 << 30) - 4,
    "max-compute-workgroups-per-dimension": 65535,
    "min-storage-buffer-offset-alignment": 256,
    "min-uniform-buffer-offset-alignment": 256,
}


class DryDevice(GpuDevice):
    """A device with the traits and limits of `like`, or of a common GPU. `bytes_in_use` is what a real one would
    allocate."""

    compiles_late = False

    def __init__(self, like: GpuDevice | None = None) -> None:
        # No memory limit: a Program may need more than any GPU has.
        super().__init__(
            like.info if like else _INFO,
            NullWebGpu(like.limits, like.webgpu.name) if like else NullWebGpu(_LIMITS),
            like.traits if like else _TRAITS,
            reason="nothing is computed",
        )


class ExportDevice(GpuDevice):
    """A device without a GPU that keeps what is written to it in host memory, for Programs to be exported.

    >>> device = ExportDevice(traits, limits)                                   # doctest: +SKIP
    >>> device.read(device.tensor(np.float32([1, 2])))
    array([1., 2.], dtype=float32)
    """

    compiles_late = False

    def __init__(self, traits: Traits, limits: Mapping[str, int]) -> None:
        super().__init__(_INFO, HostMemoryWebGpu(limits), traits, reason="Programs are recorded for export")

    @contextmanager
    def as_if(self, traits: Traits, name: str = "") -> Iterator[None]:
        """Record for another kind of GPU within the block, with the same memory and the tuned variants of the GPU
        `name`.
        """
        own = self.traits, self.info
        kind = "CPU" if traits.software else _INFO.kind
        self.traits, self.info = traits, replace(_INFO, name=name or _INFO.name, kind=kind)
        try:
            yield
        finally:
            self.traits, self.info = own

    def holds(self, buffer: Buffer) -> bool:
        memory = buffer.handle
        return isinstance(memory, HostMemory) and memory.data is not None

    def read(self, tensor: Tensor) -> NDArray[Any]:
        """What was written. NullWebGpu is computed, so results of Programs are missing."""
        data = tensor.buffer.handle.bytes(tensor.offset, tensor.size * dtypes.itemsize(tensor.dtype))
        return data.view(dtypes.NUMPY[tensor.dtype]).reshape(tensor.shape)
