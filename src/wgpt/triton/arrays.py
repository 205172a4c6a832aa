"""Arrays that a Triton kernel takes: on the GPU, or NumPy's own memory wrapped."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ..gpu import Tensor, default_device
from ..gpu.dtypes import NUMPY
from ..gpu.process_bound import ProcessBound
from ..triton_backend.host import HostMemory

_TRITON = {"f32": "fp32", "f16": "fp16", "bf16": "bf16", "i32": "i32", "u32": "u32"}
# Types that wgpt's own kernels do not know lie in words.
_PACKED = {"int8": "i8", "uint8": "u8", "int16": "i16", "uint16": "u16", "int64": "i64", "uint64": "u64", "bool": "i1"}


class Array(ProcessBound):
    """A wgpt Tensor in the form of a Triton argument: it has `dtype` and `data_ptr()`."""

    _way_out = "copy its values instead (numpy)"

    def __init__(self, tensor: Tensor, dtype: str | None = None, shape: tuple[int, ...] | None = None) -> None:
        self.tensor = tensor
        self.dtype = dtype or _TRITON[tensor.dtype]
        self.shape = tensor.shape if shape is None else shape

    def data_ptr(self) -> int:
        """For Triton's question about alignment only: buffers are aligned, windows may not be."""
        return (1 << 40) + self.tensor.offset

    def stride(self, dim: int | None = None) -> Any:
        strides = tuple(math.prod(self.shape[d + 1 :]) for d in range(len(self.shape)))
        return strides if dim is None else strides[dim]

    def numel(self) -> int:
        return math.prod(self.shape)

    def numpy(self) -> NDArray[Any]:
        """The values, once all work before is done."""
        values = default_device().read(self.tensor)
        for name, short in _PACKED.items():
            if short == self.dtype:
                return (
                    values.reshape(-1)
                    .view(np.uint8)[: self.numel() * np.dtype(name).itemsize]
                    .view(name)
                    .reshape(self.shape)
                )
        return values.reshape(self.shape)

    def __repr__(self) -> str:
        return f"Array({'x'.join(map(str, self.shape))} {self.dtype})"


def array(values: NDArray[Any], dtype: str | None = None) -> Array:
    """Copy to the GPU. bf16 is requested by name, with uint16 bits."""
    device = default_device()
    values = np.asarray(values)
    if dtype is None and values.dtype.name in _PACKED:
        raw = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
        raw = np.concatenate([raw, np.zeros(-raw.size % 4, np.uint8)])
        return Array(device.tensor(raw.view(np.uint32)), _PACKED[values.dtype.name], values.shape)
    return Array(device.tensor(np.ascontiguousarray(values), dtype))


def empty(shape: int | tuple[int, ...], dtype: str | DTypeLike = "f32") -> Array:
    """Uninitialised memory on the GPU."""
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    device = default_device()
    if isinstance(dtype, str) and dtype in _TRITON:
        return Array(device.empty(shape, dtype))
    name = np.dtype(dtype).name
    if name in _PACKED:
        words = -(-math.prod(shape) * np.dtype(dtype).itemsize // 4)
        return Array(device.empty((words,), "u32"), _PACKED[name], shape)
    gpu_dtype = {"float32": "f32", "float16": "f16", "int32": "i32", "uint32": "u32"}[name]
    return Array(device.empty(shape, gpu_dtype))


def zeros(shape: int | tuple[int, ...], dtype: str | DTypeLike = "f32") -> Array:
    array = empty(shape, dtype)
    default_device().write_unused(array.tensor, np.zeros(array.tensor.shape, NUMPY[array.tensor.dtype]))
    return array


class Wrapped:
    """A NumPy array as an argument: copied in, and back out where the kernel writes."""

    def __init__(self, values: NDArray[Any]) -> None:
        if not values.flags.c_contiguous:
            raise ValueError("wrap() takes contiguous arrays: make one with np.ascontiguousarray")
        self.values = values
        self.dtype = values.dtype
        self.shape = values.shape

    def data_ptr(self) -> int:
        return int(self.values.ctypes.data)

    def stride(self, dim: int | None = None) -> Any:
        strides = tuple(s // self.values.itemsize for s in self.values.strides)
        return strides if dim is None else strides[dim]

    def host_memory(self) -> HostMemory:
        """All of the memory that the array is a view of: two views of it may overlap."""
        owner = self.values
        while isinstance(owner.base, np.ndarray) and owner.base.flags.c_contiguous:
            owner = owner.base
        return HostMemory(int(owner.ctypes.data), owner.nbytes, owner)


def wrap(values: NDArray[Any]) -> Wrapped:
    return Wrapped(values)
