"""RMSNorm and its gradients. That of the gain is summed in blocks of rows, which `column_sum` adds."""

from __future__ import annotations

import numpy as np

from ..draw import draw
from ..grid import ceil_div
from ..kernel import Arrays, BenchCase, Binding, Out, Problem, case, reads, writes
from ..pieces.columns import COLUMN_PARAMS, ColumnKernel
from ..pieces.rows import ELEM, ROW_PARAMS, RowKernel, row_bench, row_cases, wide


class RmsNorm(RowKernel):
    """RMSNorm: divides each row by its root mean square and multiplies it by a gain."""

    name = "rmsnorm"
    math = "y = x * g / sqrt(mean(x^2) + eps)"
    bindings = (reads("x", ELEM, "rows hidden"), reads("g", ELEM, "hidden"), writes("y", ELEM))
    params = (*ROW_PARAMS, ("eps", "f32"))
    work = 4
    cases = (
        *row_cases(eps=1e-5),
        case("so small that eps decides", rows=5, hidden=577, eps=1e-6, values="small"),
        case("so large that a sum of squares loses digits", rows=5, hidden=4096, eps=1e-5, values="extreme"),
    )
    bench_cases = row_bench(eps=1e-5)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return {"x": self.rows_of(rng, problem), "g": draw(rng, (problem["hidden"],))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        a = wide(inputs)
        mean_square = np.mean(a["x"] ** 2, axis=1, keepdims=True)
        return {"y": a["x"] * a["g"] / np.sqrt(mean_square + problem["eps"])}

    def bytes(self, problem: Problem) -> int:
        return 8 * self.elements(problem) + 4 * int(problem["hidden"])


class RmsNormBackward(RowKernel):
    """Gradient of RMSNorm with respect to its input, and each row's 1/rms for the gradient of the gain."""

    name = "rmsnorm_backward"
    math = "r = 1/sqrt(mean(x^2) + eps); dx = r * (g*dy - x * r^2 * mean(x*g*dy))"
    bindings = (
        reads("x", ELEM, "rows hidden"),
        reads("g", ELEM, "hidden"),
        reads("dy", ELEM, "rows hidden"),
        writes("dx", ELEM),
        writes("rstd"),
    )
    params = (*ROW_PARAMS, ("eps", "f32"))
    work = 10
    cases = (
        # A row of one element equals its norm: with a small eps its dx would be only rounding error.
        *row_cases(eps=0.1),
        case("a usual eps", rows=5, hidden=580, eps=1e-5),
        case("so small that eps decides", rows=5, hidden=577, eps=1e-6, values="small"),
        case("large rows: r^2 is tiny, the mean huge", rows=5, hidden=1000, eps=1e-5, values="extreme"),
    )
    bench_cases = row_bench(eps=1e-5)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        shape = (problem["rows"], problem["hidden"])
        return {"x": self.rows_of(rng, problem), "g": draw(rng, shape[1:]), "dy": draw(rng, shape)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"dx": Out((problem["rows"], problem["hidden"])), "rstd": Out((problem["rows"],))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        a = wide(inputs)
        r = 1.0 / np.sqrt(np.mean(a["x"] ** 2, axis=1, keepdims=True) + problem["eps"])
        upstream = a["g"] * a["dy"]
        along = np.mean(a["x"] * upstream, axis=1, keepdims=True)
        return {"dx": r * (upstream - a["x"] * r**2 * along), "rstd": r[:, 0]}

    def bytes(self, problem: Problem) -> int:
        return 12 * self.elements(problem) + 4 * int(problem["hidden"]) + 4 * int(problem["rows"])


class RmsNormBackwardWeight(ColumnKernel):
    """Gradient of RMSNorm's gain, summed in blocks of rows; `column_sum` adds the blocks."""

    name = "rmsnorm_backward_weight"
    math = "partial[b,c] = sum over the rows r of block b of dy[r,c] * x[r,c] * rstd[r]"
    term = "dy[i] * x[i] * rstd[row]"
    bindings: tuple[Binding, ...] = (
        *(reads(name, sizes="rows hidden") for name in ("x", "dy")),
        reads("rstd", sizes="rows"),
        writes("partial"),
    )
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


KERNELS = (RmsNorm(), RmsNormBackward(), RmsNormBackwardWeight())
