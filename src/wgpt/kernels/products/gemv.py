"""GEMV: one row of activations times resident weights (decode, M = 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...gpu import GpuDevice, Traits
from ...quant.weights import weight_type
from .. import tuning, weighted
from ..grid import Grid, ceil_div, linear
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
    in_twos,
    reads,
    vec4_if,
    writes,
)
from . import gemv_styles


def _cases() -> list[Case]:
    cases = []
    for weight in weighted.WEIGHTS:
        few = weighted.few_cases(weight)
        slow = weight_type(weight).group > 1  # slow to compile, because scales are looked up
        long = 320 if slow else 1280 if few else 1056
        cases += [
            case("whole chunks, as many rows as a model's", weight=weight, n=578, k=256),
            case("K is no multiple of 4, a block or a subgroup", weight=weight, n=37, k=203),
            case("some lanes have more chunks than their neighbours", weight=weight, n=5, k=long),
        ]
        if not few:
            cases.append(case("one row, K below one chunk", weight=weight, n=1, k=3))
    cases.append(case("whole chunks, but not whole blocks", weight=weighted.BYTES, n=5, k=48))
    cases.append(case("more than 65,535 rows: a second grid dimension", weight=weighted.NIBBLES, n=65535 * 2 + 7, k=32))
    cases.append(case("a long row: more than 65,535 steps per invocation", weight="f32", n=24, k=262_148))
    return cases


_LANES = 32  # of the subgroups of most GPUs
_EVEN = " even"  # at the end of a key of `tune_key`: such lanes have equally many chunks of a row

# Template values that turn off what gemv_fused adds around the product.
UNFUSED: dict[str, Any] = {"fused": False, "norm": False, "bias": False, "add": False, "act": "none", "splits": 0}
UNFUSED |= {"lora": (), "parts": 0, "gather": "", "many": False}


class Gemv(Kernel):
    name = "gemv"
    math = "y[n] = sum_k W[n,k] * x[k]"
    bindings: tuple[Binding, ...] = (
        reads("x", vec4_if("x"), "k"),
        reads("w", "{{ 'mat2x4<f16>' if half == 'native' else 'vec4<u32>' if width == 4 else 'u32' }}", ""),
        weighted.PLANES[1],
        writes("y"),
    )
    params: tuple[tuple[str, str], ...] = (("n", "u32"), ("k", "u32"), ("units", "u32"))
    static = ("weight",)
    cases: Sequence[Case] = weighted.CasesOfTypes(_cases)
    bench_cases: tuple[BenchCase, ...] = (
        BenchCase({"weight": "f16", "n": 151936, "k": 1536}, "Qwen2.5-1.5B LM head", software=False),
        BenchCase({"weight": weighted.NIBBLES, "n": 151936, "k": 1536}, "Qwen2.5-1.5B LM head", software=False),
        BenchCase({"weight": weighted.TWO_SCALES, "n": 151936, "k": 1536}, "Qwen2.5-1.5B LM head", software=False),
        *(BenchCase({"weight": w, "n": 8960, "k": 1536}, "Qwen2.5-1.5B up", software=False) for w in weighted.WEIGHTS),
        BenchCase({"weight": "f16", "n": 1536, "k": 8960}, "Qwen2.5-1.5B down", software=False),
        BenchCase({"weight": "f16", "n": 1536, "k": 1536}, "Qwen2.5-1.5B q", software=False),
        BenchCase({"weight": "f16", "n": 576, "k": 576}, "SmolLM2 q", software=False),
        *(
            BenchCase({"weight": w, "n": 1536, "k": 576 if 576 % weight_type(w).block == 0 else 512}, "SmolLM2 up")
            for w in weighted.WEIGHTS
        ),
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return weighted.bound(self.bindings, problem)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        x = rng.standard_normal((problem["k"],)).astype(np.float32)
        return {"x": x, **weighted.random_weights(rng, problem)}

    def operands(self, problem: Problem) -> dict[str, Out]:
        return {**super().operands(problem), **weighted.plane_shapes(problem)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["n"],))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"y": weighted.dequantised(inputs, problem) @ inputs["x"].astype(np.float64)}

    def flops(self, problem: Problem) -> int:
        return 2 * int(problem["n"]) * int(problem["k"])

    def bytes(self, problem: Problem) -> int:
        return weighted.weight_bytes(problem) + 4 * (int(problem["k"]) + int(problem["n"]))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        halves = weighted.half_modes(traits.f16, problem["weight"])
        styles = gemv_styles.styles(traits, problem)
        return [
            {**style, "x": x, "half": half}
            for style in styles
            for half in halves
            for x in ("vec4", "scalar")
            if x == "vec4" or not gemv_styles.for_tuning(style)  # other styles support any K
        ]

    def tuned(self, device: GpuDevice, problem: Problem) -> Variant | None:
        """One shape serves x in two bytes and in three, and other rows of this size if only theirs was tuned."""
        key = self.tune_key(problem)
        other = key.removesuffix(_EVEN) if key.endswith(_EVEN) else key + _EVEN
        variant = super().tuned(device, problem) or tuning.lookup(device, self.name, other)
        return None if variant is None else gemv_styles.with_digits(variant, problem)

    def case_like(self, case: Case, problem: Problem) -> Case:
        """Fused products have `short`, which decides the bytes of x."""
        return replace(case, problem={**case.problem, "short": problem["short"]}) if "short" in problem else case

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        whole = weight_type(problem["weight"]).row_multiple  # rows of weights are padded to a multiple of it; x is not
        if variant["x"] == "vec4" and problem["k"] % whole:
            return f"vec4 loads need K to be a multiple of {whole} for {problem['weight']}, and K is {problem['k']}"
        if variant["stage"]:
            if variant["x"] != "vec4":
                return "x is staged in vec4 loads"
            most = gemv_styles.most_stage_bytes(variant)
            if gemv_styles.stage_bytes(variant, problem) > most:
                return f"x of {problem['k']} does not fit into {most} bytes of workgroup memory"
        return None

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        constants = {**UNFUSED, "straight": gemv_styles.STRAIGHT, "turns": self.turns(problem, variant)}
        if variant["fixed"]:
            constants |= {"n": problem["n"], "k": problem["k"], "units": gemv_styles.units(problem, variant)}
        if variant["reduce"] == "thread":
            constants["units"] = gemv_styles.units(problem, variant)
        if variant["stage"]:
            constants["chunks"] = weighted.chunks_per_row(problem)
        return constants

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"n": problem["n"], "k": problem["k"], "units": gemv_styles.units(problem, variant)}

    def parameters(self, variant: Variant) -> tuple[tuple[str, str], ...]:
        return () if variant["fixed"] else self.params

    def template(self, variant: Variant) -> str:
        return f"gemv_{gemv_styles.kind(variant)}.wgsl"

    def tune_key(self, problem: Problem) -> str:
        """By the sizes of the matrix in powers of two, and by whether lanes share a row evenly, if it is by chunks."""
        even = weight_type(problem["weight"]).whole_codes and weighted.chunks_per_row(problem) % _LANES == 0
        around = "".join(f" {part}" for part in self.around(problem))
        return f"{problem['weight']} {in_twos(problem['n'], problem['k'])}{around}{_EVEN if even else ''}"

    def around(self, problem: Problem) -> list[str]:
        """What is computed beside the product, for `tune_key`."""
        return []

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(ceil_div(problem["n"], gemv_styles.outputs(variant) * self.turns(problem, variant)))

    def turns(self, problem: Problem, variant: Variant) -> int:
        """How often a workgroup takes further rows."""
        return gemv_styles.turns(variant, problem["n"])


KERNEL = Gemv()
