"""Softmax of each row."""

from __future__ import annotations

import numpy as np

from ..kernel import Arrays, Problem, case, reads, writes
from ..pieces.rows import ELEM, ROW_PARAMS, RowKernel, row_bench, row_cases


class Softmax(RowKernel):
    name = "softmax"
    math = "y[r,c] = exp(x[r,c] - max_r) / sum_c exp(x[r,c] - max_r)"
    bindings = (reads("x", ELEM, "rows hidden"), writes("y", ELEM))
    params = ROW_PARAMS
    work = 5
    cases = (
        *row_cases(),
        case("up to +-1e4: a bare exp overflows", rows=7, hidden=1000, values="extreme"),
        case("+-80 mixed: the maximum is found late", rows=7, hidden=577, values="swings"),
        case("one -3e38 in a row, as a mask writes it", rows=7, hidden=1000, values="masked"),
        case("nothing but -3e38: one element, weight 1", rows=7, hidden=1, values="masked"),
    )
    bench_cases = row_bench()

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return {"x": self.rows_of(rng, problem)}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        x = inputs["x"].astype(np.float64)
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return {"y": e / e.sum(axis=1, keepdims=True)}

    def bytes(self, problem: Problem) -> int:
        return 8 * self.elements(problem)


KERNEL = Softmax()
