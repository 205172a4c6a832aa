"""What a Program gets of the rows of a chunk, in one array: one write takes less time than four."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..gpu import Recorder, Tensor
from .slots import ALIGN, Words

ROWS = "rows"  # the input's name


class RowTensors(NamedTuple):
    """`last`: the number of one row, from which the next token is chosen."""

    ids: Tensor
    places: Tensor
    loras: Tensor
    last: Tensor


class PackedRows:
    """Ids, places and indices of LoRA adapters (0: none)."""

    def __init__(self, ids: Words, places: Words, loras: Words, last: int = 0) -> None:
        at = _offsets(len(ids))
        self.words = np.zeros(at[4], np.uint32)
        self.ids = self.words[: len(ids)]
        self.ids[:] = ids
        self.words[at[1] : at[1] + places.size] = places.reshape(-1)
        self.words[at[2] : at[2] + len(loras)] = loras
        self.words[at[3]] = last

    @staticmethod
    def size(rows: int) -> int:
        """How many words there are, a multiple of ALIGN."""
        return _offsets(rows)[4]

    @staticmethod
    def record(recorder: Recorder, rows: int) -> RowTensors:
        """As an input of the Program."""
        return PackedRows.split(recorder.upload(np.zeros(PackedRows.size(rows), np.uint32), ROWS), rows)

    @staticmethod
    def split(packed: Tensor, rows: int) -> RowTensors:
        at = _offsets(rows)
        return RowTensors(
            packed.window(at[0], rows),
            packed.window(at[1], rows, 2),
            packed.window(at[2], rows),
            packed.window(at[3], 1),
        )


def _offsets(rows: int) -> tuple[int, int, int, int, int]:
    """Where each part begins, and where the last one ends, in words."""
    size = -(-rows // ALIGN) * ALIGN
    last = 2 * size + -(-2 * rows // ALIGN) * ALIGN
    return 0, size, last - size, last, last + ALIGN
