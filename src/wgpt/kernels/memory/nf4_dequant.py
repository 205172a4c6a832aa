"""Converts NF4 weights to f32: the value of the code times the scale of its block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from ...quant import nf4
from ..grid import Grid, ceil_div
from ..kernel import Arrays, BenchCase, Case, Kernel, Out, Problem, Variant, case, reads, writes
from ..pieces.each import each_grid, each_variants

# From the specification: indices [3, 7, 12, 1, 5, 15, 0, 9], low nibble first.
LITERAL_WORD, LITERAL_SCALES = 0x90F51C73, (2.0, 0.5)


def _cases() -> list[Case]:
    cases = [case("the specification's own vector", n=8, block=4, high_first=False, literal=True)]
    for high_first in (False, True):
        cases += [
            case("whole words and blocks", n=4096, block=64, high_first=high_first),
            case("a ragged last word and block", n=1003, block=64, high_first=high_first),
            case("one element", n=1, block=64, high_first=high_first),
            case("two blocks to a word", n=1021, block=4, high_first=high_first),
            case("blocks that no load divides", n=1006, block=7, high_first=high_first),
        ]
    return cases


class Nf4Dequant(Kernel):
    name = "nf4_dequant"
    math = "y[i] = codebook[nibble i] * scale[i / block]"
    bindings = (reads("packed", "u32", ""), reads("scales", sizes=""), writes("y", "vec4<f32>"))
    params = (("n", "u32"), ("block", "u32"))
    static = ("high_first",)
    cases = tuple(_cases())
    bench_cases = tuple(
        BenchCase({"n": n, "block": 64, "high_first": False}, note, software)
        for n, note, software in ((1 << 24, "16 M weights", False), (1 << 20, "1 M weights", True))
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        if problem.get("literal"):
            return {
                "packed": np.array([LITERAL_WORD], np.uint32),
                "scales": np.array(LITERAL_SCALES, np.float32),
            }
        codes = rng.integers(0, 16, problem["n"], np.uint8)
        blocks = ceil_div(problem["n"], problem["block"])
        scales = rng.uniform(0.5, 2.0, blocks).astype(np.float32)
        return {"packed": nf4.pack_words(codes, problem["high_first"]), "scales": scales}

    def operands(self, problem: Problem) -> dict[str, Out]:
        n = problem["n"]
        return {"packed": Out((ceil_div(n, 8),), "u32"), "scales": Out((ceil_div(n, problem["block"]),))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["n"],))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        n = problem["n"]
        codes = nf4.unpack_words(inputs["packed"], n, problem["high_first"])
        scales = inputs["scales"].astype(np.float64)[np.arange(n) // problem["block"]]
        return {"y": nf4.CODEBOOK.astype(np.float64)[codes] * scales}

    def flops(self, problem: Problem) -> int:
        return int(problem["n"])

    def bytes(self, problem: Problem) -> int:
        n = int(problem["n"])
        return 4 * ceil_div(n, 8) + 4 * ceil_div(n, problem["block"]) + 4 * n

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """`share` is the number of neighbours with the same scale, to save divisions."""
        return [{**style, "share": share} for style in each_variants(traits) for share in (8, 4, 1)]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["block"] < 1:
            return f"a block holds at least one weight, and block is {problem['block']}"
        if problem["block"] % variant["share"]:
            return f"share {variant['share']} needs a block that is a multiple of it, not {problem['block']}"
        return None

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"codebook": tuple(nf4.CODEBOOK)}

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return each_grid(ceil_div(problem["n"], 8), variant)


KERNEL = Nf4Dequant()
