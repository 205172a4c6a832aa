"""A linear layer of many rows with its bias and its residual in one dispatch."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import weighted
from .gemm import Gemm
from .kernel import Arrays, BenchCase, Binding, Case, Problem, Variant, case, reads, vec4_if


def problem_of(weight: str, m: int, n: int, k: int, **fused: Any) -> dict[str, Any]:
    """A problem with all its keys."""
    return {"weight": weight, "compute": "f32", "m": m, "n": n, "k": k, "bias": False, "add": False, **fused}


def _cases() -> list[Case]:
    found = []
    for weight in ("f32", "f16", "q4_1"):
        found += [
            case("bias, ragged tiles", **problem_of(weight, 37, 132, 64, bias=True)),
            case("bias and residual, nothing a multiple of four", **problem_of(weight, 19, 67, 203, bias=True, add=True)),
            case("residual, whole tiles", **problem_of(weight, 64, 64, 32, add=True)),
        ]
    found.append(case("residual over halves' sums", **problem_of("f16", 37, 68, 64, add=True, compute="f16")))
    return found


class GemmFused(Gemm):
    name = "gemm_fused"
    math = "y[m,n] = r[m,n] + sum_k x[m,k] * W[n,k] + b[n], each part where it is asked for"
    bindings = (*Gemm.bindings[:3], reads("b", vec4_if("store")), reads("r", vec4_if("store")), *Gemm.bindings[3:])
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
            found["b"] = rng.standard_normal(problem["n"]).astype(np.float32)
        if problem["add"]:
            found["r"] = rng.standard_normal((problem["m"], problem["n"])).astype(np.float32)
        return found

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        y = super().reference(inputs, problem)["y"]
        return {"y": y + sum(inputs[name] for name in ("b", "r") if name in inputs)}

    def bytes(self, problem: Problem) -> int:
        m, n = int(problem["m"]), int(problem["n"])
        return super().bytes(problem) + 4 * (n * problem["bias"] + m * n * problem["add"])

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {key: problem[key] for key in ("bias", "add")}


KERNEL = GemmFused()
