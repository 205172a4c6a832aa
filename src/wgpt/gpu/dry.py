"""A device without a GPU: Programs are recorded for it and their memory is counted, but nothing is computed."""

from __future__ import annotations

from .device import GpuDevice
from .traits import Traits
from .webgpu.interface import GpuInfo
from .webgpu.nothing import Nothing

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
    """With the traits and limits of `like`, or of a common GPU. `bytes_in_use` is what a real one would hold."""

    def __init__(self, like: GpuDevice | None = None) -> None:
        # Without a limit of memory: what it counts may be more than there is.
        super().__init__(
            like.info if like else _INFO,
            Nothing(like.limits, like.webgpu.name) if like else Nothing(_LIMITS),
            like.traits if like else _TRAITS,
            reason="nothing is computed",
        )
