"""Sums of consecutive rows: the mean of a text's hidden states, or one row of them."""

from __future__ import annotations

import numpy as np

from ..draw import draw
from ..kernel import Arrays, BenchCase, Out, Problem, case, reads, vec4_if, writes
from ..pieces.each import EachInRows

_ELEM = vec4_if("x")


class SumRows(EachInRows):
    """A thread sums one vec4 of a span in order, so that results are reproducible. A span of no rows is zero; a span of
    one row is a copy of it.

    `ends`: how the spans of random inputs lie; "whole": one for all rows.
    """

    name = "sum_rows"
    math = "y[s,:] = sum of x[first,:] .. x[first + count - 1,:], (first, count) = spans[s]"
    bindings = (reads("x", _ELEM, "rows n"), reads("spans", "vec2<u32>", "spans 2"), writes("y", _ELEM))
    rows_key = "spans"
    cases = (
        case("spans of all lengths, whole loads", rows=97, spans=13, n=68),
        case("nothing a multiple of four", rows=61, spans=7, n=45),
        case("one long span", rows=2048, spans=1, n=36, ends="whole"),
        case("more spans than rows: some are empty", rows=5, spans=40, n=20),
        case("one value", rows=1, spans=1, n=1, ends="whole"),
    )
    bench_cases = (
        BenchCase({"rows": 512, "spans": 16, "n": 576}, "SmolLM2, 16 texts of 32 tokens, or fewer"),
        BenchCase({"rows": 2048, "spans": 1, "n": 1536, "ends": "whole"}, "Qwen2.5-1.5B, a long text", software=False),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        rows, spans = problem["rows"], problem["spans"]
        pairs = np.zeros((spans, 2), np.uint32)
        pairs[:, 0] = 0 if problem.get("ends") == "whole" else rng.integers(0, rows, spans)
        pairs[:, 1] = rows if problem.get("ends") == "whole" else rng.integers(0, rows - pairs[:, 0] + 1)
        return {"x": draw(rng, (rows, problem["n"])), "spans": pairs}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["spans"], problem["n"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        before = np.zeros((problem["rows"] + 1, problem["n"]))  # sums of the rows before each
        np.cumsum(inputs["x"].astype(np.float64), axis=0, out=before[1:])
        first, count = inputs["spans"].astype(np.int64).T
        return {"y": before[first + count] - before[first]}

    def flops(self, problem: Problem) -> int:
        return int(problem["rows"]) * int(problem["n"])

    def bytes(self, problem: Problem) -> int:
        rows, spans, n = (int(problem[key]) for key in ("rows", "spans", "n"))
        return 4 * (rows + spans) * n + 8 * spans


KERNEL = SumRows()
