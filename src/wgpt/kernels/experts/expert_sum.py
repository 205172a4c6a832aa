"""The results of a row's experts added up, and a shared expert's times its gate."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..draw import draw
from ..elementwise.activations import logistic
from ..kernel import Arrays, BenchCase, Binding, Out, Problem, Variant, case, reads, vec4_if, writes
from ..pieces.each import EachInRows

_ELEM = vec4_if("x")


class ExpertSum(EachInRows):
    """A thread adds in the order of a row's experts, so that results are reproducible."""

    name = "expert_sum"
    math = "y[m] = r[m] + sum_j gates[m,j] x[m,j]; `alone`: without r"
    bindings: tuple[Binding, ...] = (
        reads("x", _ELEM, "rows*top n"),
        reads("gates", sizes="rows top"),
        reads("r", _ELEM, "rows n"),
        writes("y", _ELEM),
    )
    params = (*EachInRows.params, ("top", "u32"))
    cases = (
        case("8 experts, whole loads", rows=9, n=68, top=8),
        case("nothing a multiple of four", rows=13, n=45, top=3),
        case("one expert", rows=33, n=1, top=1),
        case("nothing to add it to", rows=5, n=36, top=4, alone=True),
    )
    bench_cases = (BenchCase({"rows": 512, "n": 2048, "top": 8}, "Qwen3-30B-A3B, 512 tokens"),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        rows, n, top = (problem[key] for key in ("rows", "n", "top"))
        r = {} if problem.get("alone") else {"r": draw(rng, (rows, n))}
        return {"x": draw(rng, (rows * top, n)), "gates": draw(rng, (rows, top)), **r}

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return tuple(b for b in self.bindings if b.name != "r" or not problem.get("alone"))

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {**super().baked(problem, variant), "alone": bool(problem.get("alone"))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["rows"], problem["n"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        x = inputs["x"].astype(np.float64).reshape(problem["rows"], problem["top"], -1)
        y = (x * inputs["gates"].astype(np.float64)[:, :, None]).sum(axis=1)
        return {"y": y if problem.get("alone") else inputs["r"] + y}

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, int]:
        return {**super().uniforms(problem, variant), "top": problem["top"]}

    def flops(self, problem: Problem) -> int:
        return 2 * int(problem["rows"]) * int(problem["n"]) * int(problem["top"])

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["rows"]) * int(problem["n"]) * (int(problem["top"]) + 2)


class AddGated(EachInRows):
    """The gate of a row is column `at` of rows of `stride` logits."""

    name = "add_gated"
    math = "y[m] = r[m] + x[m] / (1 + exp(-logits[m,at]))"
    bindings = (
        reads("x", _ELEM, "rows n"),
        reads("logits", sizes="rows stride"),
        reads("r", _ELEM, "rows n"),
        writes("y", _ELEM),
    )
    params = (*EachInRows.params, ("stride", "u32"), ("at", "u32"))
    cases = (
        case("the last of a router's columns, whole loads", rows=9, n=68, stride=61, at=60),
        case("nothing a multiple of four, a column of its own", rows=13, n=45, stride=1, at=0),
        case("gates whose exp overflows", rows=33, n=3, stride=5, at=2, values="extreme"),
    )
    bench_cases = (BenchCase({"rows": 512, "n": 2048, "stride": 61, "at": 60}, "Qwen1.5-MoE-A2.7B, 512 tokens"),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        rows, n = problem["rows"], problem["n"]
        logits = draw(rng, (rows, problem["stride"]), problem.get("values", "normal"))
        return {"x": draw(rng, (rows, n)), "logits": logits, "r": draw(rng, (rows, n))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["rows"], problem["n"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        gates = logistic(inputs["logits"][:, problem["at"]].astype(np.float64))
        return {"y": inputs["r"] + inputs["x"].astype(np.float64) * gates[:, None]}

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, int]:
        return {**super().uniforms(problem, variant), "stride": problem["stride"], "at": problem["at"]}

    def flops(self, problem: Problem) -> int:
        return 2 * int(problem["rows"]) * int(problem["n"])

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["rows"]) * (3 * int(problem["n"]) + 1)


KERNELS = (ExpertSum(), AddGated())
