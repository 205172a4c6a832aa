"""Element types of GPU tensors. bf16 is held as uint16 on the host: its upper half of an f32. u8 and i16 are for packed
formats of whole words."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import one_of

NUMPY: dict[str, np.dtype[Any]] = {
    "f32": np.dtype(np.float32),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(np.uint16),
    "i32": np.dtype(np.int32),
    "u32": np.dtype(np.uint32),
    "u8": np.dtype(np.uint8),
    "i16": np.dtype(np.int16),
}
_BY_NAME = ("bf16", "u8", "i16")


def numpy_type(dtype: str) -> np.dtype[Any]:
    return NUMPY[one_of("dtype", dtype, NUMPY)]


def itemsize(dtype: str) -> int:
    return numpy_type(dtype).itemsize


def dtype_of(array: NDArray[np.generic]) -> str:
    """The GPU dtype that stores `array` unchanged; bf16, u8 and i16 must be requested by name."""
    for name, np_dtype in NUMPY.items():
        if name not in _BY_NAME and array.dtype == np_dtype:
            return name
    raise ValueError(f"unsupported dtype {array.dtype}: use float32, float16, int32 or uint32")


def to_bf16(array: NDArray[np.generic]) -> NDArray[np.uint16]:
    """Round float32 to bfloat16 (nearest, ties to even), as uint16."""
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    quiet_nan = (bits >> np.uint32(16)) | np.uint32(0x40)
    is_nan = (bits & np.uint32(0x7FFFFFFF)) > np.uint32(0x7F800000)
    return np.where(is_nan, quiet_nan, rounded).astype(np.uint16)


def from_bf16(array: NDArray[np.uint16]) -> NDArray[np.float32]:
    return (np.ascontiguousarray(array).astype(np.uint32) << np.uint32(16)).view(np.float32)


def as_words(array: NDArray[Any]) -> NDArray[np.uint8]:
    """The bytes of an array, padded to whole 32-bit words as WebGPU's writes need."""
    raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    if raw.size % 4:
        raw = np.concatenate([raw, np.zeros(4 - raw.size % 4, np.uint8)])
    return raw
