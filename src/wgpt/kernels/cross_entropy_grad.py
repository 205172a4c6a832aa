"""Weighted cross entropy and its gradient, which takes the place of the logits."""

from __future__ import annotations

import numpy as np

from .cross_entropy import cross_entropy_bench, cross_entropy_cases, random_targets, row_losses
from .kernel import Arrays, Out, Problem, reads, writes
from .rows import ELEM, ROW_PARAMS, RowKernel


class CrossEntropyGrad(RowKernel):
    """In place: a chunk of tokens x vocabulary exists once. Rows of weight 0 are masked, whatever their target."""

    name = "cross_entropy_grad"
    math = "loss[r] = w[r] * (logsumexp(z[r]) - z[r, target[r]]); z[r,c] = w[r] * (softmax(z[r])[c] - [c = target[r]])"
    bindings = (reads("targets", "i32"), reads("weights"), writes("logits", ELEM), writes("loss"))
    params = ROW_PARAMS
    width = "vocab"
    work = 9
    cases = tuple(cross_entropy_cases())
    bench_cases = cross_entropy_bench()

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        """Ignored rows have a weight of 0 here, and the ignored target."""
        targets = random_targets(rng, problem, problem["vocab"])
        weights = rng.exponential(0.1, targets.shape).astype(np.float32)
        weights[targets == problem["ignore_index"]] = 0
        return {"logits": self.rows_of(rng, problem), "targets": targets, "weights": weights}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"logits": Out((problem["rows"], problem["vocab"])), "loss": Out((problem["rows"],))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        rows, w = row_losses(inputs, problem), inputs["weights"].astype(np.float64)
        z = inputs["logits"].astype(np.float64)
        gradient = np.exp(z - rows["peak"][:, None] - rows["log_sum"][:, None])
        used = np.flatnonzero(w)
        gradient[used, inputs["targets"][used]] -= 1.0
        return {"logits": gradient * w[:, None], "loss": rows["loss"] * w}

    def bytes(self, problem: Problem) -> int:
        return 8 * self.elements(problem) + 12 * int(problem["rows"])


KERNEL = CrossEntropyGrad()
