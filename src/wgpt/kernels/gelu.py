"""GELU, by the error function or by its tanh approximation (GPT-2)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .elementwise import Elementwise, extremes, logistic, ragged, streaming_bench

_erfc = np.vectorize(math.erfc, otypes=[np.float64])


def gelu(x: NDArray[np.float64], approximate: str) -> NDArray[np.float64]:
    if approximate == "tanh":
        # 1 + tanh(u) is twice the logistic of 2u, and does not cancel for negative u.
        return x * logistic(2.0 * math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3))
    if approximate == "erf":
        return np.asarray(0.5 * x * _erfc(-x / math.sqrt(2.0)))
    raise ValueError(f"gelu approximates by 'tanh' or 'erf', not by {approximate!r}")


KERNEL = Elementwise(
    "gelu",
    "y = x * Phi(x), or x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3)))",
    gelu,
    static=("approximate",),
    work=20,
    cases=[c for form in ("tanh", "erf") for c in (*ragged(approximate=form), *extremes(approximate=form))],
    bench_cases=(*streaming_bench(approximate="tanh"), *streaming_bench(approximate="erf")),
)
