"""Shared by the tests of the operations: checked calls, and comparison of results."""

from __future__ import annotations

import asyncio
import gc
import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import wgpt
from wgpt import ops
from wgpt.gpu import GpuDevice

Array = NDArray[Any]
# Relative to the result's scale: the CPU computes in float64 and rounds once, kernels work in float32.
TOLERANCE = {"cpu": 1e-7, "gpu": 1e-5}
BINDING = "max-storage-buffer-binding-size"
LIMIT = 64 << 10  # bytes that the narrow device binds: 16,384 elements of f32


def normal(rng: np.random.Generator, *shape: int, scale: float = 1.0) -> NDArray[np.float32]:
    return np.asarray(scale * rng.standard_normal(shape), np.float32)


def f64(*arrays: Array) -> list[NDArray[np.float64]]:
    return [a.astype(np.float64) for a in arrays]


def call(name: str, *args: Any, **kwargs: Any) -> Any:
    """The operation's result. Its async twin must give the same bits, and no argument may change."""
    originals = [np.copy(a) if isinstance(a, np.ndarray) else a for a in args]
    result = getattr(ops, name)(*args, **kwargs)
    twin = asyncio.run(getattr(ops, f"{name}_async")(*args, **kwargs))
    for part, twin_part in zip(_parts(result), _parts(twin), strict=True):
        np.testing.assert_array_equal(part, twin_part)
    for before, after in zip(originals, args, strict=True):
        if isinstance(after, np.ndarray):
            np.testing.assert_array_equal(before, after)
    return result


def _parts(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)


def near(result: Array, expected: Array, where: str = "gpu", tolerance: float | None = None) -> None:
    """float32, of the expected shape, and nowhere further off than the tolerance times the largest value."""
    assert result.dtype == np.float32
    assert result.shape == expected.shape
    assert np.isfinite(expected).all()
    scale = np.abs(expected).max() or 1.0
    error = np.abs(result.astype(np.float64) - expected).max() / scale
    assert error <= (TOLERANCE[where] if tolerance is None else tolerance)


def refused(device: GpuDevice, match: str, name: str, *args: Any, **kwargs: Any) -> None:
    """A ValueError whose message matches, from both twins, before a byte moved or anything was dispatched."""
    before = (device.submits, device.uploaded_bytes, device.pipelines.compiled)
    with wgpt.use(device):
        with pytest.raises(ValueError, match=match):
            getattr(ops, name)(*args, **kwargs)
        with pytest.raises(ValueError, match=match):
            asyncio.run(getattr(ops, f"{name}_async")(*args, **kwargs))
    assert (device.submits, device.uploaded_bytes, device.pipelines.compiled) == before


def literally(*parts: object) -> str:
    """A pattern for these parts of a message in their order, whatever is between."""
    return ".*".join(re.escape(str(p)) for p in parts)


def memory(device: GpuDevice) -> tuple[int, int]:
    """Bytes and buffers in use, without those that the pool keeps."""
    gc.collect()
    device.pool.trim()
    return device.bytes_in_use, device.buffers_in_use
