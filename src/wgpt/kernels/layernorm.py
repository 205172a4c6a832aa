"""LayerNorm: each row to mean 0 and variance 1, then a gain and a shift."""

from __future__ import annotations

import numpy as np

from .draw import draw
from .kernel import Arrays, Problem, case, reads, writes
from .rows import ELEM, ROW_PARAMS, RowKernel, row_bench, row_cases, wide


class LayerNorm(RowKernel):
    name = "layernorm"
    math = "y = (x - mean(x)) / sqrt(mean((x - mean(x))^2) + eps) * gamma + beta"
    bindings = (reads("x", ELEM), reads("gamma", ELEM), reads("beta", ELEM), writes("y", ELEM))
    params = (*ROW_PARAMS, ("eps", "f32"))
    work = 8
    cases = (
        *row_cases(eps=1e-5),
        case("an offset of 1000: E[x^2] - E[x]^2 cancels", rows=7, hidden=1000, eps=1e-5, values="offset"),
        case("the same: a mean in f32 is not enough", rows=3, hidden=4097, eps=1e-5, values="offset"),
        case("so small that eps decides", rows=5, hidden=577, eps=1e-6, values="small"),
    )
    bench_cases = row_bench(eps=1e-5)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        gamma, beta = draw(rng, (problem["hidden"],)), draw(rng, (problem["hidden"],))
        return {"x": self.rows_of(rng, problem), "gamma": gamma, "beta": beta}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        a = wide(inputs)
        centred = a["x"] - a["x"].mean(axis=1, keepdims=True)
        variance = np.mean(centred**2, axis=1, keepdims=True)
        return {"y": centred / np.sqrt(variance + problem["eps"]) * a["gamma"] + a["beta"]}

    def bytes(self, problem: Problem) -> int:
        return 8 * self.elements(problem) + 8 * int(problem["hidden"])


KERNEL = LayerNorm()
