"""Sum of a matrix over its rows."""

from __future__ import annotations

import numpy as np

from .columns import COLUMN_PARAMS, ColumnKernel
from .draw import draw
from .kernel import Arrays, BenchCase, Out, Problem, case, reads, writes


class ColumnSum(ColumnKernel):
    name = "column_sum"
    math = "y[c] = sum_r x[r,c]"
    bindings = (reads("x"), writes("y"))
    params = COLUMN_PARAMS
    cases = (
        case("one row, one column", rows=1, hidden=1),
        case("rows that do not divide among the lanes", rows=37, hidden=577),
        case("fewer rows than lanes", rows=3, hidden=70),
        case("a tall matrix: long sums", rows=20_001, hidden=5),
    )
    bench_cases = (BenchCase({"rows": 64, "hidden": 1536}, "partial sums of 4,096 rows"),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return {"x": draw(rng, (problem["rows"], problem["hidden"]))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["hidden"],))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"y": inputs["x"].astype(np.float64).sum(axis=0)}

    def flops(self, problem: Problem) -> int:
        return int(problem["rows"]) * int(problem["hidden"])

    def bytes(self, problem: Problem) -> int:
        return 4 * (int(problem["rows"]) + 1) * int(problem["hidden"])


KERNEL = ColumnSum()
