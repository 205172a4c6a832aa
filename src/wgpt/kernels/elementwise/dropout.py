"""Dropout with a counter-based generator: the same seed, step and stream give the same mask in both passes."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from ..draw import draw
from ..grid import ceil_div
from ..kernel import Arrays, Out, Problem, Variant, case, reads, writes
from ..pieces.each import VEC4, Each, streaming_bench
from ..sampling.reference import philox


class Dropout(Each):
    """`seed` is [key, key, step, 0], u32; `stream` distinguishes the places in a model.

    Four elements share a block of Philox 4x32-10 with the counter (index of the four, stream, step, 0).
    """

    name = "dropout"
    math = "y = (y +) x / (1 - rate) where the element's random word is at least rate * 2^32, and 0 elsewhere"
    bindings = (reads("x", VEC4, "n"), reads("seed", "u32", "4"), writes("y", VEC4))
    params = (("n", "u32"), ("stream", "u32"), ("threshold", "u32"), ("factor", "f32"))
    static = ("onto",)
    cases = (
        case("one element", n=1, rate=0.5, stream=0, onto=False),
        case("a ragged tail", n=1027, rate=0.1, stream=7, onto=False),
        case("many workgroups, most dropped", n=33_331, rate=0.9, stream=2**32 - 1, onto=False),
        case("nothing is dropped", n=130, rate=0.0, stream=3, onto=False),
        case("onto a gradient", n=1029, rate=0.3, stream=5, onto=True),
        case("onto a gradient, whole vec4s", n=4096, rate=0.05, stream=6, onto=True),
    )
    bench_cases = streaming_bench(rate=0.05, stream=1, onto=False)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        seed = rng.integers(0, 1 << 32, 4).astype(np.uint32)
        arrays: Arrays = {"x": draw(rng, (problem["n"],)), "seed": seed}
        return {**arrays, "y": draw(rng, (problem["n"],))} if problem["onto"] else arrays

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["n"],))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        quads = np.arange(ceil_div(problem["n"], 4), dtype=np.uint64)
        key, step = (int(inputs["seed"][0]), int(inputs["seed"][1])), int(inputs["seed"][2])
        # philox is typed for single numbers, but works for arrays as well.
        words = philox(cast(Any, (quads, problem["stream"], step, 0)), key)
        kept = np.stack(cast(Any, words), axis=1).reshape(-1)[: problem["n"]] >= _threshold(problem)
        y = np.where(kept, inputs["x"].astype(np.float64) / (1.0 - problem["rate"]), 0.0)
        return {"y": y + inputs["y"] if problem["onto"] else y}

    def bytes(self, problem: Problem) -> int:
        return (12 if problem["onto"] else 8) * int(problem["n"])

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if not 0 <= problem["rate"] < 1:
            return f"rate must be at least 0 and below 1, and is {problem['rate']}"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        scaled = {"threshold": _threshold(problem), "factor": 1.0 / (1.0 - problem["rate"])}
        return {"n": problem["n"], "stream": problem["stream"], **scaled}


def _threshold(problem: Problem) -> int:
    return int(problem["rate"] * 2**32)


KERNEL = Dropout()
