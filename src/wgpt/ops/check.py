"""Argument checks before anything runs; errors name the sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import as_number, refused, whole_number

_F32_MAX = float(np.finfo(np.float32).max)


def array(name: str, value: Any, dtype: type[np.generic] = np.float32) -> NDArray[Any]:
    """A contiguous NumPy array of this type."""
    if not isinstance(value, np.ndarray):
        raise ValueError(f"{name} must be a NumPy array, not {type(value).__name__}")
    if value.dtype != dtype:
        dtype_name = np.dtype(dtype).name
        raise ValueError(f"{name} must be {dtype_name}, not {value.dtype}: convert it with .astype(np.{dtype_name})")
    if not value.flags.c_contiguous:
        raise ValueError(f"{name} {value.shape} is not contiguous: pass np.ascontiguousarray({name})")
    return value


def length(name: str, value: Any, expected: int, means: str, dtype: type[np.generic] = np.float32) -> NDArray[Any]:
    """An array of exactly `expected` elements, flat or shaped; `means` explains the number."""
    checked = array(name, value, dtype)
    if checked.size != expected:
        raise ValueError(f"{name} has {checked.size} elements, but {means} is {expected}")
    return checked


def same(**values: Any) -> list[NDArray[Any]]:
    """Arrays of one shape."""
    arrays = [array(name, value) for name, value in values.items()]
    if any(a.shape != arrays[0].shape for a in arrays):
        sizes = ", ".join(f"{name} has {a.size} {a.shape}" for name, a in zip(values, arrays, strict=True))
        raise ValueError(f"arrays must be of one shape: {sizes}")
    if arrays[0].size == 0:
        raise ValueError(f"{', '.join(values)} must not be empty")
    return arrays


def positive(**values: Any) -> list[int]:
    """Whole numbers above 0 that fit into 32 bits."""
    return [whole_number(name, value, 1, 2**32 - 1) for name, value in values.items()]


def finite(**values: Any) -> list[float]:
    """Numbers that are finite in float32, which kernels compute in."""
    return [_finite(name, value) for name, value in values.items()]


def _finite(name: str, value: Any) -> float:
    number = as_number(value)
    if not abs(number) <= _F32_MAX:
        raise refused(name, value, "a finite number in float32")
    return number


def epsilon(eps: Any) -> float:
    """An eps of at least 0: a negative one could cause NaN."""
    (number,) = finite(eps=eps)
    if number < 0:
        raise refused("eps", eps, "at least 0")
    return number


def rows_of(name: str, value: Any) -> tuple[NDArray[Any], int, int]:
    """(array, rows, elements per row) of an array of at least one dimension; rows are along the last axis."""
    checked = array(name, value)
    if checked.ndim < 1 or checked.size == 0:
        raise ValueError(f"{name} must have at least one row of at least one element, not shape {checked.shape}")
    return checked, checked.size // checked.shape[-1], checked.shape[-1]
