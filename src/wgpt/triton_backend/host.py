"""Arguments in host memory and their GPU copies."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wgpt.gpu import GpuDevice, Tensor
from wgpt.gpu.bindings import most_bytes
from wgpt.gpu.dtypes import as_words
from wgpt.ttir import Refused


class HostMemory:
    """The host memory of an argument: its whole storage, because a kernel may access any part of it."""

    def __init__(self, address: int, nbytes: int, keep: Any) -> None:
        self.address, self.nbytes, self._keep = address, nbytes, keep

    @property
    def key(self) -> tuple[int, int]:
        """Equal for the same memory; empty memory is never equal."""
        return (self.address, self.nbytes) if self.nbytes else (id(self), 0)

    def overlaps(self, other: HostMemory) -> bool:
        both = bool(self.nbytes and other.nbytes)
        return both and self.address < other.address + other.nbytes and other.address < self.address + self.nbytes

    def view(self) -> NDArray[np.uint8]:
        if not self.nbytes:
            return np.zeros(0, np.uint8)
        return np.ctypeslib.as_array((ctypes.c_uint8 * self.nbytes).from_address(self.address))

    def upload(self, device: GpuDevice) -> Tensor:
        """Copy it to a tensor from the device's pool."""
        words = max(1, -(-self.nbytes // 4))
        limit = most_bytes(device)
        if words * 4 > limit:
            raise Refused(f"an argument of {self.nbytes} bytes: {device.info.name} binds {limit} at once")
        tensor = Tensor(device.pool.take(words * 4, label="argument"), (words,), "u32")
        if self.nbytes:
            device.write_unused(tensor, as_words(self.view()).view(np.uint32))
        return tensor

    def download(self, device: GpuDevice, tensor: Tensor) -> None:
        """Copy the tensor back to host memory."""
        if self.nbytes:
            self.view()[:] = device.read(tensor).view(np.uint8).reshape(-1)[: self.nbytes]


def host_memory(arg: Any) -> tuple[HostMemory, int]:
    """The memory of an argument, and the address at which the argument starts."""
    tensor = arg
    while not hasattr(tensor, "untyped_storage") and hasattr(tensor, "base") and hasattr(tensor.base, "data_ptr"):
        tensor = tensor.base  # Triton's wrapper that reinterprets the type of a tensor
    if hasattr(tensor, "untyped_storage"):
        if tensor.device.type != "cpu":
            raise Refused(f"a torch tensor on {tensor.device}: use CPU tensors, or wgpt.triton.array")
        storage = tensor.untyped_storage()
        return HostMemory(storage.data_ptr(), storage.nbytes(), storage), arg.data_ptr()
    if hasattr(tensor, "host_memory"):
        return tensor.host_memory(), arg.data_ptr()
    raise Refused(f"an argument of type {type(arg).__name__}: use torch CPU tensors, wgpt.triton.array or .wrap")
