"""Gradient of the cross entropy with respect to the logits, from the row statistics of the forward."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..gpu import Traits
from .cross_entropy import cross_entropy_bench, cross_entropy_cases, random_targets, row_losses
from .elementwise import each_grid, each_variants
from .grid import Grid, ceil_div
from .kernel import Arrays, Out, Problem, Variant, reads, writes
from .rows import ELEM, ROW_PARAMS, RowKernel


class CrossEntropyBackward(RowKernel):
    name = "cross_entropy_backward"
    math = "dz[r,c] = (softmax(z[r])[c] - [c = target[r]]) * scale, 0 where target[r] = ignore_index"
    bindings = (
        reads("logits", ELEM),
        reads("targets", "i32"),
        reads("peak"),
        reads("log_sum"),
        writes("dlogits", ELEM),
    )
    params = (*ROW_PARAMS, ("ignore_index", "i32"), ("scale", "f32"))
    width = "vocab"
    work = 5
    cases = tuple(cross_entropy_cases(scale=0.037))
    bench_cases = cross_entropy_bench(scale=1 / 2048)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        targets = random_targets(rng, problem, problem["vocab"])
        inputs = {"logits": self.rows_of(rng, problem), "targets": targets}
        rows = row_losses(inputs, problem)
        return {**inputs, **{name: rows[name].astype(np.float32) for name in ("peak", "log_sum")}}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"dlogits": Out((problem["rows"], problem["vocab"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        rows = row_losses(inputs, problem)
        z = inputs["logits"].astype(np.float64)
        gradient = np.exp(z - rows["peak"][:, None] - rows["log_sum"][:, None])
        used = np.flatnonzero(inputs["targets"] != problem["ignore_index"])
        gradient[used, inputs["targets"][used]] -= 1.0
        gradient[inputs["targets"] == problem["ignore_index"]] = 0.0
        return {"dlogits": gradient * problem["scale"]}

    def bytes(self, problem: Problem) -> int:
        return 8 * self.elements(problem) + 12 * int(problem["rows"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        return [{**style, "x": x} for style in each_variants(traits) for x in ("vec4", "scalar")]

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return each_grid(int(problem["rows"]) * ceil_div(problem["vocab"], 4), variant)


KERNEL = CrossEntropyBackward()
