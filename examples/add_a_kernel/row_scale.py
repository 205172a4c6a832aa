"""Row scale: every row of x times a factor of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wgpt.gpu import Traits
from wgpt.kernels.draw import draw
from wgpt.kernels.grid import Grid, ceil_div, linear
from wgpt.kernels.kernel import Arrays, BenchCase, Kernel, Out, Problem, Variant, case, reads, writes


class RowScale(Kernel):
    name = "row_scale"
    math = "y[r, c] = x[r, c] * s[r]"
    bindings = (reads("x", sizes="rows hidden"), reads("s", sizes="rows"), writes("y"))
    params = (("rows", "u32"), ("hidden", "u32"))
    cases = (
        case("one element", rows=1, hidden=1),
        case("a row ends inside a workgroup", rows=3, hidden=100),
        case("exactly one workgroup", rows=1, hidden=256),
        case("a workgroup and one element more", rows=1, hidden=257),
        case("large magnitudes", rows=5, hidden=77, values="extreme"),
    )
    bench_cases = (BenchCase({"rows": 512, "hidden": 576}, "SmolLM2, 512 tokens"),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        rows, hidden = problem["rows"], problem["hidden"]
        return {"x": draw(rng, (rows, hidden), problem.get("values", "normal")), "s": draw(rng, (rows,))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["rows"], problem["hidden"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"y": inputs["x"].astype(np.float64) * inputs["s"].astype(np.float64)[:, None]}

    def flops(self, problem: Problem) -> int:
        return int(problem["rows"] * problem["hidden"])

    def bytes(self, problem: Problem) -> int:
        return int(4 * problem["rows"] * (2 * problem["hidden"] + 1))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """The first is the default: `wgpt tune` may find that another is faster on a GPU."""
        return ({"threads": 256}, {"threads": 64})

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(ceil_div(problem["rows"] * problem["hidden"], variant["threads"]))


KERNEL = RowScale()
