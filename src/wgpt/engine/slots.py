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
    """`records` and `table` are windows of one buffer, `state`, whose last word is the epoch of the last changes."""

    def __init__(self, device: GpuDevice, slots: int, capacity: int) -> None:
        self.count, self.most_rows, width = slots, slots, table_width(capacity)
        self._table_at = -(-slots * RECORD_WORDS // ALIGN) * ALIGN
        self._width = width
        words = self._table_at + slots * width + 1
        start = np.zeros(words, np.uint32)
        self.state = device.tensor(start, label="sequences")
        self.records = self.state.window(0, slots, RECORD_WORDS)
        self.table = self.state.window(self._table_at, slots, width)
        self.control = device.empty((CONTROL_WORDS + slots + 2 * words,), "u32", "control")
        device.write(self.control.window(0, CONTROL_WORDS), np.zeros(CONTROL_WORDS, np.uint32))
        self._epoch = 0
        self._slots = list[int]()
        self._rows = np.full(slots, IDLE, np.uint32)
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
        if self._slots != list(slots):
            self._slots, self._sent_rows = list(slots), False
            self._rows = np.full(self.count, IDLE, np.uint32)
            self._rows[: len(slots)] = slots

    def writes(self) -> list[tuple[Tensor, Words]]:
        """What the next Program must write before it runs; empty if nothing has changed."""
        if self._sent_rows and not self._changes:
            return []
        self._epoch = self._epoch % 0xFFFFFFFF + 1
        pairs = np.fromiter((word for pair in self._changes.items() for word in pair), np.uint32)
        control = np.concatenate([np.array([self._epoch, len(self._changes)], np.uint32), self._rows, pairs])
        self._changes, self._sent_rows = {}, True
        return [(self.control, control)]

    @property
    def nbytes(self) -> int:
        return self.state.nbytes + self.control.nbytes

    def release(self) -> None:
        self.state.buffer.release()
        self.control.buffer.release()
