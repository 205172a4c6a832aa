"""The norm of a gradient from its sums of squares, and the factor that clips it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..gpu import Traits
from .adamw_flat import hyper
from .grid import Grid
from .kernel import Arrays, BenchCase, Kernel, Out, Problem, Variant, case, reads, writes

_SMALL = 1e-6  # as clip_grad_norm_ of torch has it


class Clip(Kernel):
    """For adamw_flat: [factor, norm, 1 if the norm is finite else 0, 0]. No clipping where max_norm is 0 in `hyper`."""

    name = "clip"
    math = "norm = sqrt(sum_b partial[b]); factor = min(1, max_norm / (norm + 1e-6))"
    bindings = (reads("partial"), reads("hyper"), writes("clip"))
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


KERNEL = Clip()
