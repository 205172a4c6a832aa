"""The ground floor: everything that touches WebGPU."""

from .adapters import AdapterInfo, choose_adapter, list_adapters
from .buffer import Buffer, Tensor
from .device import GpuDevice, Traits, default_device
from .errors import (
    AllocationError,
    DeviceLostError,
    FaultyDriverError,
    GpuTimeoutError,
    NoAdapterError,
    PreconditionError,
    ShaderError,
    ValidationError,
    WgptError,
    readable_bytes,
)
from .heap import Heap
from .pipeline import ShaderCode
from .program import Bound, Launch, Program
from .readback import Pending
from .recorder import Recorder

__all__ = [
    "AdapterInfo",
    "AllocationError",
    "Bound",
    "Buffer",
    "DeviceLostError",
    "FaultyDriverError",
    "GpuDevice",
    "GpuTimeoutError",
    "Heap",
    "Launch",
    "NoAdapterError",
    "Pending",
    "PreconditionError",
    "Program",
    "Recorder",
    "ShaderCode",
    "ShaderError",
    "Tensor",
    "Traits",
    "ValidationError",
    "WgptError",
    "choose_adapter",
    "default_device",
    "list_adapters",
    "readable_bytes",
]
