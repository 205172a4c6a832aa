"""Add a multiple of one array to another, in place: gradients of several micro-batches."""

from __future__ import annotations

import numpy as np

from .draw import draw
from .elementwise import VEC4, Each, ragged, streaming_bench
from .kernel import Arrays, Out, Problem, reads, writes
from .rows import wide


class Accumulate(Each):
    """The factor is read from a buffer of one element, so that a recorded step is replayed with another."""

    name = "accumulate"
    math = "y = y + factor[0] * x"
    bindings = (reads("x", VEC4), reads("factor"), writes("y", VEC4))
    params = (("n", "u32"),)
    cases = tuple(ragged())
    bench_cases = streaming_bench()

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return {"x": draw(rng, (problem["n"],)), "factor": draw(rng, (1,)), "y": draw(rng, (problem["n"],))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["n"],))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        a = wide(inputs)
        return {"y": a["y"] + a["factor"][0] * a["x"]}

    def flops(self, problem: Problem) -> int:
        return 2 * int(problem["n"])

    def bytes(self, problem: Problem) -> int:
        return 12 * int(problem["n"])


KERNEL = Accumulate()
