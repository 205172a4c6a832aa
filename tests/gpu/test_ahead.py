"""Replays whose commands were encoded ahead of time."""

from __future__ import annotations

import numpy as np
import pytest

from wgpt.gpu import GpuDevice, Recorder, ValidationError, native
from wgpt.kernels.registry import get

pytestmark = pytest.mark.gpu


def doubling(device: GpuDevice, x):
    """x += x, in place: each replay doubles it."""
    with Recorder(device) as recorder:
        y = recorder.tensor(x.shape, "f32", "y")
        recorder.launch(get("add").launch(device, {"a": x, "b": x, "y": y}, {"n": x.size}))
        recorder.launch(get("scale").launch(device, {"x": y, "y": x}, {"n": x.size, "alpha": 1.0}))
        return recorder.finish(x=x)


@pytest.mark.parametrize("again", [False, True])
def test_every_replay_counts_once(device, again):
    x = device.tensor(np.arange(1, 301, dtype=np.float32))
    with doubling(device, x) as program:
        submits = device.submits
        pending = [program.submit(again=again) for _ in range(6)]
        assert device.submits == submits + 6
        for i, one in enumerate(pending, 1):
            np.testing.assert_array_equal(one.result()["x"], np.arange(1, 301) * 2.0**i)
        program.run()  # what is ready serves any replay
        np.testing.assert_array_equal(device.read(x), np.arange(1, 301) * 2.0**7)
    x.buffer.release()


def test_a_program_that_is_released_with_commands_ready_gives_its_memory_back(device):
    x = device.tensor(np.ones(64, np.float32))
    before = device.bytes_in_use
    for _ in range(3):
        with doubling(device, x) as program:
            program.submit(again=True).result()
    device.pool.trim()
    assert device.bytes_in_use <= before
    np.testing.assert_array_equal(device.read(x), np.full(64, 8.0))  # what was ready has not run
    x.buffer.release()


@pytest.mark.skipif(not native.available, reason="nothing is encoded ahead through the public API")
def test_memory_that_went_meanwhile_is_refused(device):
    x = device.tensor(np.ones(64, np.float32))
    program = doubling(device, x)
    program.submit(again=True).result()
    x.buffer.release()
    with pytest.raises(ValidationError, match="was released"):
        program.submit(again=True)
    program.release()
