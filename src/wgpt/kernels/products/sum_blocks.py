"""Adds the partial sums of a product that was computed in blocks of k, with bias and residual."""

from __future__ import annotations

import numpy as np

from ..draw import draw
from ..kernel import Arrays, BenchCase, Binding, Out, Problem, case, reads, vec4_if, writes
from ..pieces.each import EachInRows

_ELEM = vec4_if("x")


class SumBlocks(EachInRows):
    """A thread sums one vec4 over the blocks in a fixed order, so that results are reproducible."""

    name = "sum_blocks"
    math = "y[m,n] = r[m,n] + sum_z part[z,m,n] + b[n], each part where it is asked for"
    bindings: tuple[Binding, ...] = (reads("part", _ELEM), reads("b", _ELEM), reads("r", _ELEM), writes("y", _ELEM))
    rows_key = "m"
    static = ("blocks", "bias", "add")
    cases = (
        case("bias and residual, whole loads", m=7, n=132, blocks=3, bias=True, add=True),
        case("nothing a multiple of four", m=13, n=67, blocks=4, bias=True, add=True),
        case("a residual over many blocks", m=5, n=64, blocks=16, bias=False, add=True),
        case("two blocks alone", m=3, n=20, blocks=2, bias=False, add=False),
    )
    bench_cases = (
        BenchCase({"m": 512, "n": 1536, "blocks": 4, "bias": False, "add": True}, "Qwen2.5-1.5B down", software=False),
        BenchCase({"m": 512, "n": 576, "blocks": 4, "bias": False, "add": True}, "SmolLM2 down"),
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        absent = {name for name, key in (("b", "bias"), ("r", "add")) if not problem[key]}
        return tuple(b for b in self.bindings if b.name not in absent)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        m, n = problem["m"], problem["n"]
        arrays = {"part": draw(rng, (problem["blocks"], m, n)), "b": draw(rng, (n,)), "r": draw(rng, (m, n))}
        names = {b.name for b in self.bound(problem)}
        return {name: array for name, array in arrays.items() if name in names}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["m"], problem["n"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        y = inputs["part"].astype(np.float64).sum(axis=0)
        for name in ("b", "r"):
            y = y + inputs.get(name, 0)
        return {"y": y}

    def flops(self, problem: Problem) -> int:
        return int(problem["m"]) * int(problem["n"]) * (problem["blocks"] - 1 + problem["bias"] + problem["add"])

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["m"]) * int(problem["n"]) * (problem["blocks"] + 1 + problem["add"])


KERNEL = SumBlocks()
