"""The mean of the rows' losses over the rows that count, and how many those are."""

from __future__ import annotations

import numpy as np

from .cross_entropy import IGNORE, random_targets
from .kernel import Arrays, BenchCase, Out, Problem, case, reads, writes
from .rows import ELEM, ROW_PARAMS, RowKernel


class CrossEntropyMean(RowKernel):
    """One row that holds all losses: a workgroup adds them in a fixed order."""

    name = "cross_entropy_mean"
    math = "mean = sum_r loss[r] / count, count = number of r with target[r] != ignore_index (0 rows: mean 0)"
    bindings = (
        reads("loss", ELEM),
        reads("targets", "{{ 'vec4<i32>' if x == 'vec4' else 'i32' }}"),
        writes("mean"),
        writes("count", "u32"),
    )
    params = (*ROW_PARAMS, ("ignore_index", "i32"))
    width = "rows"
    work = 2
    cases = (
        case("one row", rows=1, ignore_index=IGNORE),
        case("a third ignored", rows=1021, ignore_index=IGNORE, ignored=3),
        case("whole chunks, every thread loops", rows=20_000, ignore_index=7, ignored=2),
        case("every row ignored: the mean is 0, not NaN", rows=6, ignore_index=IGNORE, ignored=1),
    )
    bench_cases = (BenchCase({"rows": 2048, "ignore_index": IGNORE}, "4 x 512 tokens"),)

    def rows(self, problem: Problem) -> int:
        return 1

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        targets = random_targets(rng, problem, vocab=50_257)
        losses = rng.exponential(3.0, targets.shape).astype(np.float32)
        losses[targets == problem["ignore_index"]] = 0
        return {"loss": losses, "targets": targets}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"mean": Out((1,)), "count": Out((1,), "u32")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        count = np.count_nonzero(inputs["targets"] != problem["ignore_index"])
        mean = inputs["loss"].sum(dtype=np.float64) / max(count, 1)
        return {"mean": np.array([mean]), "count": np.array([count], np.float64)}

    def bytes(self, problem: Problem) -> int:
        return 8 * int(problem["rows"]) + 8


KERNEL = CrossEntropyMean()
