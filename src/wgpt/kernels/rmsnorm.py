"""RMSNorm: each row divided by its root mean square, times a gain."""

from __future__ import annotations

import numpy as np

from .draw import draw
from .kernel import Arrays, Problem, case, reads, writes
from .rows import ELEM, ROW_PARAMS, RowKernel, row_bench, row_cases, wide


class RmsNorm(RowKernel):
    name = "rmsnorm"
    math = "y = x * g / sqrt(mean(x^2) + eps)"
    bindings = (reads("x", ELEM), reads("g", ELEM), writes("y", ELEM))
    params = (*ROW_PARAMS, ("eps", "f32"))
    work = 4
    cases = (
        *row_cases(eps=1e-5),
        case("so small that eps decides", rows=5, hidden=577, eps=1e-6, values="small"),
        case("so large that a sum of squares loses digits", rows=5, hidden=4096, eps=1e-5, values="extreme"),
    )
    bench_cases = row_bench(eps=1e-5)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return {"x": self.rows_of(rng, problem), "g": draw(rng, (problem["hidden"],))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        a = wide(inputs)
        mean_square = np.mean(a["x"] ** 2, axis=1, keepdims=True)
        return {"y": a["x"] * a["g"] / np.sqrt(mean_square + problem["eps"])}

    def bytes(self, problem: Problem) -> int:
        return 8 * self.elements(problem) + 4 * int(problem["hidden"])


KERNEL = RmsNorm()
