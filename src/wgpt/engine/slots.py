"""The GPU's side of the sequences: a record by slot (kernels/sampling/slots.py), and a row of the page table.

Changes are collected here and travel with the next Program, whose kernel `begin_step` applies them: nothing waits, and
steps that are under way are not disturbed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..gpu import GpuDevice, Tensor
from ..kernels.attention.attending import table_width
from ..kernels.sampling.begin_step import CONTROL_WORDS
from ..kernels.sampling.slots import IDLE, RECORD_WORDS

ALIGN = 64  # words: windows of a buffer begin at multiples of 256 bytes
Words = NDArray[np.uint32]


class Slots:
    """`records` and `table` are windows of one buffer, `state`, whose last word is the epoch of the last changes.

    `ahead`: words before `control` for what a Program needs beside it, a multiple of ALIGN: one write takes both.
    `in_order`: each slot has its pages from the beginning, one slot's after the other's.
    """

    def __init__(self, device: GpuDevice, slots: int, capacity: int, ahead: int = 0, *, in_order: bool = False) -> None:
        self.count, self.most_rows, width = slots, slots, table_width(capacity)
        self._table_at = -(-slots * RECORD_WORDS // ALIGN) * ALIGN
        self._width = width
        words = self._table_at + slots * width + 1
        start = np.zeros(words, np.uint32)
        if in_order:
            start[self._table_at : -1] = np.arange(slots * width)
        self.state = device.tensor(start, label="sequences")
        self.records = self.state.window(0, slots, RECORD_WORDS)
        self.table = self.state.window(self._table_at, slots, width)
        self._ahead, self._windows = ahead, dict[int, Tensor]()
        self._written = device.empty((ahead + CONTROL_WORDS + slots + 2 * words,), "u32", "control")
        self.control = self.ahead(0)
        device.write(self.control.window(0, CONTROL_WORDS), np.zeros(CONTROL_WORDS, np.uint32))
        self._epoch = 0
        self._rows: list[int] = []  # their slots; the others are padding
        self._sent_rows = False
        self._changes: dict[int, int] = {}

    def set_record(self, slot: int, record: Words) -> None:
        first = slot * RECORD_WORDS
        self._changes.update(zip(range(first, first + RECORD_WORDS), record.tolist(), strict=True))

    def set_word(self, slot: int, word: int, value: int) -> None:
        """One word of a slot's record."""
        self._changes[slot * RECORD_WORDS + word] = value

    def set_pages(self, slot: int, first: int, pages: Sequence[int]) -> None:
        """The slot's pages from its `first` one on."""
        at = self._table_at + slot * self._width + first
        self._changes.update(zip(range(at, at + len(pages)), pages, strict=True))

    def set_rows(self, slots: Sequence[int]) -> None:
        """The slot of each row of the next step; the others are padding."""
        if slots != self._rows:
            self._rows, self._sent_rows = list(slots), False

    def ahead(self, size: int) -> Tensor:
        """The last `size` words before the control, where `writes` puts what it is given, and the control."""
        if size not in self._windows:
            first = self._ahead - size
            self._windows[size] = self._written.window(first, self._written.size - first)
        return self._windows[size]

    def writes(self, ahead: Words | None = None) -> list[tuple[Tensor, Words]]:
        """What the next Program must write before it runs; empty if nothing has changed."""
        if self._sent_rows and not self._changes:
            return [] if ahead is None else [(self.ahead(len(ahead)), ahead)]
        self._epoch = self._epoch % 0xFFFFFFFF + 1
        size = 0 if ahead is None else len(ahead)
        rows = size + CONTROL_WORDS
        pairs = rows + self.count
        words = np.full(pairs + 2 * len(self._changes), IDLE, np.uint32)
        if ahead is not None:
            words[:size] = ahead
        words[size:rows] = self._epoch, len(self._changes)
        words[rows : rows + len(self._rows)] = self._rows
        words[pairs::2], words[pairs + 1 :: 2] = list(self._changes), list(self._changes.values())
        self._changes, self._sent_rows = {}, True
        return [(self.ahead(size), words)]

    @property
    def nbytes(self) -> int:
        return self.state.nbytes + self._written.nbytes

    def release(self) -> None:
        self.state.buffer.release()
        self._written.buffer.release()
