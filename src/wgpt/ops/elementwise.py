"""Elementwise operations and row operations of inference, on NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..gpu.dtypes import NUMPY
from . import check
from .core import F32, Work, both

FORMS = ("tanh", "erf")  # of GELU


def _each(kernel: str, result: str = "y", constants: dict[str, Any] | None = None, /, **given: F32) -> Work[F32]:
    """A kernel over arrays of one shape."""
    arrays = dict(zip(given, check.same(**given), strict=True))
    first = next(iter(arrays.values()))
    problem = {"n": first.size, **(constants or {})}
    return Work(
        first.size,
        lambda e: e.apply(kernel, problem, **{name: e.array(a) for name, a in arrays.items()}),
        lambda r: r[result].reshape(first.shape),
    )


def _add(a: F32, b: F32) -> Work[F32]:
    """a + b."""
    return _each("add", a=a, b=b)


def _mul(a: F32, b: F32) -> Work[F32]:
    """a * b, element by element."""
    return _each("mul", a=a, b=b)


def _scale(x: F32, alpha: float) -> Work[F32]:
    """alpha * x."""
    (alpha,) = check.finite(alpha=alpha)
    return _each("scale", "y", {"alpha": alpha}, x=x)


def _silu(x: F32) -> Work[F32]:
    """x * sigmoid(x)."""
    return _each("silu", x=x)


def _swish(x: F32, beta: float = 1.0) -> Work[F32]:
    """x * sigmoid(beta * x)."""
    (beta,) = check.finite(beta=beta)
    return _each("swish", "y", {"beta": beta}, x=x)


def _gelu(x: F32, approximate: str = "tanh") -> Work[F32]:
    """GELU, in its tanh form (GPT-2) or its exact form (approximate="erf")."""
    return _each("gelu", "y", {"approximate": check.choice("approximate", approximate, FORMS)}, x=x)


def _silu_mul(gate: F32, up: F32) -> Work[F32]:
    """silu(gate) * up: the middle of a SwiGLU block."""
    return _each("silu_mul", gate=gate, up=up)


def _silu_backward(dy: F32, x: F32) -> Work[F32]:
    """dx = dy * s(x) * (1 + x - x * s(x)), with s the logistic function."""
    return _each("silu_backward", "dx", dy=dy, x=x)


def _cast(x: NDArray[Any], dst: str, src: str | None = None) -> Work[NDArray[Any]]:
    """Convert between "f32", "f16" and "bf16" (held as uint16; say src="bf16" for a bf16 input)."""
    kinds = ("f32", "f16", "bf16")
    check.choice("dst", dst, kinds)
    if src is None:
        src = "f16" if isinstance(x, np.ndarray) and x.dtype == np.float16 else "f32"
    check.choice("src", src, kinds)
    checked = check.array("x", x, NUMPY[src].type)
    if checked.size == 0:
        raise ValueError("x must not be empty")
    problem = {"src": src, "dst": dst, "n": checked.size}
    return Work(
        checked.size,
        lambda e: e.apply("cast", problem, x=e.array(checked.reshape(-1), src)),
        lambda r: r["y"].reshape(checked.shape),
    )


def _softmax(x: F32) -> Work[F32]:
    """Softmax along the last axis."""
    x, rows, hidden = check.rows_of("x", x)
    return Work(
        x.size,
        lambda e: e.apply("softmax", {"rows": rows, "hidden": hidden}, x=e.array(x.reshape(rows, hidden))),
        lambda r: r["y"].reshape(x.shape),
    )


def _rmsnorm(x: F32, g: F32, eps: float = 1e-6) -> Work[F32]:
    """x * g / sqrt(mean(x^2) + eps) along the last axis."""
    x, rows, hidden = check.rows_of("x", x)
    g = check.length("g", g, hidden, "the row length of x").reshape(hidden)
    problem = {"rows": rows, "hidden": hidden, "eps": check.epsilon(eps)}
    return Work(
        x.size,
        lambda e: e.apply("rmsnorm", problem, x=e.array(x.reshape(rows, hidden)), g=e.array(g)),
        lambda r: r["y"].reshape(x.shape),
    )


def _layernorm(x: F32, gamma: F32, beta: F32, eps: float = 1e-5) -> Work[F32]:
    """(x - mean) / sqrt(var + eps) * gamma + beta along the last axis."""
    x, rows, hidden = check.rows_of("x", x)
    gamma = check.length("gamma", gamma, hidden, "the row length of x").reshape(hidden)
    beta = check.length("beta", beta, hidden, "the row length of x").reshape(hidden)
    problem = {"rows": rows, "hidden": hidden, "eps": check.epsilon(eps)}
    return Work(
        x.size,
        lambda e: e.apply(
            "layernorm", problem, x=e.array(x.reshape(rows, hidden)), gamma=e.array(gamma), beta=e.array(beta)
        ),
        lambda r: r["y"].reshape(x.shape),
    )


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
