"""The ground floor: everything that touches WebGPU."""

from .buffer import Buffer, Tensor
from .device import GpuDevice, default_device, device_of
from .errors import (
    AllocationError,
    DeviceLostError,
    FaultyDriverError,
    ForkError,
    GpuTimeoutError,
    NoGpuError,
    ShaderError,
    ValidationError,
)
from .gpus import choose_gpu, list_gpus
from .heap import Heap
from .launch import Bound, Launch
from .pipeline import ShaderCode
from .program import Program
from .readback import Patience, Pending
from .recorder import Recorder
from .traits import Traits
from .webgpu.interface import GpuInfo

__all__ = [
    "AllocationError",
    "Bound",
    "Buffer",
    "DeviceLostError",
    "FaultyDriverError",
    "ForkError",
    "GpuDevice",
    "GpuInfo",
    "GpuTimeoutError",
    "Heap",
    "Launch",
    "NoGpuError",
    "Patience",
    "Pending",
    "Program",
    "Recorder",
    "ShaderCode",
    "ShaderError",
    "Tensor",
    "Traits",
    "ValidationError",
    "choose_gpu",
    "default_device",
    "device_of",
    "list_gpus",
]
