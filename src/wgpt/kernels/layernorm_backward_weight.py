"""Gradients of LayerNorm's gain and shift, summed in blocks of rows; `column_sum` adds the blocks."""

from __future__ import annotations

import numpy as np

from .draw import draw
from .grid import ceil_div
from .kernel import Arrays, Out, Problem, reads, writes
from .rmsnorm_backward_weight import RmsNormBackwardWeight
from .rows import wide


class LayerNormBackwardWeight(RmsNormBackwardWeight):
    """A block's row holds the gain's gradient, then the shift's. `stats` is each row's mean and 1/deviation."""

    name = "layernorm_backward_weight"
    math = (
        "partial[b,c] = sum over the rows r of block b of dy[r,c] * (x[r,c] - mean[r]) * rstd[r]; partial[b,n+c] of dy"
    )
    bindings = (reads("x"), reads("dy"), reads("stats", "vec2<f32>"), writes("partial"))

    def cols(self, problem: Problem) -> int:
        return 2 * int(problem["hidden"])

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        shape = (problem["rows"], problem["hidden"])
        mean, rstd = draw(rng, shape[:1]), np.exp(draw(rng, shape[:1]))
        return {"x": draw(rng, shape), "dy": draw(rng, shape), "stats": np.stack([mean, rstd], axis=1)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"partial": Out((problem["blocks"], self.cols(problem)))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        a = wide(inputs)
        mean, rstd = a["stats"][:, :1], a["stats"][:, 1:]
        terms = np.concatenate([a["dy"] * (a["x"] - mean) * rstd, a["dy"]], axis=1)
        block = ceil_div(problem["rows"], problem["blocks"])
        starts = range(0, block * problem["blocks"], block)
        return {"partial": np.stack([terms[s : s + block].sum(axis=0) for s in starts])}

    def flops(self, problem: Problem) -> int:
        return 5 * int(problem["rows"]) * int(problem["hidden"])

    def bytes(self, problem: Problem) -> int:
        rows, hidden = int(problem["rows"]), int(problem["hidden"])
        return 4 * (2 * rows * hidden + 2 * rows + 2 * int(problem["blocks"]) * hidden)


KERNEL = LayerNormBackwardWeight()
