"""Gradient of RMSNorm's gain, summed in blocks of rows; `column_sum` adds the blocks."""

from __future__ import annotations

import numpy as np

from .columns import COLUMN_PARAMS, ColumnKernel
from .draw import draw
from .grid import ceil_div
from .kernel import Arrays, BenchCase, Binding, Out, Problem, case, reads, writes
from .rows import wide


class RmsNormBackwardWeight(ColumnKernel):
    name = "rmsnorm_backward_weight"
    math = "partial[b,c] = sum over the rows r of block b of dy[r,c] * x[r,c] * rstd[r]"
    bindings: tuple[Binding, ...] = (reads("x"), reads("dy"), reads("rstd"), writes("partial"))
    params = COLUMN_PARAMS
    cases = (
        case("one row, one column", rows=1, hidden=1, blocks=1),
        case("a ragged last block", rows=37, hidden=577, blocks=4),
        case("blocks of one row", rows=3, hidden=70, blocks=3),
        case("blocks that stay empty: 5 of 8 hold the 9 rows", rows=9, hidden=70, blocks=8),
        case("a tall matrix", rows=4099, hidden=33, blocks=65),
    )
    bench_cases = (
        BenchCase({"rows": 512, "hidden": 576, "blocks": 8}, "SmolLM2, 512 tokens"),
        BenchCase({"rows": 4096, "hidden": 1536, "blocks": 64}, "Qwen2.5-1.5B, 4,096 tokens", software=False),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        shape = (problem["rows"], problem["hidden"])
        return {"x": draw(rng, shape), "dy": draw(rng, shape), "rstd": np.exp(draw(rng, shape[:1]))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"partial": Out((problem["blocks"], problem["hidden"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        a = wide(inputs)
        terms = a["dy"] * a["x"] * a["rstd"][:, None]
        block = ceil_div(problem["rows"], problem["blocks"])
        starts = range(0, block * problem["blocks"], block)
        return {"partial": np.stack([terms[s : s + block].sum(axis=0) for s in starts])}

    def flops(self, problem: Problem) -> int:
        return 3 * int(problem["rows"]) * int(problem["hidden"])

    def bytes(self, problem: Problem) -> int:
        rows, hidden = int(problem["rows"]), int(problem["hidden"])
        return 4 * (2 * rows * hidden + rows + int(problem["blocks"]) * hidden)


KERNEL = RmsNormBackwardWeight()
