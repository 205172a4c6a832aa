"""Arguments refused before anything runs, with the sizes named."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray


def array(name: str, value: Any, dtype: type[np.generic] = np.float32) -> NDArray[Any]:
    """A contiguous NumPy array of this type."""
    if not isinstance(value, np.ndarray):
        raise ValueError(f"{name} must be a NumPy array, not {type(value).__name__}")
    if value.dtype != dtype:
        wanted = np.dtype(dtype).name
        raise ValueError(f"{name} must be {wanted}, not {value.dtype}: convert it with .astype(np.{wanted})")
    if not value.flags.c_contiguous:
        raise ValueError(f"{name} {value.shape} is not contiguous: pass np.ascontiguousarray({name})")
    return value


def length(name: str, value: Any, expected: int, means: str, dtype: type[np.generic] = np.float32) -> NDArray[Any]:
    """An array of exactly `expected` elements, flat or shaped; `means` says why so many."""
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
    """Whole numbers above 0."""
    found = []
    for name, value in values.items():
        try:
            number = operator.index(value)
        except TypeError:
            raise ValueError(f"{name} must be a whole number, not {value!r}") from None
        if number < 1 or number >= 2**32:
            raise ValueError(f"{name} must be within 1 and 2^32 - 1, not {number}")
        found.append(number)
    return found


def finite(**values: Any) -> list[float]:
    """Real numbers."""
    found = []
    for name, value in values.items():
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise ValueError(f"{name} must be a number, not {value!r}") from None
        if not math.isfinite(number):
            raise ValueError(f"{name} must be finite, not {value!r}")
        found.append(number)
    return found


def choice(name: str, value: Any, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")
    return str(value)


def rows_of(name: str, value: Any) -> tuple[NDArray[Any], int, int]:
    """(array, rows, elements per row) of an array of at least one dimension; rows are along the last axis."""
    checked = array(name, value)
    if checked.ndim < 1 or checked.size == 0:
        raise ValueError(f"{name} must have at least one row of at least one element, not shape {checked.shape}")
    return checked, checked.size // checked.shape[-1], checked.shape[-1]
