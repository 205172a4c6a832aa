"""Elementwise kernels: y[i] = f(a[i], b[i], ...) in f32, four elements per load, for any n."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu import Traits
from ..draw import draw
from ..grid import Grid, ceil_div, linear
from ..kernel import Arrays, BenchCase, Case, Kernel, Out, Problem, Variant, case, reads, writes

VEC4 = "vec4<f32>"


def each_variants(traits: Traits) -> list[Variant]:
    """Threads per workgroup and items per thread. Software drivers prefer few, large workgroups."""
    gpu = [{"threads": 256, "items": 1}, {"threads": 256, "items": 4}, {"threads": 64, "items": 1}]
    fat = {"threads": 64, "items": 16}
    return [fat, *gpu] if traits.software else [*gpu, fat]


def each_grid(items: int, variant: Variant) -> Grid:
    """The grid for `items` indices of _each.wgsl."""
    return linear(ceil_div(items, variant["threads"] * variant["items"]))


def ragged(**problem: object) -> list[Case]:
    """Lengths around the sizes of a load and of a workgroup."""
    return [
        case("one element: a quarter of a load", n=1, **problem),
        case("one whole load, three quarters of the next", n=7, **problem),
        case("a workgroup and one element more", n=1025, **problem),
        case("whole loads, no tail, a ragged last workgroup", n=33_332, **problem),
    ]


def extremes(**problem: object) -> list[Case]:
    """Magnitudes at which a naive formula overflows, cancels or underflows."""
    return [
        case("|x| up to 1e4: exp must not overflow into NaN", n=1003, values="extreme", **problem),
        case("near zero, where the result is tiny", n=1003, values="small", **problem),
        case("-6 to -3: only the small tail of the logistic", n=1003, values="negative", **problem),
    ]


def streaming_bench(**problem: object) -> tuple[BenchCase, ...]:
    return (
        BenchCase({"n": 1 << 24, **problem}, "16 M elements", software=False),
        BenchCase({"n": 1 << 20, **problem}, "1 M elements", software=True),
    )


class Each(Kernel):
    """A kernel that processes four elements at a time with _each.wgsl."""

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        return each_variants(traits)

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return each_grid(ceil_div(problem["n"], 4), variant)


class EachInRows(Kernel):
    """One value for each of n columns of many rows; loads of four if n is a multiple of four."""

    params: tuple[tuple[str, str], ...] = (("count", "u32"), ("width", "u32"))
    rows_key = "rows"  # the problem key for the number of rows

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        return [{**style, "x": x} for style in each_variants(traits) for x in ("vec4", "scalar")]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if variant["x"] == "vec4" and problem["n"] % 4:
            return f"vec4 loads need rows of a multiple of 4, and they have {problem['n']}"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        width = problem["n"] // 4 if variant["x"] == "vec4" else problem["n"]
        return {"count": problem[self.rows_key] * width, "width": width}

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return each_grid(self.uniforms(problem, variant)["count"], variant)


class Elementwise(Each):
    """An elementwise kernel, defined by a float64 function of the arrays `names` and constants.

    `expression` is the same in WGSL, in terms of the arrays' vec4s at i and the constants in p; `functions` names
    the macros of _activations.wgsl that it calls.
    """

    def __init__(
        self,
        name: str,
        math: str,
        function: Callable[..., NDArray[np.float64]],
        expression: str,
        functions: tuple[str, ...] = (),
        names: tuple[str, ...] = ("x",),
        constants: tuple[str, ...] = (),
        static: tuple[str, ...] = (),
        result: str = "y",
        work: int = 1,
        cases: Sequence[Case] = (),
        bench_cases: tuple[BenchCase, ...] | None = None,
    ) -> None:
        self.name, self.math, self.function = name, math, function
        self.expression, self.functions = expression, functions
        self.names, self.constants, self.static = names, constants, static
        self.result, self.work = result, work
        self.bindings = (*(reads(name, VEC4, "n") for name in names), writes(result, VEC4))
        self.params = (("n", "u32"), *((c, "f32") for c in constants))
        self.cases = tuple(cases)
        self.bench_cases = streaming_bench() if bench_cases is None else bench_cases

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        kind = problem.get("values", "normal")
        return {name: draw(rng, (problem["n"],), kind) for name in self.names}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {self.result: Out((problem["n"],))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        operands = [inputs[name].astype(np.float64) for name in self.names]
        chosen = {key: problem[key] for key in (*self.constants, *self.static)}
        return {self.result: self.function(*operands, **chosen)}

    def flops(self, problem: Problem) -> int:
        return self.work * int(problem["n"])

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["n"]) * (len(self.names) + 1)

    def template(self, variant: Variant) -> str:
        return "elementwise.wgsl"

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"expression": self.expression, "functions": self.functions, "result": self.result}


class EachInColumns(EachInRows):
    """Each of `n` columns, from column `at` on, of rows of `width`."""

    params = (*EachInRows.params, ("stride", "u32"), ("at", "u32"))

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["at"] + problem["n"] > problem["width"]:
            return f"columns {problem['at']} to {problem['at'] + problem['n']} of {problem['width']}"
        if variant["x"] == "vec4" and (problem["width"] % 4 or problem["at"] % 4):
            return f"vec4 loads need whole ones, and column {problem['at']} of {problem['width']} is none"
        return super().refuses(problem, variant)

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        each = 4 if variant["x"] == "vec4" else 1
        return super().uniforms(problem, variant) | {"stride": problem["width"] // each, "at": problem["at"] // each}
