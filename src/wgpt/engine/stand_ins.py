"""Which recorded Program can do the work of another one that is not recorded yet: nobody waits for that then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .batch import TILE
from .forward_recorder import Shape
from .read_outputs import Outputs

# Sizes that are prepared, each four times the one before: a stand-in computes at most as many times the rows that are
# needed, because on a slow GPU more would take longer than recording.
STEPS, CHUNKS = (8, 32, 128), ((128, 1), (512, TILE), (512, 1), (2048, TILE), (2048, 1))  # rows; rows and tile
_MOST_TIMES = 4
Cost = Callable[[Any], tuple[int, int] | None]  # of another Program, by its key: the smallest is best; None: unfit


def cost_for_step(wanted: Shape) -> Cost:
    """A step of more rows, for a longer context, or which can choose tokens in more ways."""

    def cost(other: Any) -> tuple[int, int] | None:
        if not isinstance(other, Shape) or (other.part, other.width) != (wanted.part, wanted.width):
            return None
        enough = wanted.rows <= other.rows <= max(STEPS[0], _MOST_TIMES * wanted.rows)
        fits = enough and other.context >= wanted.context and other.mode.covers(wanted.mode)
        return (other.rows, other.context) if fits else None

    return cost


def cost_for_chunk(rows: int, tile: int, outputs: Outputs) -> Cost:
    """A chunk of more rows or of smaller tiles. Not where all rows are needed: they would depend on what was recorded
    before."""

    def cost(other: Any) -> tuple[int, int] | None:
        if not isinstance(other, tuple) or outputs.whole or other[2] != outputs:
            return None
        other_rows, other_tile = other[:2]
        enough = rows <= other_rows <= max(CHUNKS[0][0], _MOST_TIMES * rows)
        return (other_rows, -other_tile) if enough and tile % other_tile == 0 else None

    return cost
