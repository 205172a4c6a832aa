"""Rows of several sequences in one forward: which token goes where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..kernels.attending import PADDING

TILE = 16  # rows of one sequence are padded to a multiple of this where there are several


@dataclass(frozen=True)
class Chunk:
    """Rows that run together. `where[slot]` are the numbers of the rows of each sequence, in order."""

    ids: NDArray[np.uint32]  # [M]
    places: NDArray[np.uint32]  # [M, 2]: (slot, position); padding has position 0xffffffff
    where: Mapping[int, NDArray[np.intp]]

    @property
    def m(self) -> int:
        return len(self.ids)


def chunks(sequences: Mapping[int, Sequence[int]], starts: Mapping[int, int], most: int) -> list[Chunk]:
    """Tokens of the sequences (by slot), from their `starts` on, in chunks of at most `most` rows.

    Every aligned run of TILE rows belongs to one sequence. `most` is a multiple of TILE.
    """
    runs = [
        (slot, starts[slot] + lo, tokens[lo : lo + TILE])
        for slot, tokens in sequences.items()
        for lo in range(0, len(tokens), TILE)
    ]
    each = most // TILE
    return [_chunk(runs[i : i + each]) for i in range(0, len(runs), each)]


def _chunk(runs: Sequence[tuple[int, int, Sequence[int]]]) -> Chunk:
    m = len(runs) * TILE
    ids = np.zeros(m, np.uint32)
    places = np.full((m, 2), PADDING, np.uint32)
    where: dict[int, list[int]] = {}
    for i, (slot, start, tokens) in enumerate(runs):
        at, count = i * TILE, len(tokens)
        ids[at : at + count] = tokens
        places[at : at + TILE, 0] = slot
        places[at : at + count, 1] = np.arange(start, start + count)
        where.setdefault(slot, []).extend(range(at, at + count))
    return Chunk(ids, places, {slot: np.array(rows, np.intp) for slot, rows in where.items()})
