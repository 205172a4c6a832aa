"""GEMM: many rows of activations times resident weights (prefill, batches, training; M > 1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.errors import PreconditionError
from ...gpu import Traits
from .. import weighted
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


def _cases() -> list[Case]:
    cases = []
    for weight, compute in [(w, "f32") for w in weighted.WEIGHTS] + [("f16", "f16"), (weighted.NIBBLES, "f16")]:
        kind = {"weight": weight, "compute": compute}
        few = weighted.few_cases(weight)
        cases += [
            case("as wide as a model's, ragged tiles", **kind, m=133, n=644, k=512 if few else 64),
            case("nothing is a multiple of anything", **kind, m=37, n=67, k=203),
        ]
        if not few:
            cases.append(case("vec4 rows, ragged tiles, K below the depth", **kind, m=5, n=132, k=36))
            cases.append(case("two rows, one column, K below a quad", **kind, m=2, n=1, k=3))
    cases.append(case("whole tiles", weight="f16", compute="f32", m=128, n=128, k=64))
    cases.append(case("a batch that decodes: few rows, a long K", weight="f16", compute="f32", m=13, n=36, k=1044))
    cases.append(case("a tall result: many tile rows", weight=weighted.NIBBLES, compute="f32", m=2063, n=12, k=32))
    return cases


def _bench(
    weight: str, m: int, n: int, k: int, note: str, *, compute: str = "f32", software: bool | None = False
) -> BenchCase:
    return BenchCase({"weight": weight, "compute": compute, "m": m, "n": n, "k": k}, note, software)


class Gemm(Kernel):
    name = "gemm"
    math = "y[m,n] = sum_k x[m,k] * W[n,k]"
    bindings: tuple[Binding, ...] = (
        reads("x", vec4_if("load"), "m k"),
        *weighted.PLANES,
        writes("y", vec4_if("store")),
    )
    params: tuple[tuple[str, str], ...] = (("m", "u32"), ("n", "u32"), ("k", "u32"), ("quads", "u32"))
    static = ("weight", "compute")
    # Weight types for which software drivers run the team variants, only to check them.
    software_teams: tuple[str, ...] = ("f16", weighted.NIBBLES, weighted.TABLE)
    cases: Sequence[Case] = weighted.CasesOfTypes(_cases)
    bench_cases: tuple[BenchCase, ...] = (
        _bench("f32", 4096, 4096, 4096, "4096^3"),
        _bench("f16", 4096, 4096, 4096, "4096^3"),
        _bench("f16", 4096, 4096, 4096, "4096^3, f16 arithmetic", compute="f16"),
        _bench(weighted.NIBBLES, 4096, 4096, 4096, "4096^3"),
        _bench(weighted.GROUPS, 4096, 4096, 4096, "4096^3"),
        _bench(weighted.TWO_SCALES, 4096, 4096, 4096, "4096^3"),
        _bench("f16", 512, 8960, 1536, "Qwen2.5-1.5B up, prefill"),
        _bench("f16", 512, 576, 576, "SmolLM2 q, prefill"),
        _bench("f32", 512, 1536, 576, "SmolLM2 up, prefill", software=None),
        _bench(weighted.NIBBLES, 512, 1536, 576, "SmolLM2 up, prefill", software=None),
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return weighted.bound(self.bindings, problem)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        x = rng.standard_normal((problem["m"], problem["k"])).astype(np.float32)
        return {"x": x, **weighted.random_weights(rng, problem)}

    def operands(self, problem: Problem) -> dict[str, Out]:
        return {**super().operands(problem), **weighted.plane_shapes(problem)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["m"], problem["n"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"y": inputs["x"].astype(np.float64) @ weighted.dequantised(inputs, problem).T}

    def flops(self, problem: Problem) -> int:
        return 2 * int(problem["m"]) * int(problem["n"]) * int(problem["k"])

    def bytes(self, problem: Problem) -> int:
        m, n, k = int(problem["m"]), int(problem["n"]), int(problem["k"])
        return weighted.weight_bytes(problem) + 4 * m * (k + n)

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        if problem["compute"] == "f16" and not traits.f16:
            raise PreconditionError("f16 arithmetic needs shader-f16, which this GPU lacks: use compute=f32")
        styles = tiles.styles(traits, problem["m"], problem["n"], problem["compute"], problem.get("blocks", 1))
        if problem["compute"] == "f32":
            few = tiles.teams(traits, problem["m"], problem["n"])
            styles = styles + few[: problem["weight"] in self.software_teams] if traits.software else few + styles
        variants = []
        for half in weighted.half_modes(traits.f16, problem["weight"]):
            for style in styles:
                for access in accesses(problem):
                    variants.append({**style, "half": half, **access})
        return variants

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if variant["load"] == "vec4" and problem["k"] % 4:
            return f"vec4 loads need K to be a multiple of 4, and K is {problem['k']}"
        if variant["store"] == "vec4" and problem["n"] % 4:
            return f"vec4 stores need N to be a multiple of 4, and N is {problem['n']}"
        if problem["compute"] == "f16" and variant["style"] != "shared":
            return "f16 arithmetic needs the shared-memory tiles"
        return tiles.too_large(problem["m"], problem["n"], variant)

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, int]:
        kind = weighted.weight_type(problem["weight"])
        return {**{d: problem[d] for d in "mnk"}, "quads": kind.padded(problem["k"]) // 4}

    def tune_key(self, problem: Problem) -> str:
        """By the size of the result, rounded to powers of four."""
        return f"{problem['weight']} {problem['compute']} {in_fours(problem['m'], problem['n'])}"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return tiles.grid(problem["m"], problem["n"], variant)


def accesses(problem: Problem) -> list[Variant]:
    """vec4 if the sizes are multiples of four; the scalar fallback supports any size."""
    load, store = ("vec4" if problem[d] % 4 == 0 else "scalar" for d in "kn")
    wide = {"load": load, "store": store}
    scalar = {"load": "scalar", "store": "scalar"}
    return [wide] if wide == scalar else [wide, scalar]


KERNEL = Gemm()
