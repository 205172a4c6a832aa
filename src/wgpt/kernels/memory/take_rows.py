"""Some rows of activations, by their indices."""

from __future__ import annotations

import numpy as np

from ..draw import draw
from ..kernel import Arrays, BenchCase, Out, Problem, case, reads, vec4_if, writes
from ..pieces.each import EachInRows

_ELEM = vec4_if("x")


class TakeRows(EachInRows):
    """Rows of a matrix, by indices on the GPU: what follows needs only the last row of each prompt.

    Unlike the rows of an embedding table, those of activations are not padded.
    """

    name = "take_rows"
    math = "y[m,:] = x[ids[m],:]"
    bindings = (reads("ids", "u32", "rows"), reads("x", _ELEM, "of n"), writes("y", _ELEM))
    cases = (
        case("whole loads", rows=5, of=9, n=132),
        case("no whole loads, a ragged last workgroup", rows=37, of=41, n=63),
        case("more rows than there are: some repeat", rows=70, of=3, n=102),
        case("one row of one column", rows=1, of=1, n=1),
    )
    bench_cases = (BenchCase({"rows": 1, "of": 512, "n": 576}, "SmolLM2, the last of 512 tokens"),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        ids = rng.integers(0, problem["of"], problem["rows"], np.uint32)
        return {"ids": ids, "x": draw(rng, (problem["of"], problem["n"]))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["rows"], problem["n"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"y": inputs["x"].astype(np.float64)[inputs["ids"]]}

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["rows"]) * (2 * int(problem["n"]) + 1)


KERNEL = TakeRows()
