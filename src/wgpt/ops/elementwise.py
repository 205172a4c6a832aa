"""Elementwise operations and row operations of inference, on NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import one_of
from ..gpu.dtypes import NUMPY
from . import check
from .backend import Array, Backend
from .core import F32, both
from .pieces import Work, length

FORMS = ("tanh", "erf")  # of GELU


def _each(kernel: str, result: str = "y", constants: dict[str, Any] | None = None, /, **inputs: F32) -> Work[F32]:
    """A kernel over arrays of one shape."""
    arrays = dict(zip(inputs, check.same(**inputs), strict=True))
    first = next(iter(arrays.values()))
    flat = {name: a.reshape(-1) for name, a in arrays.items()}

    def body(e: Backend, part: slice) -> dict[str, Array]:
        problem = {"n": length(part), **(constants or {})}
        return e.apply(kernel, problem, **{name: e.array(a[part]) for name, a in flat.items()})

    return Work(first.size, (first.size,), body, lambda r: r[result].reshape(first.shape))


def _along_rows(kernel: str, x: F32, constants: dict[str, Any], /, **vectors: F32) -> Work[F32]:
    """A kernel over the rows of x; `vectors` are as long as a row."""
    x, rows, hidden = check.rows_of("x", x)
    vectors = {name: check.length(name, v, hidden, "the row length of x").reshape(-1) for name, v in vectors.items()}
    matrix = x.reshape(rows, hidden)

    def body(e: Backend, part: slice) -> dict[str, Array]:
        problem = {"rows": length(part), "hidden": hidden, **constants}
        return e.apply(kernel, problem, x=e.array(matrix[part]), **{name: e.array(v) for name, v in vectors.items()})

    return Work(x.size, (rows,), body, lambda r: r["y"].reshape(x.shape))


def _add(a: F32, b: F32) -> Work[F32]:
    """a + b.

    >>> ops.add(np.float32([1, 2, 3]), np.float32([10, 20, 30]))
    array([11., 22., 33.], dtype=float32)
    """
    return _each("add", a=a, b=b)


def _mul(a: F32, b: F32) -> Work[F32]:
    """a * b, element by element.

    >>> ops.mul(np.float32([1, 2, 3]), np.float32([10, 20, 30]))
    array([10., 40., 90.], dtype=float32)
    """
    return _each("mul", a=a, b=b)


def _scale(x: F32, alpha: float) -> Work[F32]:
    """alpha * x.

    >>> ops.scale(np.float32([1, 2, 3]), 0.5)
    array([0.5, 1. , 1.5], dtype=float32)
    """
    (alpha,) = check.finite(alpha=alpha)
    return _each("scale", "y", {"alpha": alpha}, x=x)


def _silu(x: F32) -> Work[F32]:
    """x * sigmoid(x).

    >>> ops.silu(np.float32([-1, 0, 1])).round(3)
    array([-0.269,  0.   ,  0.731], dtype=float32)
    """
    return _each("silu", x=x)


def _swish(x: F32, beta: float = 1.0) -> Work[F32]:
    """x * sigmoid(beta * x).

    >>> ops.swish(np.float32([-1, 0, 1]), beta=1.702).round(3)
    array([-0.154,  0.   ,  0.846], dtype=float32)
    """
    (beta,) = check.finite(beta=beta)
    return _each("swish", "y", {"beta": beta}, x=x)


def _gelu(x: F32, approximate: str = "tanh") -> Work[F32]:
    """GELU, in its tanh form (GPT-2) or its exact form (approximate="erf").

    >>> ops.gelu(np.float32([-1, 0, 1])).round(3)
    array([-0.159,  0.   ,  0.841], dtype=float32)
    """
    return _each("gelu", "y", {"approximate": one_of("approximate", approximate, FORMS)}, x=x)


def _silu_mul(gate: F32, up: F32) -> Work[F32]:
    """silu(gate) * up: the middle of a SwiGLU block.

    >>> ops.silu_mul(np.float32([0, 1]), np.float32([5, 2])).round(3)
    array([0.   , 1.462], dtype=float32)
    """
    return _each("silu_mul", gate=gate, up=up)


def _silu_backward(x: F32, dy: F32) -> Work[F32]:
    """dx = dy * s(x) * (1 + x - x * s(x)), with s the logistic function.

    >>> ops.silu_backward(np.float32([0, 1]), np.float32([1, 1])).round(3)
    array([0.5  , 0.928], dtype=float32)
    """
    return _each("silu_backward", "dx", x=x, dy=dy)


def _cast(x: NDArray[Any], dst: str, src: str | None = None) -> Work[NDArray[Any]]:
    """Convert between "f32", "f16" and "bf16" (stored as uint16; pass src="bf16" for a bf16 input).

    >>> ops.cast(np.float32([1, 0.1]), "f16")
    array([1. , 0.1], dtype=float16)
    >>> ops.cast(ops.cast(np.float32([1, 0.1]), "bf16"), "f32", src="bf16")
    array([1.        , 0.10009766], dtype=float32)
    """
    kinds = ("f32", "f16", "bf16")
    one_of("dst", dst, kinds)
    if src is None:
        src = "f16" if isinstance(x, np.ndarray) and x.dtype == np.float16 else "f32"
    one_of("src", src, kinds)
    checked = check.array("x", x, NUMPY[src].type)
    if checked.size == 0:
        raise ValueError("x must not be empty")
    flat = checked.reshape(-1)

    def body(e: Backend, part: slice) -> dict[str, Array]:
        return e.apply("cast", {"src": src, "dst": dst, "n": length(part)}, x=e.array(flat[part], src))

    return Work(flat.size, (flat.size,), body, lambda r: r["y"].reshape(checked.shape))


def _softmax(x: F32) -> Work[F32]:
    """Softmax along the last axis.

    >>> ops.softmax(np.float32([[0, 0], [0, np.log(3)]])).round(3)
    array([[0.5 , 0.5 ],
           [0.25, 0.75]], dtype=float32)
    """
    return _along_rows("softmax", x, {})


def _rmsnorm(x: F32, g: F32, eps: float = 1e-6) -> Work[F32]:
    """x * g / sqrt(mean(x^2) + eps) along the last axis.

    >>> ops.rmsnorm(np.float32([[3, 4, 0, 0]]), np.ones(4, np.float32)).round(3)
    array([[1.2, 1.6, 0. , 0. ]], dtype=float32)
    """
    return _along_rows("rmsnorm", x, {"eps": check.epsilon(eps)}, g=g)


def _layernorm(x: F32, gamma: F32, beta: F32, eps: float = 1e-5) -> Work[F32]:
    """(x - mean) / sqrt(var + eps) * gamma + beta along the last axis.

    >>> ops.layernorm(np.float32([[1, 3]]), np.ones(2, np.float32), np.zeros(2, np.float32)).round(3)
    array([[-1.,  1.]], dtype=float32)
    """
    return _along_rows("layernorm", x, {"eps": check.epsilon(eps)}, gamma=gamma, beta=beta)


add, add_async = both(_add)
mul, mul_async = both(_mul)
scale, scale_async = both(_scale)
silu, silu_async = both(_silu)
swish, swish_async = both(_swish)
gelu, gelu_async = both(_gelu)
silu_mul, silu_mul_async = both(_silu_mul)
silu_backward, silu_backward_async = both(_silu_backward)
cast, cast_async = both(_cast)
softmax, softmax_async = both(_softmax)
rmsnorm, rmsnorm_async = both(_rmsnorm)
layernorm, layernorm_async = both(_layernorm)
