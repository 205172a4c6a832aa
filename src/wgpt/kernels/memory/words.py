"""Words generated on the GPU: random ones, or a repeated pattern."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu.dtypes import to_bf16
from ..grid import Grid
from ..kernel import Arrays, BenchCase, Out, Problem, Variant, case, reads, writes
from ..pieces.each import Each, each_grid

KINDS = ("bits", "f32", "f16", "bf16")


def hashed(x: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """PCG's output function, in wrapping 32-bit arithmetic."""
    state = x * np.uint32(747796405) + np.uint32(2891336453)
    word = ((state >> ((state >> np.uint32(28)) + np.uint32(4))) ^ state) * np.uint32(277803737)
    return (word >> np.uint32(22)) ^ word


class RandomWords(Each):
    """Random weights generated on the GPU: random bits, or small random numbers of a type.

    Numbers are (byte - 128) * unit, where unit is a power of two. They are the same in every type, with a standard
    deviation of 74 units.
    """

    name = "random_words"
    math = "y[i] = hash(i + seed), as bits or as (byte - 128) * unit"
    bindings = (writes("y", "u32"),)
    params = (("n", "u32"), ("seed", "u32"), ("unit", "f32"))
    static = ("kind",)
    cases = tuple(
        case(why, kind=kind, n=n, seed=seed, unit=2.0**-12)
        for kind in KINDS
        for why, n, seed in (("a ragged last workgroup", 1003, 7), ("a counter that wraps around", 300, 2**32 - 100))
    )
    bench_cases = (BenchCase({"kind": "f16", "n": 1 << 24, "seed": 1, "unit": 2.0**-12}, "32 M weights", False),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return {}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["n"],), "u32")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        bits = hashed(np.arange(problem["n"], dtype=np.uint32) + np.uint32(problem["seed"]))
        if problem["kind"] == "bits":
            return {"y": bits.astype(np.float64)}
        low, high = ((((bits >> s) & 255).astype(np.float32) - 128) * np.float32(problem["unit"]) for s in (0, 8))
        if problem["kind"] == "f32":
            return {"y": low.view(np.uint32).astype(np.float64)}
        pair = np.stack([low, high], axis=1)
        halves = pair.astype(np.float16) if problem["kind"] == "f16" else to_bf16(pair)
        return {"y": halves.view(np.uint32).reshape(-1).astype(np.float64)}

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["n"])

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["kind"] not in KINDS:
            return f"kind must be one of {KINDS}, and is {problem['kind']!r}"
        return None

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return each_grid(problem["n"], variant)


class RepeatWords(Each):
    """A repeated pattern of words: the scales of random weights, or zeros."""

    name = "repeat_words"
    math = "y[i] = x[i mod period]"
    bindings = (reads("x", "u32", "period"), writes("y", "u32"))
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


KERNELS = (RandomWords(), RepeatWords())
