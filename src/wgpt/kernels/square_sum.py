"""Sums of squares of a long array, in blocks: the first of two steps to its norm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..gpu import Traits
from .draw import draw
from .grid import MOST, Grid, ceil_div
from .kernel import Arrays, BenchCase, Kernel, Out, Problem, Variant, case, in_fours, reads, writes

_PER_BLOCK = 1 << 14  # elements; fewer than this are not worth a workgroup of their own


def blocks_of(n: int) -> int:
    """How many blocks to sum apart: enough to fill a GPU, few enough for one workgroup to add up."""
    return max(1, min(ceil_div(n, _PER_BLOCK), 1024))


class SquareSum(Kernel):
    """A block is whole vec4s, so that every element is in one block, and always in the same one."""

    name = "square_sum"
    math = "partial[b] = sum over block b of x[i]^2"
    bindings = (reads("x", "vec4<f32>"), writes("partial"))
    params = (("n", "u32"), ("quads", "u32"))
    cases = (
        case("one element", n=1, blocks=1),
        case("a ragged vec4 at the end, blocks of unequal length", n=4099, blocks=3),
        case("blocks that stay empty", n=70, blocks=40),
        case("long sums", n=300_002, blocks=7),
        case("small values", n=1003, blocks=2, values="small"),
        case("whole vec4s, one block", n=2048, blocks=1),
    )
    bench_cases = (
        BenchCase({"n": 1 << 24, "blocks": 1024}, "16 M elements", software=False),
        BenchCase({"n": 460_800, "blocks": 29}, "SmolLM2, LoRA of rank 16 on q and v"),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return {"x": draw(rng, (problem["n"],), problem.get("values", "normal"))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"partial": Out((problem["blocks"],))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        squares = inputs["x"].astype(np.float64) ** 2
        length = 4 * _quads(problem)
        return {"partial": np.array([squares[length * b : length * (b + 1)].sum() for b in range(problem["blocks"])])}

    def flops(self, problem: Problem) -> int:
        return 2 * int(problem["n"])

    def bytes(self, problem: Problem) -> int:
        return 4 * (int(problem["n"]) + int(problem["blocks"]))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """A workgroup to a block, or a thread where barriers are dear."""
        shared: list[Variant] = [{"reduce": "workgroup", "threads": 256}, {"reduce": "workgroup", "threads": 64}]
        alone: Variant = {"reduce": "thread", "threads": 1}
        return [alone, shared[0]] if traits.software else [*shared, alone]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if not 1 <= problem["blocks"] <= MOST:
            return f"blocks must be within 1 and {MOST}, and are {problem['blocks']}"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"n": problem["n"], "quads": _quads(problem)}

    def tune_key(self, problem: Problem) -> str:
        return in_fours(problem["n"], problem["blocks"])

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return (problem["blocks"], 1, 1)


def _quads(problem: Problem) -> int:
    """vec4s to a block."""
    return ceil_div(ceil_div(problem["n"], 4), problem["blocks"])


KERNEL = SquareSum()
