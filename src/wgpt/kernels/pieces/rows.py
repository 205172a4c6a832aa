"""Row kernels: a workgroup reduces and rewrites each row, or one thread does where barriers are expensive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu import Traits
from ..draw import draw
from ..grid import Grid, ceil_div, linear
from ..kernel import Arrays, BenchCase, Case, Kernel, Out, Problem, Variant, case, in_fours, vec4_if

ELEM = vec4_if("x")  # for all bindings that are as wide as a row
ROW_PARAMS = (("rows", "u32"), ("cols", "u32"), ("chunks", "u32"))  # chunks: groups of 4 elements per row
_WORKGROUPS = (64, 256)
_SOFTWARE_ROWS = 16


def row_cases(**problem: object) -> list[Case]:
    """Shapes that are likely to expose errors in a row kernel."""
    return [
        case("one element: a quarter of a chunk, most threads idle", rows=7, hidden=1, **problem),
        case("more than 65,535 rows: a second grid dimension", rows=65_543, hidden=3, **problem),
        case("a real model's width, whole chunks", rows=7, hidden=576, **problem),
        case("chunks that do not divide among the threads", rows=3, hidden=1000, **problem),
        case("one element more than whole chunks", rows=7, hidden=4097, **problem),
        case("one long row: every thread loops", rows=1, hidden=20_000, **problem),
    ]


def row_bench(**problem: object) -> tuple[BenchCase, ...]:
    return (
        BenchCase({"rows": 512, "hidden": 576, **problem}, "SmolLM2, 512 tokens"),
        BenchCase({"rows": 4096, "hidden": 1536, **problem}, "Qwen2.5-1.5B, 4,096 tokens", software=False),
    )


class RowKernel(Kernel):
    """Inputs and outputs are [rows, width]; `width` is the name of the problem key."""

    width = "hidden"
    work: int  # FLOPs per element

    def rows(self, problem: Problem) -> int:
        return int(problem["rows"])

    def cols(self, problem: Problem) -> int:
        return int(problem[self.width])

    def elements(self, problem: Problem) -> int:
        return self.rows(problem) * self.cols(problem)

    def rows_of(self, rng: np.random.Generator, problem: Problem) -> NDArray[np.float32]:
        """Random [rows, width] of the kind that the problem selects with `values`."""
        return draw(rng, (self.rows(problem), self.cols(problem)), problem.get("values", "normal"))

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((self.rows(problem), self.cols(problem)))}

    def flops(self, problem: Problem) -> int:
        return self.work * self.elements(problem)

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        chunks = ceil_div(self.cols(problem), 4)
        sizes = [size for size in _WORKGROUPS if size < 2 * chunks or size == _WORKGROUPS[0]]
        if chunks > _WORKGROUPS[-1]:
            sizes.reverse()
        reduces = ("subgroup", "workgroup") if traits.subgroups else ("workgroup",)
        styles: list[Variant] = [{"reduce": r, "threads": size} for size in sizes for r in reduces]
        alone: Variant = {"reduce": "thread", "threads": _SOFTWARE_ROWS}
        styles = [alone, *styles] if traits.software else [*styles, alone]
        return [{**style, "x": x} for style in styles for x in ("vec4", "scalar")]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if variant["x"] == "vec4" and self.cols(problem) % 4:
            return f"vec4 loads need {self.width} to be a multiple of 4, and it is {self.cols(problem)}"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        cols = self.cols(problem)
        sizes = {"rows": self.rows(problem), "cols": cols, "chunks": ceil_div(cols, 4)}
        return {name: sizes[name] if name in sizes else problem[name] for name, _ in self.params}

    def tune_key(self, problem: Problem) -> str:
        """By number and length of rows, rounded to powers of four."""
        return in_fours(self.rows(problem), self.cols(problem))

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        each = variant["threads"] if variant["reduce"] == "thread" else 1
        return linear(ceil_div(self.rows(problem), each))


def wide(inputs: Arrays) -> Arrays:
    """The inputs in float64."""
    return {name: array.astype(np.float64) for name, array in inputs.items()}
