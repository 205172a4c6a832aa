"""Copies between tensors outside of Programs."""

from __future__ import annotations

import numpy as np
import pytest

from wgpt.gpu import GpuDevice, Recorder, ValidationError

pytestmark = pytest.mark.gpu


def test_they_are_in_order_with_programs(device: GpuDevice) -> None:
    """What a Program has written before is copied, and what is copied is there for the one after it."""
    first, second = (device.tensor(np.zeros(100, np.float32)) for _ in range(2))
    source = device.tensor(np.arange(100, dtype=np.float32))
    with Recorder(device) as recorder:
        recorder.copy(source, first)
        write = recorder.finish()
    result = device.tensor(np.zeros(100, np.float32))
    with Recorder(device) as recorder:
        recorder.copy(second, result)
        use = recorder.finish(result=result)
    write.run()
    device.copy([(first.window(10, 30), second.window(64, 30)), (first.window(0, 4), second.window(1, 4))])
    expected = np.zeros(100, np.float32)
    expected[64:94], expected[1:5] = np.arange(10, 40), np.arange(4)
    np.testing.assert_array_equal(use.read()["result"], expected)
    for program in (write, use):
        program.release()
    for tensor in (first, second, source, result):
        tensor.buffer.release()


def test_a_copy_within_a_buffer_or_of_another_size_is_refused(device: GpuDevice) -> None:
    one, other = (device.tensor(np.zeros(8, np.float32)) for _ in range(2))
    for pair in ((one.window(0, 4), one.window(4, 4)), (one.window(0, 4), other)):
        with pytest.raises(ValidationError, match="two buffers and equal sizes"):
            device.copy([pair])
    one.buffer.release()
    other.buffer.release()
