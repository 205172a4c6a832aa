"""What travels to the GPU with a Program: changes of the slots, and the rows of a short chunk in the same write."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from wgpt.engine.packed_rows import PackedRows
from wgpt.engine.slots import Slots
from wgpt.gpu import GpuDevice
from wgpt.kernels.sampling.slots import IDLE, RECORD_WORDS

pytestmark = pytest.mark.gpu
ROWS = 5
PACKED = PackedRows(ROWS)
PACKED.ids[:], PACKED.places[:] = np.arange(ROWS) + 50, np.arange(2 * ROWS).reshape(ROWS, 2)
PACKED.loras[:], PACKED.last[0] = np.arange(ROWS) + 80, 4


@pytest.fixture
def slots(device: GpuDevice) -> Iterator[Slots]:
    made = Slots(device, 3, 128, ahead=PackedRows.size(16))
    yield made
    made.release()


def test_changes_are_sent_once(slots: Slots) -> None:
    slots.set_rows([2, 0])
    slots.set_word(1, 4, 7)
    ((tensor, words),) = slots.writes()
    assert tensor is slots.control
    assert words.tolist() == [1, 1, 2, 0, IDLE, RECORD_WORDS + 4, 7]
    slots.set_rows([2, 0])
    assert slots.writes() == []
    slots.set_rows([2])
    ((_, words),) = slots.writes()
    assert words.tolist() == [2, 0, 2, IDLE, IDLE]


def test_rows_and_changes_in_one_write(device: GpuDevice, slots: Slots) -> None:
    """Each is where the Program's windows are, whether or not there are changes."""
    parts = PackedRows.split(slots.ahead(PackedRows.size(ROWS)), ROWS)
    for changes in (1, 0):
        slots.set_rows([1])
        if changes:
            slots.set_word(0, 3, 9)
        ((tensor, words),) = slots.writes(PACKED.words)
        device.write(tensor.window(0, len(words)), words)
        for part, values in zip(parts, (PACKED.ids, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], range(80, 85), [4]), strict=True):
            np.testing.assert_array_equal(device.read(part).reshape(-1), list(values))
            assert part.offset % 256 == 0
        assert device.read(slots.control.window(0, 7)).tolist() == [1, 1, 1, IDLE, IDLE, 3, 9]
        device.write(tensor.window(0, PACKED.words.size), np.zeros_like(PACKED.words))
