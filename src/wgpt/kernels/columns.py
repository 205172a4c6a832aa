"""Column sums in a fixed order: blocks of rows, then the blocks; the same bits every time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..gpu import Traits
from .grid import MOST, Grid, ceil_div
from .kernel import Kernel, Problem, Variant, in_fours

COLUMN_PARAMS = (("rows", "u32"), ("cols", "u32"), ("block", "u32"))
ROWS_PER_BLOCK = 64


def row_blocks(rows: int) -> int:
    """How many blocks to sum apart: enough to fill a GPU, few enough to add up in one small dispatch."""
    return min(ceil_div(rows, ROWS_PER_BLOCK), 1024)


class ColumnKernel(Kernel):
    """out[block, col] = sum of a term over the block's rows; one block unless the problem says more."""

    def blocks(self, problem: Problem) -> int:
        return int(problem.get("blocks", 1))

    def cols(self, problem: Problem) -> int:
        return int(problem["hidden"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """`lanes` threads share a column and add up in workgroup memory; a lane alone needs no barrier."""
        shared: list[Variant] = [{"threads": 256, "lanes": 8}, {"threads": 256, "lanes": 32}]
        alone: Variant = {"threads": 64, "lanes": 1}
        return [alone, *shared] if traits.software else [*shared, alone]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if not 1 <= self.blocks(problem) <= MOST:
            return f"blocks must be within 1 and {MOST}, and are {self.blocks(problem)}"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        block = ceil_div(problem["rows"], self.blocks(problem))
        return {"rows": problem["rows"], "cols": self.cols(problem), "block": block}

    def tune_key(self, problem: Problem) -> str:
        return in_fours(problem["rows"], self.cols(problem))

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        wide = ceil_div(self.cols(problem), variant["threads"] // variant["lanes"])
        return (wide, self.blocks(problem), 1)
