"""Cross entropy of each row of logits against its target."""

from __future__ import annotations

import numpy as np

from .cross_entropy import cross_entropy_bench, cross_entropy_cases, random_targets, row_losses
from .kernel import Arrays, Out, Problem, reads, writes
from .rows import ELEM, ROW_PARAMS, RowKernel


class CrossEntropyForward(RowKernel):
    """logsumexp is kept as peak + log_sum: their sum in f32 would cost the gradient its digits."""

    name = "cross_entropy_forward"
    math = "loss[r] = logsumexp(z[r]) - z[r, target[r]], 0 where target[r] = ignore_index"
    bindings = (
        reads("logits", ELEM),
        reads("targets", "i32"),
        writes("loss"),
        writes("peak"),
        writes("log_sum"),
    )
    params = (*ROW_PARAMS, ("ignore_index", "i32"))
    width = "vocab"
    work = 4
    cases = tuple(cross_entropy_cases())
    bench_cases = cross_entropy_bench()

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        targets = random_targets(rng, problem, problem["vocab"])
        return {"logits": self.rows_of(rng, problem), "targets": targets}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {name: Out((problem["rows"],)) for name in ("loss", "peak", "log_sum")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return row_losses(inputs, problem)

    def bytes(self, problem: Problem) -> int:
        return 4 * self.elements(problem) + 16 * int(problem["rows"])


KERNEL = CrossEntropyForward()
