"""Column sums in a fixed order (within blocks of rows, then over the blocks), so that results are reproducible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from ..draw import draw
from ..grid import MOST, Grid, ceil_div, linear
from ..kernel import Arrays, BenchCase, Kernel, Out, Problem, Variant, case, in_fours, reads, writes

COLUMN_PARAMS = (("rows", "u32"), ("cols", "u32"), ("block", "u32"))
ROWS_PER_BLOCK = 64


def row_blocks(rows: int) -> int:
    """How many blocks to sum separately: enough to fill a GPU, few enough to add in one small dispatch."""
    return min(ceil_div(rows, ROWS_PER_BLOCK), 1024)


class ColumnKernel(Kernel):
    """out[block, col] = sum of a term over the block's rows; by default there is one block.

    `term` is a WGSL expression of `row`, `col` and the flat index i; `result` is the binding for the sums.
    """

    term: str
    result = "partial"

    def blocks(self, problem: Problem) -> int:
        return int(problem.get("blocks", 1))

    def cols(self, problem: Problem) -> int:
        return int(problem["hidden"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """`lanes` threads share a column and add their sums in workgroup memory; a single lane needs no barrier."""
        shared: list[Variant] = [{"threads": 256, "lanes": 8}, {"threads": 256, "lanes": 32}]
        alone: Variant = {"threads": 64, "lanes": 1}
        return [alone, *shared] if traits.software else [*shared, alone]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if not 1 <= self.blocks(problem) <= MOST:
            return f"blocks must be within 1 and {MOST}, and are {self.blocks(problem)}"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        block = ceil_div(problem["rows"], self.blocks(problem))
        return {"rows": problem["rows"], "cols": self.cols(problem), "block": block}

    def template(self, variant: Variant) -> str:
        return "columns.wgsl"

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"term": self.term, "result": self.result}

    def tune_key(self, problem: Problem) -> str:
        return in_fours(problem["rows"], self.cols(problem))

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        x, z, _ = linear(ceil_div(self.cols(problem), variant["threads"] // variant["lanes"]))
        return (x, self.blocks(problem), z)


class ColumnSum(ColumnKernel):
    """Sums a matrix over its rows."""

    name = "column_sum"
    math = "y[c] = (y[c] +) sum_r x[r,c]"
    term, result = "x[i]", "y"
    bindings = (reads("x", sizes="rows hidden"), writes("y"))
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
        arrays = {"x": draw(rng, (problem["rows"], problem["hidden"]))}
        return {**arrays, "y": draw(rng, (problem["hidden"],))} if problem.get("onto") else arrays

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
        return {**super().baked(problem, variant), "before": "y[col] + " if problem.get("onto") else ""}


KERNEL = ColumnSum()
