"""A linear layer of many rows with its bias and its residual in one dispatch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..gpu import Traits
from . import weighted
from .draw import draw
from .gemm import Gemm
from .kernel import Arrays, BenchCase, Binding, Case, Out, Problem, Variant, case, reads, vec4_if


def problem_of(weight: str, m: int, n: int, k: int, **fused: Any) -> dict[str, Any]:
    """A problem with all its keys: the outputs are columns at .. at + n - 1 of rows of `width`, others stay."""
    plain = {"width": n, "at": 0, "bias": False, "add": False}
    return {"weight": weight, "compute": "f32", "m": m, "n": n, "k": k, **plain, **fused}


def _cases() -> list[Case]:
    found = []
    for weight in ("f16", "q4_1"):
        found += [
            case("bias, ragged tiles", **problem_of(weight, 37, 132, 64, bias=True)),
            case("both, nothing a multiple of four", **problem_of(weight, 19, 67, 203, bias=True, add=True)),
            case("residual, whole tiles", **problem_of(weight, 64, 64, 32, add=True)),
        ]
    found += [
        case("the middle of wider rows", **problem_of("q8_0", 19, 36, 96, width=120, at=40, bias=True)),
        case("columns that begin inside a load", **problem_of("f32", 7, 36, 32, width=120, at=42)),
    ]
    found.append(case("residual over halves' sums", **problem_of("f16", 37, 68, 64, add=True, compute="f16")))
    return found


class GemmFused(Gemm):
    name = "gemm_fused"
    params = (*Gemm.params, ("width", "u32"), ("at", "u32"))
    math = "y[m,n] = r[m,n] + sum_k x[m,k] * W[n,k] + b[n], each part where it is asked for"
    bindings = (*Gemm.bindings[:3], reads("b", vec4_if("store")), reads("r", vec4_if("store")), *Gemm.bindings[3:])
    software_teams = ()  # they are GEMM's
    cases = tuple(_cases())
    bench_cases = (
        BenchCase(problem_of("q4_1", 512, 576, 1536, add=True), "SmolLM2 down, prefill"),
        BenchCase(problem_of("f16", 512, 576, 1536, add=True), "SmolLM2 down, prefill", software=False),
        BenchCase(problem_of("f16", 512, 1536, 8960, add=True), "Qwen2.5-1.5B down, prefill", software=False),
    )

    @property
    def template(self) -> str:
        return "gemm.wgsl"

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        absent = {name for name, key in (("b", "bias"), ("r", "add")) if not problem[key]}
        return tuple(b for b in weighted.bound(self.bindings, problem) if b.name not in absent)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        found = super().inputs(rng, problem)
        if problem["bias"]:
            found["b"] = draw(rng, (problem["n"],))
        if problem["add"]:
            found["r"] = draw(rng, (problem["m"], problem["width"]))
        if problem["width"] != problem["n"]:
            found["y"] = draw(rng, (problem["m"], problem["width"]))
        return found

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        y = super().reference(inputs, problem)["y"]
        columns = slice(problem["at"], problem["at"] + problem["n"])
        if problem["bias"]:
            y = y + inputs["b"]
        if problem["add"]:
            y = y + inputs["r"][:, columns]
        whole = inputs["y"].astype(np.float64) if "y" in inputs else np.empty((problem["m"], problem["width"]))
        whole[:, columns] = y
        return {"y": whole}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["m"], problem["width"]))}

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """vec4 stores only where they begin at a multiple of four."""
        found = super().variants(traits, problem)
        if problem["at"] % 4 == 0 and problem["width"] % 4 == 0:
            return found
        return [v for v in found if v["store"] == "scalar"] or [{**v, "store": "scalar"} for v in found]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["at"] + problem["n"] > problem["width"]:
            return f"{problem['n']} columns from {problem['at']} on exceed rows of {problem['width']}"
        return super().refuses(problem, variant)

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, int]:
        return {**super().uniforms(problem, variant), "width": problem["width"], "at": problem["at"]}

    def bytes(self, problem: Problem) -> int:
        m, n = int(problem["m"]), int(problem["n"])
        return super().bytes(problem) + 4 * (n * problem["bias"] + m * n * problem["add"])

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"bias": problem["bias"], "add": problem["add"], "fused": True}


KERNEL = GemmFused()
