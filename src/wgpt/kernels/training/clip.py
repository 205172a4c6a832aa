"""The norm of a gradient in two steps, and the factor for clipping."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from ..draw import draw
from ..grid import MOST, Grid, ceil_div
from ..kernel import Arrays, BenchCase, Kernel, Out, Problem, Variant, case, in_fours, reads, writes
from .adamw import HYPER_BINDING, hyper

_PER_BLOCK = 1 << 14  # elements; fewer are not worth a separate workgroup


def blocks_of(n: int) -> int:
    """How many blocks to sum separately: enough to fill a GPU, few enough for one workgroup to add."""
    return max(1, min(ceil_div(n, _PER_BLOCK), 1024))


class SquareSum(Kernel):
    """Sums of squares of a long array, in blocks: the first of two steps to its norm.

    A block consists of whole vec4s, and an element is always in the same block.
    """

    name = "square_sum"
    math = "partial[b] = sum over block b of x[i]^2"
    bindings = (reads("x", "vec4<f32>", "n"), writes("partial"))
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
        """One workgroup per block, or one thread where barriers are expensive."""
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
    """vec4s per block."""
    return ceil_div(ceil_div(problem["n"], 4), problem["blocks"])


_SMALL = 1e-6  # as in torch.nn.utils.clip_grad_norm_


class Clip(Kernel):
    """The norm of a gradient from its sums of squares, and the factor for clipping.

    The output for adamw_flat is [factor, norm, 1 if the norm is finite else 0, 0]. If max_norm in `hyper` is 0, the
    factor is 1.
    """

    name = "clip"
    math = "norm = sqrt(sum_b partial[b]); factor = min(1, max_norm / (norm + 1e-6))"
    bindings = (reads("partial", sizes="blocks"), HYPER_BINDING, writes("clip"))
    params = (("blocks", "u32"),)
    cases = (
        case("one block, clipped", blocks=1, max_norm=0.3),
        case("many blocks, clipped", blocks=1003, max_norm=1.0),
        case("below the limit", blocks=7, max_norm=1e6),
        case("no limit", blocks=65, max_norm=0.0),
        case("a gradient of zeros", blocks=3, max_norm=1.0, values="zero"),
        case("NaN among the gradients", blocks=300, max_norm=1.0, values="nan"),
        case("squares that overflow", blocks=5, max_norm=1.0, values="inf"),
    )
    bench_cases = (BenchCase({"blocks": 29, "max_norm": 1.0}, "SmolLM2, LoRA of rank 16 on q and v"),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        partial = rng.exponential(2.0, (problem["blocks"],)).astype(np.float32)
        kind = problem.get("values", "normal")
        if kind == "zero":
            partial[:] = 0
        elif kind != "normal":
            partial[-2] = np.nan if kind == "nan" else np.inf
        return {"partial": partial, "hyper": hyper(1e-3, 0.9, 0.999, 1e-8, 0.01, 7, problem["max_norm"])}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"clip": Out((4,))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        norm = float(np.sqrt(inputs["partial"].astype(np.float64).sum()))
        if not np.isfinite(norm):
            return {"clip": np.array([0.0, norm, 0.0, 0.0])}
        factor = min(1.0, problem["max_norm"] / (norm + _SMALL)) if problem["max_norm"] > 0 else 1.0
        return {"clip": np.array([factor, norm, 1.0, 0.0])}

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["blocks"]) + 64

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        shared: list[Variant] = [{"threads": 256}, {"threads": 64}]
        alone: Variant = {"threads": 1}
        return [alone, shared[1]] if traits.software else [*shared, alone]

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return (1, 1, 1)


KERNELS = (SquareSum(), Clip())
