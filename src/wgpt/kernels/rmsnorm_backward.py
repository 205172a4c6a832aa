"""Gradient of RMSNorm with respect to its input, and each row's 1/rms for the weight's gradient."""

from __future__ import annotations

import numpy as np

from .draw import draw
from .kernel import Arrays, Out, Problem, case, reads, writes
from .rows import ELEM, ROW_PARAMS, RowKernel, row_bench, row_cases, wide


class RmsNormBackward(RowKernel):
    name = "rmsnorm_backward"
    math = "r = 1/sqrt(mean(x^2) + eps); dx = r * (g*dy - x * r^2 * mean(x*g*dy))"
    bindings = (reads("x", ELEM), reads("g", ELEM), reads("dy", ELEM), writes("dx", ELEM), writes("rstd"))
    params = (*ROW_PARAMS, ("eps", "f32"))
    work = 10
    cases = (
        # A row of one element is its own norm: with a small eps its dx would be nothing but rounding.
        *row_cases(eps=0.1),
        case("a usual eps", rows=5, hidden=580, eps=1e-5),
        case("so small that eps decides", rows=5, hidden=577, eps=1e-6, values="small"),
        case("large rows: r^2 is tiny, the mean huge", rows=5, hidden=1000, eps=1e-5, values="extreme"),
    )
    bench_cases = row_bench(eps=1e-5)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        shape = (problem["rows"], problem["hidden"])
        return {"x": self.rows_of(rng, problem), "g": draw(rng, shape[1:]), "dy": draw(rng, shape)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"dx": Out((problem["rows"], problem["hidden"])), "rstd": Out((problem["rows"],))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        a = wide(inputs)
        r = 1.0 / np.sqrt(np.mean(a["x"] ** 2, axis=1, keepdims=True) + problem["eps"])
        upstream = a["g"] * a["dy"]
        along = np.mean(a["x"] * upstream, axis=1, keepdims=True)
        return {"dx": r * (upstream - a["x"] * r**2 * along), "rstd": r[:, 0]}

    def bytes(self, problem: Problem) -> int:
        return 12 * self.elements(problem) + 4 * int(problem["hidden"]) + 4 * int(problem["rows"])


KERNEL = RmsNormBackward()
