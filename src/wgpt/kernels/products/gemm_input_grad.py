"""Gradient of a linear layer's input: rows of dy times weights of any type, decoded on the fly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from .. import weighted
from ..draw import draw
from ..grid import Grid
from ..kernel import (
    Arrays,
    BenchCase,
    Binding,
    Case,
    Kernel,
    Out,
    Problem,
    Variant,
    case,
    in_fours,
    reads,
    vec4_if,
    writes,
)
from . import tiles


def problem_of(weight: str, m: int, n: int, k: int, **more: Any) -> dict[str, Any]:
    """A complete problem. dy is columns at .. at + n - 1 of rows of `width`."""
    defaults = {"width": n, "at": 0, "add": False, "onto": False, "blocks": 1}
    return {"weight": weight, "m": m, "n": n, "k": k, **defaults, **more}


def blocks_of(traits: Traits, m: int, n: int, k: int) -> int:
    """How many blocks of n to sum separately."""
    return tiles.blocks_of(traits, m, k, n)


def _cases() -> list[Case]:
    cases = []
    for weight in weighted.WEIGHTS:  # few rows, because their tile compiles fast on a software driver
        cases.append(case("nothing is a multiple of anything", **problem_of(weight, 5, 67, 203)))
        if not weighted.few_cases(weight):
            cases.append(case("whole quads", **problem_of(weight, 4, 64, 128)))
    return [
        *cases,
        case("blocks of 256 in whole rows", **problem_of(weighted.GROUPS, 9, 36, 512)),
        case("one row", **problem_of(weighted.NIBBLES, 1, 132, 96)),
        case("whole tiles", **problem_of(weighted.NIBBLES, 128, 64, 128)),
        case("ragged tiles", **problem_of(weighted.NIBBLES, 37, 67, 203)),
        case("one row, one column, N below a quad", **problem_of("f32", 1, 3, 1)),
        case("the residual's gradient, ragged tiles", **problem_of("f16", 37, 68, 132, add=True)),
        case("the residual's gradient, no quads", **problem_of("f16", 19, 7, 67, add=True)),
        case("the middle of wider rows", **problem_of(weighted.TABLE, 19, 36, 96, width=120, at=40)),
        case("columns begin inside a load", **problem_of("f32", 7, 36, 32, width=120, at=42, onto=True)),
        case("onto others, both sums at once", **problem_of("f32", 21, 12, 67, width=24, at=12, add=True, onto=True)),
        case("a tall result: many tile rows", **problem_of(weighted.NIBBLES, 2063, 12, 36)),
        case("in blocks, the last one ragged", **problem_of("f16", 19, 300, 68, width=320, at=12, blocks=3)),
        case("in blocks, no quads, one stays empty", **problem_of("f32", 5, 97, 67, blocks=5)),
    ]


class GemmInputGrad(Kernel):
    """With `add`, r is added. With `onto`, the result is added to dx, so that the parts of a split layer are summed.

    With blocks > 1, dx is [blocks, m, k]: partial sums over blocks of n, which `column_sum` adds.
    """

    name = "gemm_input_grad"
    math = "dx[m,k] = (dx[m,k] +) (r[m,k] +) sum_n dy[m,at+n] * W[n,k], each part where it is asked for"
    bindings = (
        reads("dy", vec4_if("load"), "m width"),
        *weighted.PLANES,
        reads("r", vec4_if("store"), "m k"),
        writes("dx", vec4_if("store")),
    )
    params = tuple((name, "u32") for name in ("m", "n", "k", "quads", "width", "at", "block"))
    static = ("weight",)
    cases = weighted.CasesOfTypes(_cases)
    bench_cases = (
        BenchCase(problem_of("f16", 2048, 576, 576), "SmolLM2 q, 4x512 tokens", software=False),
        BenchCase(problem_of("f16", 2048, 3072, 576), "SmolLM2 gate and up, 4x512 tokens", software=False),
        BenchCase(problem_of(weighted.NIBBLES, 2048, 576, 1536), "SmolLM2 down, 4x512 tokens", software=False),
        BenchCase(problem_of(weighted.TABLE, 2048, 576, 1536), "SmolLM2 down, 4x512 tokens", software=False),
        BenchCase(problem_of("f16", 2048, 17920, 1536), "Qwen2.5-1.5B gate and up, 4x512 tokens", software=False),
        BenchCase(problem_of("f16", 2048, 1536, 8960), "Qwen2.5-1.5B down, 4x512 tokens", software=False),
        BenchCase(problem_of("f16", 1024, 49152, 576, blocks=3), "SmolLM2's head, 1,024 tokens", software=False),
        BenchCase(problem_of(weighted.NIBBLES, 128, 576, 1536), "SmolLM2 down, 128 tokens", software=True),
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return tuple(b for b in weighted.bound(self.bindings, problem) if b.name != "r" or problem["add"])

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        arrays = {"dy": draw(rng, (problem["m"], problem["width"])), **weighted.random_weights(rng, problem)}
        for name, key in (("r", "add"), ("dx", "onto")):
            if problem[key]:
                arrays[name] = draw(rng, (problem["m"], problem["k"]))
        return arrays

    def operands(self, problem: Problem) -> dict[str, Out]:
        return {**super().operands(problem), **weighted.plane_shapes(problem)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        shape = (problem["m"], problem["k"])
        return {"dx": Out(shape if problem["blocks"] == 1 else (problem["blocks"], *shape))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        dy = inputs["dy"].astype(np.float64)[:, problem["at"] : problem["at"] + problem["n"]]
        weights = weighted.dequantised(inputs, problem)
        if problem["blocks"] > 1:
            parts = tiles.slices(problem["n"], problem["blocks"])
            return {"dx": np.stack([dy[:, part] @ weights[part] for part in parts])}
        dx = dy @ weights
        for name, key in (("r", "add"), ("dx", "onto")):
            if problem[key]:
                dx = dx + inputs[name]
        return {"dx": dx}

    def flops(self, problem: Problem) -> int:
        return 2 * int(problem["m"]) * int(problem["n"]) * int(problem["k"])

    def bytes(self, problem: Problem) -> int:
        m, n, k = int(problem["m"]), int(problem["n"]), int(problem["k"])
        return weighted.weight_bytes(problem) + 4 * m * (n + k * (problem["blocks"] + problem["add"] + problem["onto"]))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        load = "scalar" if any(problem[key] % 4 for key in ("n", "width", "at")) else "vec4"
        store = "scalar" if problem["k"] % 4 else "vec4"
        accesses = {(load, store): None, ("scalar", "scalar"): None}
        halves = weighted.half_modes(traits.f16, problem["weight"])
        styles = tiles.styles(traits, problem["m"], problem["k"], blocks=problem["blocks"])
        if traits.software:  # compiling takes seconds, and neither native halves nor scalar loads are faster
            accesses, halves, styles = {(load, store): None}, halves[:1], [styles[0], styles[-1]]
        return [
            {**style, "half": half, "load": load, "store": store}
            for half in halves
            for style in styles
            for load, store in accesses
        ]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["at"] + problem["n"] > problem["width"]:
            return f"{problem['n']} columns from {problem['at']} on exceed rows of {problem['width']}"
        if variant["load"] == "vec4" and any(problem[key] % 4 for key in ("n", "width", "at")):
            sizes = ", ".join(f"{key}={problem[key]}" for key in ("n", "width", "at"))
            return f"vec4 loads need n, width and at to be multiples of 4, and they are {sizes}"
        if variant["store"] == "vec4" and problem["k"] % 4:
            return f"vec4 stores need K to be a multiple of 4, and K is {problem['k']}"
        if problem["blocks"] > 1 and (problem["add"] or problem["onto"]):
            return "sums in blocks fill a buffer of their own: no add, and no onto"
        return tiles.too_large(problem["m"], problem["k"], variant)

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, int]:
        """The template's n is the width of the result, and its k the dimension that is summed over."""
        quads = weighted.weight_type(problem["weight"]).padded(problem["k"]) // 4
        block = tiles.block_of(problem["n"], problem["blocks"])
        slice_ = {"width": problem["width"], "at": problem["at"], "block": block}
        return {"m": problem["m"], "n": problem["k"], "k": problem["n"], "quads": quads, **slice_}

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        split = problem["blocks"] > 1
        return {"compute": "f32", "add": problem["add"], "onto": problem["onto"], "split": split}

    def tune_key(self, problem: Problem) -> str:
        blocks = " in blocks" if problem["blocks"] > 1 else ""
        return f"{problem['weight']} {in_fours(problem['m'], problem['k'])}{blocks}"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        x, y, _ = tiles.grid(problem["m"], problem["k"], variant)
        return (x, y, problem["blocks"])


KERNEL = GemmInputGrad()
