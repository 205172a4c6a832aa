"""Products of several rows of 16-bit integers with weights whose codes are integers: no matrix units are needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from ...quant.weights import weight_type
from .. import weighted
from ..draw import draw
from ..grid import MOST, Grid, ceil_div
from ..kernel import Arrays, BenchCase, Binding, Case, Kernel, Out, Problem, Variant, case, in_twos, reads, writes
from .around import random_around, with_around
from .row_integers import CHUNK, chunks, in_integers, values_of

# (threads, lanes, rows of x, columns of each thread, units of each lane at a time); larger tiles first
_SHAPES = (
    (256, 4, 16, 2, 4),
    (256, 8, 16, 2, 2),
    (256, 8, 8, 2, 2),
    (256, 16, 8, 2, 1),
    (256, 16, 4, 2, 2),
    (256, 16, 2, 2, 4),
    (256, 32, 2, 2, 2),
    (256, 32, 2, 1, 2),
)
_MORE_SHAPES = ((128, 8, 8, 4, 2), (128, 16, 4, 2, 2), (128, 8, 8, 2, 4), (256, 32, 4, 4, 1))  # for `wgpt tune`
_LEAST = (64, 4, 2, 2, 1)  # where no other fits into workgroup memory
_SOFTWARE = ((16, 4, 4, 1, 1),)
_FILLED = 560  # workgroups that fill a large GPU (Traits.filling)


def problem_of(weight: str, m: int, n: int, k: int, **more: Any) -> dict[str, Any]:
    """A complete problem. The outputs are columns at .. at + n - 1 of rows of `width`."""
    around = {"width": n, "at": 0, "bias": False, "add": False}
    return {"weight": weight, "m": m, "n": n, "k": k, **around, **more}


def supports(weight: str) -> bool:
    return weight_type(weight).whole_codes


def _cases() -> list[Case]:
    cases = []
    for weight in (name for name in weighted.WEIGHTS if supports(name)):
        cases += [case("ragged rows and columns, several turns", **problem_of(weight, 19, 37, 1024))]
        if not weighted.few_cases(weight):
            cases += [case("K is no multiple of anything", **problem_of(weight, 3, 21, 331))]
    return [
        *cases,
        case("bias and residual", **problem_of(weighted.NIBBLES, 5, 68, 96, bias=True, add=True)),
        case("the middle of wider rows", **problem_of(weighted.BYTES, 9, 36, 96, width=120, at=41, bias=True)),
        case("one row, one chunk", **problem_of(weighted.NIBBLES, 1, 1, 7)),
    ]


class GemmIntegers(Kernel):
    name = "gemm_integers"
    math = "y[m,n] = r[m,n] + sum_k x[m,k] W[n,k] + b[n], each part if asked for; x[m,k] = step[m,k/32] h[m,k]"
    bindings: tuple[Binding, ...] = (
        reads("x", "vec4<u32>", ""),
        reads("info", "vec4<f32>", ""),
        reads("w", "vec4<u32>", ""),
        reads("s", weighted.SCALE_ELEM, ""),
        reads("b", sizes="n"),
        reads("r", sizes="m width"),
        writes("y"),
    )
    params = tuple((name, "u32") for name in ("m", "n", "x_chunks", "w_chunks", "units", "width", "at"))
    static = ("weight",)
    cases: Sequence[Case] = weighted.CasesOfTypes(_cases)
    bench_cases = tuple(
        BenchCase(problem_of(weight, m, n, k), f"Qwen3-4B {name} {weight}, {m} rows", software=False)
        for weight, m in ((weighted.GROUPS, 2), (weighted.GROUPS, 8), (weighted.GROUPS, 16), (weighted.BYTES, 16))
        for n, k, name in ((19456, 2560, "gate/up"), (2560, 9728, "down"), (2560, 4096, "o"))
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        absent = {name for name, key in (("b", "bias"), ("r", "add")) if not problem[key]}
        return tuple(b for b in self.bindings if b.name not in absent)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        x, info = in_integers(draw(rng, (problem["m"], problem["k"])))
        weights = weighted.random_weights(rng, problem)
        return {"x": x, "info": info, **weights, **random_around(rng, problem)}

    def operands(self, problem: Problem) -> dict[str, Out]:
        m, count = problem["m"], chunks(problem["k"])
        x = {"x": Out((m, CHUNK * count), "i16"), "info": Out((m, count, 4))}
        return {**super().operands(problem), **x, **weighted.plane_shapes(problem)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["m"], problem["width"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        x = values_of(inputs["x"], inputs["info"], problem["k"])
        return {"y": with_around(x @ weighted.dequantised(inputs, problem).T, inputs, problem)}

    def flops(self, problem: Problem) -> int:
        return 2 * int(problem["m"]) * int(problem["n"]) * int(problem["k"])

    def bytes(self, problem: Problem) -> int:
        m, n, k = int(problem["m"]), int(problem["n"]), int(problem["k"])
        written = 4 * m * n * (1 + problem["add"])
        return int(2.5 * m * k) + weighted.weight_bytes(problem) + 4 * n * problem["bias"] + written

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """The largest tiles that still fill the GPU and waste no rows first, then those that come closest."""

        def place(variant: Variant) -> tuple[bool, int]:
            x, y, _ = self.grid(problem, variant)
            wasteful = variant["bm"] >= 2 * problem["m"] and variant["bm"] > least
            short = max(0, traits.filling(_FILLED) - x * y)
            return wasteful, short

        shapes = [s for s in (_SOFTWARE if traits.software else _SHAPES) if _fits(traits, s, problem["weight"])]
        if not shapes and _fits(traits, _LEAST, problem["weight"]):
            shapes = [_LEAST]
        usable = [_variant(shape) for shape in shapes]
        least = min((variant["bm"] for variant in usable), default=0)
        more = () if traits.software else (s for s in _MORE_SHAPES if _fits(traits, s, problem["weight"]))
        return [*sorted(usable, key=place), *map(_variant, more)]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if not supports(problem["weight"]):
            return f"the codes of {problem['weight']} are no integers of eight bits"
        if problem["at"] + problem["n"] > problem["width"]:
            return f"{problem['n']} columns from {problem['at']} on exceed rows of {problem['width']}"
        if max(self.grid(problem, variant)) > MOST:
            return f"the result needs more than {MOST} workgroups in one dimension"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, int]:
        sizes = {name: problem[name] for name in ("m", "n", "width", "at")}
        w_chunks = weighted.chunks_per_row(problem)
        units = ceil_div(problem["k"], _unit(problem["weight"]))
        return {**sizes, "x_chunks": chunks(problem["k"]), "w_chunks": w_chunks, "units": units}

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"bias": problem["bias"], "add": problem["add"]}

    def tune_key(self, problem: Problem) -> str:
        return f"{problem['weight']} {in_twos(problem['m'], problem['n'], problem['k'])}"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        columns = variant["threads"] // variant["lanes"] * variant["columns"]
        return (ceil_div(problem["n"], columns), ceil_div(problem["m"], variant["bm"]), 1)


def _unit(weight: str) -> int:
    """Weights that a thread multiplies at a time."""
    return max(CHUNK, weight_type(weight).chunk)


def _variant(shape: tuple[int, ...]) -> Variant:
    return dict(zip(("threads", "lanes", "bm", "columns", "steps"), shape, strict=True))


def _fits(traits: Traits, shape: tuple[int, ...], weight: str) -> bool:
    _, lanes, rows, _, steps = shape
    bytes_of_x = 80 * rows * lanes * steps * _unit(weight) // CHUNK
    grid = 4 * len(weight_type(weight).head)
    return traits.subgroups and lanes <= traits.subgroup_size and bytes_of_x + grid <= traits.workgroup_bytes


KERNEL = GemmIntegers()
