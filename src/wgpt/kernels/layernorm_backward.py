"""Gradient of LayerNorm with respect to its input, and the statistics that the gradients of its gain need."""

from __future__ import annotations

import numpy as np

from .draw import draw
from .kernel import Arrays, Out, Problem, case, reads, writes
from .rows import ELEM, ROW_PARAMS, RowKernel, row_bench, row_cases, wide


class LayerNormBackward(RowKernel):
    name = "layernorm_backward"
    math = "h = gamma * dy; n = (x - mean(x)) * r, r = 1/sqrt(var(x) + eps); dx = r * (h - mean(h) - n * mean(h * n))"
    bindings = (
        reads("x", ELEM),
        reads("gamma", ELEM),
        reads("dy", ELEM),
        writes("dx", ELEM),
        writes("stats", "vec2<f32>"),
    )
    params = (*ROW_PARAMS, ("eps", "f32"))
    work = 16
    cases = (
        # A row of one element is its own mean: its dx is 0.
        *row_cases(eps=0.1)[1:],
        case("a usual eps", rows=5, hidden=580, eps=1e-5),
        case("an offset of 1000: E[x^2] - E[x]^2 cancels", rows=7, hidden=1000, eps=1e-5, values="offset"),
        case("so small that eps decides", rows=5, hidden=577, eps=1e-6, values="small"),
    )
    bench_cases = row_bench(eps=1e-5)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        shape = (problem["rows"], problem["hidden"])
        return {"x": self.rows_of(rng, problem), "gamma": draw(rng, shape[1:]), "dy": draw(rng, shape)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"dx": Out((problem["rows"], problem["hidden"])), "stats": Out((problem["rows"], 2))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        a = wide(inputs)
        mean = a["x"].mean(axis=1, keepdims=True)
        r = 1.0 / np.sqrt(np.mean((a["x"] - mean) ** 2, axis=1, keepdims=True) + problem["eps"])
        h, n = a["gamma"] * a["dy"], (a["x"] - mean) * r
        dx = r * (h - h.mean(axis=1, keepdims=True) - n * np.mean(h * n, axis=1, keepdims=True))
        return {"dx": dx, "stats": np.concatenate([mean, r], axis=1)}

    def bytes(self, problem: Problem) -> int:
        return 12 * self.elements(problem) + 4 * int(problem["hidden"]) + 8 * int(problem["rows"])


KERNEL = LayerNormBackward()
