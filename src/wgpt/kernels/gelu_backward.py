"""Gradient of GELU, by the error function or by its tanh approximation (GPT-2)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .elementwise import Elementwise, extremes, logistic, ragged, streaming_bench

_erfc = np.vectorize(math.erfc, otypes=[np.float64])


def _gelu_backward(x: NDArray[np.float64], dy: NDArray[np.float64], approximate: str) -> NDArray[np.float64]:
    if approximate == "tanh":
        scale = 2.0 * math.sqrt(2.0 / math.pi)
        u = scale * (x + 0.044715 * x**3)
        return dy * logistic(u) * (1.0 + x * logistic(-u) * scale * (1.0 + 3 * 0.044715 * x**2))
    if approximate == "erf":
        density = np.exp(-0.5 * x**2) / math.sqrt(2.0 * math.pi)
        return np.asarray(dy * (0.5 * _erfc(-x / math.sqrt(2.0)) + x * density))
    raise ValueError(f"gelu approximates by 'tanh' or 'erf', not by {approximate!r}")


KERNEL = Elementwise(
    "gelu_backward",
    "dx = dy * (Phi(x) + x * phi(x)), or the same of the tanh approximation",
    _gelu_backward,
    operands=("x", "dy"),
    static=("approximate",),
    result="dx",
    work=25,
    cases=[c for form in ("tanh", "erf") for c in (*ragged(approximate=form), *extremes(approximate=form))],
    bench_cases=streaming_bench(approximate="tanh"),
)
