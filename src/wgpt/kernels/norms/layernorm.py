"""LayerNorm and its gradients. Those of gain and shift are summed in blocks of rows, which `column_sum` adds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..draw import draw
from ..grid import ceil_div
from ..kernel import Arrays, Binding, Out, Problem, Variant, case, reads, writes
from ..pieces.rows import ELEM, ROW_PARAMS, RowKernel, row_bench, row_cases, wide
from .rmsnorm import RmsNormBackwardWeight


class LayerNorm(RowKernel):
    """LayerNorm: normalises each row to mean 0 and variance 1, then applies a gain and a shift.

    With shift=False in the problem, beta is 0 and not bound.
    """

    name = "layernorm"
    math = "y = (x - mean(x)) / sqrt(mean((x - mean(x))^2) + eps) * gamma + beta"
    bindings = (
        reads("x", ELEM, "rows hidden"),
        *(reads(name, ELEM, "hidden") for name in ("gamma", "beta")),
        writes("y", ELEM),
    )
    params = (*ROW_PARAMS, ("eps", "f32"))
    work = 8
    cases = (
        *row_cases(eps=1e-5),
        case("an offset of 1000: E[x^2] - E[x]^2 cancels", rows=7, hidden=1000, eps=1e-5, values="offset"),
        case("the same: a mean in f32 is not enough", rows=3, hidden=4097, eps=1e-5, values="offset"),
        case("so small that eps decides", rows=5, hidden=577, eps=1e-6, values="small"),
        case("without a shift, whole chunks", rows=7, hidden=576, eps=1e-5, shift=False),
        case("without a shift, one element more", rows=3, hidden=1025, eps=1e-5, shift=False),
    )
    bench_cases = row_bench(eps=1e-5)

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return tuple(b for b in self.bindings if b.name != "beta" or _shifts(problem))

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"shift": _shifts(problem)}

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        gamma, beta = draw(rng, (problem["hidden"],)), draw(rng, (problem["hidden"],))
        shift = {"beta": beta} if _shifts(problem) else {}
        return {"x": self.rows_of(rng, problem), "gamma": gamma, **shift}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        a = wide(inputs)
        centred = a["x"] - a["x"].mean(axis=1, keepdims=True)
        variance = np.mean(centred**2, axis=1, keepdims=True)
        return {"y": centred / np.sqrt(variance + problem["eps"]) * a["gamma"] + a.get("beta", 0.0)}

    def bytes(self, problem: Problem) -> int:
        return 8 * self.elements(problem) + 4 * (1 + _shifts(problem)) * int(problem["hidden"])


def _shifts(problem: Problem) -> bool:
    return bool(problem.get("shift", True))


class LayerNormBackward(RowKernel):
    """Gradient of LayerNorm with respect to its input, and the row statistics for the gradient of its gain."""

    name = "layernorm_backward"
    math = "h = gamma * dy; n = (x - mean(x)) * r, r = 1/sqrt(var(x) + eps); dx = r * (h - mean(h) - n * mean(h * n))"
    bindings = (
        reads("x", ELEM, "rows hidden"),
        reads("gamma", ELEM, "hidden"),
        reads("dy", ELEM, "rows hidden"),
        writes("dx", ELEM),
        writes("stats", "vec2<f32>"),
    )
    params = (*ROW_PARAMS, ("eps", "f32"))
    work = 16
    cases = (
        # A row of one element equals its mean, so its dx is 0.
        *row_cases(eps=0.1)[1:],
        case("a usual eps", rows=5, hidden=580, eps=1e-5),
        case("an offset of 1000: E[x^2] - E[x]^2 cancels", rows=7, hidden=1000, eps=1e-5, values="offset"),
        case("so small that eps decides", rows=5, hidden=577, eps=1e-6, values="small"),
    )
    bench_cases = row_bench(eps=1e-5)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        shape = (problem["rows"], problem["hidden"])
        return {"x": self.rows_of(rng, problem), "gamma": draw(rng, shape[1:]), "dy": draw(rng, shape)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"dx": Out((problem["rows"], problem["hidden"])), "stats": Out((problem["rows"], 2))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        a = wide(inputs)
        mean = a["x"].mean(axis=1, keepdims=True)
        r = 1.0 / np.sqrt(np.mean((a["x"] - mean) ** 2, axis=1, keepdims=True) + problem["eps"])
        h, n = a["gamma"] * a["dy"], (a["x"] - mean) * r
        dx = r * (h - h.mean(axis=1, keepdims=True) - n * np.mean(h * n, axis=1, keepdims=True))
        return {"dx": dx, "stats": np.concatenate([mean, r], axis=1)}

    def bytes(self, problem: Problem) -> int:
        return 12 * self.elements(problem) + 4 * int(problem["hidden"]) + 8 * int(problem["rows"])


class LayerNormBackwardWeight(RmsNormBackwardWeight):
    """Gradients of LayerNorm's gain and shift, summed in blocks of rows; `column_sum` adds the blocks.

    Each block's row holds the gradient of the gain, then that of the shift. `stats` holds each row's mean and
    1/deviation.
    """

    name = "layernorm_backward_weight"
    math = (
        "partial[b,c] = sum over the rows r of block b of dy[r,c] * (x[r,c] - mean[r]) * rstd[r]; partial[b,n+c] of dy"
    )
    term = "term_at(row, col)"
    bindings = (
        *(reads(name, sizes="rows hidden") for name in ("x", "dy")),
        reads("stats", "vec2<f32>", "rows 2"),
        writes("partial"),
    )

    def template(self, variant: Variant) -> str:
        return f"{self.name}.wgsl"

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


KERNELS = (LayerNorm(), LayerNormBackward(), LayerNormBackwardWeight())
