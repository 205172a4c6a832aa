"""Values of every kind for the arguments of functions, and whether a parameter's annotation allows them."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from .cases import Rng, pick

_SCALARS: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, 7, -1, 1 << 31, 1 << 32, 1 << 63, 10**400, -(10**400)),
    *(0.0, -0.0, 0.5, -1.5, 1e-320, 1e39, 1e300, float("nan"), float("inf"), float("-inf"), 1j),
    *("", "x", "nan", "\0", "\ud800", "é\n日本", "x" * 3000, b"", b"x", bytearray(b"x"), memoryview(b"x")),
    *(np.float32(0.5), np.float64("nan"), np.int64(-3), np.uint8(200), np.bool_(True), np.str_("x")),
    *([], [[]], [0], [None], [1, [2]], ["x"], (), {}, {"a": 1}, {"role": "user"}, {1, 2}, range(3), object, len),
)
_SHAPES = ((), (0,), (1,), (3,), (2, 3), (0, 4), (3, 0, 2), (2, 2, 2), (1, 1, 1, 1), (5, 7))
_DTYPES = ("float32", "float64", "float16", "int32", "int64", "uint8", "uint32", "bool", "complex64", "object", "U3")


def junk_value(rng: Rng) -> Any:
    return junk_array(rng) if rng.random() < 0.35 else pick(rng, _SCALARS)


def junk_array(rng: Rng) -> Any:
    array = np.zeros(pick(rng, _SHAPES), pick(rng, _DTYPES))
    kind = int(rng.integers(4))
    if kind == 0 and array.dtype.kind == "f":
        array += pick(rng, (np.nan, np.inf, -np.inf))
    if kind == 1:
        array = array.T if array.ndim != 1 else array[::-1]
    return array


def shown_value(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"array {value.shape} {value.dtype}"
    return ascii(value)[:80]


def must_refuse(annotation: str, value: Any) -> bool:
    """Whether a parameter's own annotation rules a value out, beyond doubt."""
    names = {part.strip() for part in annotation.split("|")}
    if value is None:
        return not names & {"None", "Any"}
    if names <= {"int", "float", "None"}:
        return not _is_number(value, whole="float" not in names)
    if names <= {"str", "None"}:
        return not isinstance(value, str)
    if names <= {"F32", "Packed"}:
        return not (isinstance(value, np.ndarray) and value.dtype == np.float32)
    return names <= {"Tensor", "AnyWeight", "Packed", "GpuDevice", "Adapter", "Config", "None"}


def _is_number(value: Any, whole: bool) -> bool:
    if isinstance(value, bool | int | np.integer | np.bool_):
        return True
    if isinstance(value, np.ndarray):  # a number counts as one, whatever its type
        return value.size == 1
    return not whole and isinstance(value, float | np.floating) and bool(np.isfinite(value))


def annotation_of(parameter: inspect.Parameter) -> str:
    annotation = parameter.annotation
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
