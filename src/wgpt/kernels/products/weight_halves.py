"""Weights of any type as halves: the right side of a product on matrix units, where there are enough rows that reading
the weights twice costs little."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from .. import weighted
from ..grid import Grid, ceil_div, linear
from ..kernel import Arrays, BenchCase, Binding, Case, Kernel, Out, Problem, Variant, case, writes
from .row_halves import PARTS, vectors

UP = 16  # weights are multiplied by it: the smallest ones are then no subnormal halves, and 4,000 is not beyond f16


def _cases() -> list[Case]:
    cases = []
    for weight in weighted.WEIGHTS:
        cases.append(case("whole blocks", weight=weight, n=7, k=512, parts=1))
        if not weighted.few_cases(weight):
            cases.append(case("a ragged row", weight=weight, n=5, k=203, parts=1))
    return [
        *cases,
        case("fewer than a vector", weight="f32", n=3, k=3, parts=1),
        case("two halves of each weight", weight="f32", n=9, k=67, parts=2),  # others may round otherwise in f32
        case("two halves, as many as bf16 has", weight="bf16", n=9, k=96, parts=2),
    ]


class WeightHalves(Kernel):
    name = "weight_halves"
    math = f"h[n,k] = f16({UP} W[n,k])"
    bindings = (*weighted.PLANES, writes("h", "vec4<u32>"))
    params = tuple((name, "u32") for name in ("n", "k", "quads", "vecs"))
    static = ("weight", "parts")
    cases: Sequence[Case] = weighted.CasesOfTypes(_cases)
    bench_cases = tuple(
        BenchCase({"weight": weight, "n": n, "k": k, "parts": 1}, note, software=False)
        for weight, n, k, note in (
            (weighted.NIBBLES, 17920, 1536, "Qwen2.5-1.5B gate/up"),
            (weighted.GROUPS, 19456, 2560, "Qwen3-4B gate/up"),
            (weighted.BYTES, 3072, 576, "SmolLM2 gate/up"),
        )
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return weighted.bound(self.bindings, problem)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return weighted.random_weights(rng, problem)

    def operands(self, problem: Problem) -> dict[str, Out]:
        return weighted.plane_shapes(problem)

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"h": Out((problem["parts"], problem["n"], 8 * vectors(problem["k"])), "f16")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        n, k = problem["n"], problem["k"]
        padded = np.zeros((n, 8 * vectors(k)), np.float32)
        padded[:, :k] = UP * weighted.dequantised(inputs, problem)
        if problem["parts"] == 1:
            return {"h": padded[None].astype(np.float64)}
        high = (padded.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)
        return {"h": np.stack([high, padded - high]).astype(np.float64)}

    def bytes(self, problem: Problem) -> int:
        return weighted.weight_bytes(problem) + 2 * int(problem["parts"] * problem["n"] * problem["k"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        return [{"threads": threads, "half": "packed"} for threads in (256, 64)]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        return None if problem["parts"] in PARTS else f"parts must be one of {PARTS}"

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        quads = weighted.weight_type(problem["weight"]).padded(problem["k"]) // 4
        return {"n": problem["n"], "k": problem["k"], "quads": quads, "vecs": vectors(problem["k"])}

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"up": UP}

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(ceil_div(problem["n"] * vectors(problem["k"]), variant["threads"]))


KERNEL = WeightHalves()
