"""Adds the blocks of a product, with bias and residual, and writes the sums' norm as halves for the next product."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..draw import draw
from ..kernel import Arrays, BenchCase, Binding, Case, Out, Problem, case, in_fours, reads, writes
from ..pieces.rows import ROW_PARAMS
from .kept_rows import KeptRows
from .row_halves import in_halves, vectors

_VEC4 = "vec4<f32>"


def problem_of(rows: int, hidden: int, blocks: int, **more: Any) -> dict[str, Any]:
    """A complete problem: `blocks` sums of [rows, hidden]."""
    return {"rows": rows, "hidden": hidden, "blocks": blocks, "bias": False, "add": False, "eps": 1e-5, **more}


def _cases() -> tuple[Case, ...]:
    return (
        case("bias and residual, whole vectors of eight", **problem_of(7, 576, 3, bias=True, add=True)),
        case("half a vector at the end of a row", **problem_of(13, 68, 2, add=True)),
        case("four columns alone", **problem_of(5, 4, 8)),
        case("vectors that do not divide among the threads", **problem_of(3, 1004, 4, bias=True)),
        case("more than a workgroup has threads", **problem_of(2, 8188, 2, add=True)),
        case("so small that eps decides", **problem_of(5, 96, 2, eps=1e-6, values="small")),
        case("values beyond f16", **problem_of(5, 100, 2, add=True, values="large")),
    )


class SumHalves(KeptRows):
    """`sum_blocks`, then `row_halves` with RMSNorm: one dispatch in place of two. Sums are added in the same order."""

    name = "sum_halves"
    math = "y = r + sum_z sums[z] + b, h = f16(rmsnorm(y, g) * 2^e), scale = 2^-e of each row"
    bindings = (
        reads("sums", _VEC4, "blocks rows hidden"),
        reads("b", _VEC4, "hidden"),
        reads("r", _VEC4, "rows hidden"),
        reads("g", _VEC4, "hidden"),
        writes("y", _VEC4),
        writes("h", "vec4<u32>"),
        writes("scale"),
    )
    params = (*ROW_PARAMS, ("vecs", "u32"), ("eps", "f32"))
    static = ("blocks", "bias", "add")
    cases = _cases()
    bench_cases = (
        BenchCase(problem_of(16, 1536, 8, add=True), "Qwen2.5-1.5B down, 16 sequences", software=False),
        BenchCase(problem_of(64, 1536, 8, add=True), "Qwen2.5-1.5B down, 64 sequences", software=False),
        BenchCase(problem_of(64, 1536, 3, add=True), "Qwen2.5-1.5B o, 64 sequences", software=False),
        BenchCase(problem_of(512, 1536, 2, add=True), "Qwen2.5-1.5B down, 512 tokens", software=False),
        BenchCase(problem_of(512, 2560, 3, add=True), "Qwen3-4B down, 512 tokens", software=False),
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        absent = {name for name, key in (("b", "bias"), ("r", "add")) if not problem[key]}
        return tuple(b for b in self.bindings if b.name not in absent)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        rows, hidden = self.rows(problem), self.cols(problem)
        size = np.float32({"small": 1e-4, "large": 2.0**17}.get(problem.get("values", "normal"), 1.0))
        arrays = {
            "sums": size * draw(rng, (problem["blocks"], rows, hidden)),
            "b": size * draw(rng, (hidden,)),
            "r": size * draw(rng, (rows, hidden)),
            "g": size * draw(rng, (hidden,)),
        }
        names = {b.name for b in self.bound(problem)}
        return {name: array for name, array in arrays.items() if name in names}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        rows, hidden = self.rows(problem), self.cols(problem)
        return {"y": Out((rows, hidden)), "h": Out((1, rows, 8 * vectors(hidden)), "f16"), "scale": Out((rows,))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        y = inputs["sums"].astype(np.float64).sum(axis=0) + inputs.get("b", 0) + inputs.get("r", 0)
        v = y * inputs["g"] / np.sqrt(np.mean(y**2, axis=1, keepdims=True) + problem["eps"])
        h, scale = in_halves(v, 1)
        return {"y": y, "h": h.astype(np.float64), "scale": scale.astype(np.float64)}

    def flops(self, problem: Problem) -> int:
        return self.elements(problem) * (int(problem["blocks"]) + 4)

    def bytes(self, problem: Problem) -> int:
        return self.elements(problem) * (4 * (int(problem["blocks"]) + problem["add"] + 1) + 2)

    def kept(self, problem: Problem) -> int:
        return self.cols(problem)

    def tune_key(self, problem: Problem) -> str:
        return f"{in_fours(self.rows(problem), self.cols(problem))} blocks={problem['blocks']}"


KERNEL = SumHalves()
