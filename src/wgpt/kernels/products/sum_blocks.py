"""Adds the partial sums of a product that was computed in blocks of k, with bias and residual, or with SwiGLU."""

from __future__ import annotations

import numpy as np

from ..draw import draw
from ..elementwise.activations import gated
from ..kernel import Arrays, BenchCase, Binding, Out, Problem, Variant, case, reads, vec4_if, writes
from ..pieces.each import EachInRows

_ELEM = vec4_if("x")


class SumBlocks(EachInRows):
    """A thread sums one vec4 over the blocks in a fixed order, so that results are reproducible.

    With SwiGLU, the parts have 2n columns: gates, then ups.
    """

    name = "sum_blocks"
    math = "y[m,n] = r[m,n] + act(sum_z part[z,m,n] + b[n]), each part where it is asked for"
    bindings: tuple[Binding, ...] = (
        reads("part", _ELEM, ""),
        reads("b", _ELEM, "n"),
        reads("r", _ELEM, "m n"),
        writes("y", _ELEM),
    )
    rows_key = "m"
    static = ("blocks", "bias", "add", "act")
    cases = (
        case("bias and residual, whole loads", m=7, n=132, blocks=3, bias=True, add=True, act="none"),
        case("nothing a multiple of four", m=13, n=67, blocks=4, bias=True, add=True, act="none"),
        case("a residual over many blocks", m=5, n=64, blocks=16, bias=False, add=True, act="none"),
        case("two blocks, then SwiGLU", m=5, n=36, blocks=2, bias=False, add=False, act="swiglu"),
        case(
            "SwiGLU over a residual, nothing a multiple of four",
            m=7,
            n=19,
            blocks=3,
            bias=False,
            add=True,
            act="swiglu",
        ),
        case("two blocks alone", m=3, n=20, blocks=2, bias=False, add=False, act="none"),
    )
    bench_cases = (
        BenchCase(
            {"m": 512, "n": 1536, "blocks": 4, "bias": False, "add": True, "act": "none"},
            "Qwen2.5-1.5B down",
            software=False,
        ),
        BenchCase(
            {"m": 64, "n": 8960, "blocks": 4, "bias": False, "add": False, "act": "swiglu"},
            "Qwen2.5-1.5B gate/up, 64 sequences",
            software=False,
        ),
        BenchCase({"m": 512, "n": 576, "blocks": 4, "bias": False, "add": True, "act": "none"}, "SmolLM2 down"),
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        absent = {name for name, key in (("b", "bias"), ("r", "add")) if not problem[key]}
        return tuple(b for b in self.bindings if b.name not in absent)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        m, n = problem["m"], problem["n"]
        part = draw(rng, (problem["blocks"], m, _columns(problem)))
        arrays = {"part": part, "b": draw(rng, (n,)), "r": draw(rng, (m, n))}
        names = {b.name for b in self.bound(problem)}
        return {name: array for name, array in arrays.items() if name in names}

    def operands(self, problem: Problem) -> dict[str, Out]:
        part = Out((problem["blocks"], problem["m"], _columns(problem)))
        return {**super().operands(problem), "part": part}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["m"], problem["n"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        y = inputs["part"].astype(np.float64).sum(axis=0) + inputs.get("b", 0)
        if problem["act"] == "swiglu":
            y = gated(y)
        return {"y": y + inputs.get("r", 0)}

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["act"] == "swiglu" and problem["bias"]:
            return "SwiGLU takes no bias"
        return super().refuses(problem, variant)

    def flops(self, problem: Problem) -> int:
        m, n, sums = int(problem["m"]), int(problem["n"]), _columns(problem) // problem["n"] * (problem["blocks"] - 1)
        return m * n * (sums + problem["bias"] + problem["add"])

    def bytes(self, problem: Problem) -> int:
        m, n = int(problem["m"]), int(problem["n"])
        return 4 * m * (_columns(problem) * problem["blocks"] + n * (1 + problem["add"]))


def _columns(problem: Problem) -> int:
    """Columns of a part."""
    return int(problem["n"]) * (2 if problem["act"] == "swiglu" else 1)


KERNEL = SumBlocks()
