"""What a Program gets of the rows of a chunk, in one array: one write takes less time than four."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from ..gpu import Recorder, Tensor
from .batch import Chunk
from .slots import ALIGN

ROWS = "rows"  # the input's name


class RowTensors(NamedTuple):
    """`last`: the number of one row, from which the next token is chosen."""

    ids: Tensor
    places: Tensor
    loras: Tensor
    last: Tensor


class PackedRows:
    """Ids, places, indices of LoRA adapters (0: none) and the last row's number, to be filled in: views of `words`."""

    def __init__(self, rows: int) -> None:
        at = _offsets(rows)
        self.words = np.zeros(at[4], np.uint32)
        self.ids, self.loras = self.words[:rows], self.words[at[2] : at[2] + rows]
        self.places = self.words[at[1] : at[1] + 2 * rows].reshape(rows, 2)
        self.last = self.words[at[3] : at[3] + 1]

    @classmethod
    def of(cls, chunk: Chunk, loras: Mapping[int, int], last: int = 0) -> PackedRows:
        """Those of a chunk; `loras`: index of the adapter by slot, of those that have one."""
        packed = cls(chunk.m)
        packed.ids[:], packed.places[:], packed.last[0] = chunk.ids, chunk.places, last
        for slot, at in chunk.where.items():
            packed.loras[at] = loras.get(slot, 0)
        return packed

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


@cache
def _offsets(rows: int) -> tuple[int, int, int, int, int]:
    """Where each part begins, and where the last one ends, in words."""
    size = -(-rows // ALIGN) * ALIGN
    last = 2 * size + -(-2 * rows // ALIGN) * ALIGN
    return 0, size, last - size, last, last + ALIGN
