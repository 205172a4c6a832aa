"""Combines the slices of a context that attention_decode wrote."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...gpu import Traits
from ..draw import draw
from ..grid import Grid
from ..kernel import Arrays, BenchCase, Kernel, Out, Problem, Variant, case, reads, writes
from ..pieces.each import each_grid, each_variants
from .attention_decode import HALVES_OR_FLOATS, part_shape


class AttentionCombine(Kernel):
    """Combines the slices of a split context that attention_decode wrote.

    A thread sums one vec4 of a head over the slices. With `halves`, results are rounded to f16, as by attention_decode.
    """

    name = "attention_combine"
    math = "out = sum_s w[s] part[s] / sum_s w[s], w[s] = exp(log_sum[s]) of the slices that have keys"
    bindings = (reads("part", "vec4<f32>", ""), writes("out", HALVES_OR_FLOATS))
    params = (("count", "u32"),)
    static = ("head_dim", "splits")
    cases = (
        case("SmolLM2's heads, some slices empty", rows=5, heads=9, head_dim=64, splits=5),
        case("rows without any key are zero; more slices than lanes", rows=7, heads=2, head_dim=128, splits=37),
        case("two slices of the smallest head", rows=1, heads=1, head_dim=8, splits=2),
        case("results as halves, some slices empty", rows=5, heads=9, head_dim=64, splits=4, halves=True),
        case("halves of f16's largest values", rows=3, heads=3, head_dim=8, splits=2, halves=True, values="largest"),
        case("logarithms of thousands: exp overflows", rows=3, heads=3, head_dim=80, splits=9, values="extreme"),
    )
    bench_cases = (
        BenchCase({"rows": 1, "heads": 9, "head_dim": 64, "splits": 8}, "SmolLM2"),
        BenchCase({"rows": 1, "heads": 12, "head_dim": 128, "splits": 16}, "Qwen2.5-1.5B", software=False),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        part = np.zeros(part_shape(problem), np.float32)
        d, slices = problem["head_dim"], part.shape[:3]
        used = rng.random(slices) < 0.7
        used[::3, :, -1] = True
        used[1::3] = False
        values, kind = draw(rng, (*slices, d)), problem.get("values", "normal")
        if kind == "largest":
            values, kind = np.copysign(np.float32(65504), values), "normal"
        part[..., :d] = values * used[..., None]
        part[..., d] = (3 + draw(rng, slices, kind)) * used
        part[..., d + 1] = used
        return {"part": part}

    def operands(self, problem: Problem) -> dict[str, Out]:
        return {"part": Out(part_shape(problem))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        dtype = "f16" if problem.get("halves") else "f32"
        return {"out": Out((problem["rows"], problem["heads"] * problem["head_dim"]), dtype)}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        d, part = problem["head_dim"], inputs["part"].astype(np.float64)
        used = part[..., d + 1] > 0
        peak = np.where(used, part[..., d], -np.inf).max(axis=-1, keepdims=True)
        weight = np.where(used, np.exp(part[..., d] - np.where(np.isfinite(peak), peak, 0)), 0)
        total = weight.sum(axis=-1)[..., None]
        out = (weight[..., None] * part[..., :d]).sum(axis=2) / np.where(total > 0, total, 1)
        return {"out": out.reshape(problem["rows"], -1)}

    def flops(self, problem: Problem) -> int:
        return 2 * int(np.prod(part_shape(problem)))

    def bytes(self, problem: Problem) -> int:
        return 4 * int(np.prod(part_shape(problem))) + 4 * int(np.prod(self.outputs(problem)["out"].shape))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        return each_variants(traits)

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        return None if problem["head_dim"] % 4 == 0 else f"head_dim must be whole vec4s, and is {problem['head_dim']}"

    def baked(self, problem: Problem, variant: Variant) -> dict[str, bool]:
        return {"halves": problem.get("halves", False)}

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, int]:
        return {"count": problem["rows"] * problem["heads"] * problem["head_dim"] // 4}

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return each_grid(self.uniforms(problem, variant)["count"], variant)


COMBINE = AttentionCombine()
KERNEL = COMBINE
