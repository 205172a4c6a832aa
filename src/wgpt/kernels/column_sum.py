"""Sum of a matrix over its rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from .columns import COLUMN_PARAMS, ColumnKernel
from .draw import draw
from .kernel import Arrays, BenchCase, Out, Problem, Variant, case, reads, writes


class ColumnSum(ColumnKernel):
    name = "column_sum"
    math = "y[c] = (y[c] +) sum_r x[r,c]"
    bindings = (reads("x"), writes("y"))
    params = COLUMN_PARAMS
    cases = (
        case("one row, one column", rows=1, hidden=1),
        case("rows that do not divide among the lanes", rows=37, hidden=577),
        case("fewer rows than lanes", rows=3, hidden=70),
        case("a tall matrix: long sums", rows=20_001, hidden=5),
        case("onto a gradient", rows=7, hidden=133, onto=True),
    )
    bench_cases = (BenchCase({"rows": 64, "hidden": 1536}, "partial sums of 4,096 rows"),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        found = {"x": draw(rng, (problem["rows"], problem["hidden"]))}
        return {**found, "y": draw(rng, (problem["hidden"],))} if problem.get("onto") else found

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["hidden"],))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        y = inputs["x"].astype(np.float64).sum(axis=0)
        return {"y": y + inputs["y"] if problem.get("onto") else y}

    def flops(self, problem: Problem) -> int:
        return int(problem["rows"]) * int(problem["hidden"])

    def bytes(self, problem: Problem) -> int:
        return 4 * (int(problem["rows"]) + 1 + bool(problem.get("onto"))) * int(problem["hidden"])

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"onto": bool(problem.get("onto"))}


KERNEL = ColumnSum()
