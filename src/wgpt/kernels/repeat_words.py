"""A pattern of words, repeated: the scales of random weights, or zeros."""

from __future__ import annotations

from typing import Any

import numpy as np

from .elementwise import Each, each_grid
from .grid import Grid
from .kernel import Arrays, BenchCase, Out, Problem, Variant, case, reads, writes


class RepeatWords(Each):
    name = "repeat_words"
    math = "y[i] = x[i mod period]"
    bindings = (reads("x", "u32"), writes("y", "u32"))
    params = (("n", "u32"), ("period", "u32"))
    cases = (
        case("the last period is cut short", n=1003, period=64),
        case("a period of one word", n=77, period=1),
        case("less than a period", n=40, period=123),
    )
    bench_cases = (BenchCase({"n": 1 << 22, "period": 1536}, "16 MB", False),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return {"x": rng.integers(0, 1 << 32, problem["period"], np.uint32)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["n"],), "u32")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"y": np.resize(inputs["x"], problem["n"]).astype(np.float64)}

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"single": problem["period"] == 1}

    def bytes(self, problem: Problem) -> int:
        return 4 * (int(problem["n"]) + int(problem["period"]))

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return each_grid(problem["n"], variant)


KERNEL = RepeatWords()
