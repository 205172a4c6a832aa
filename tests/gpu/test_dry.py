"""A dry-run device: it records and counts like a real one, and refuses to compute."""

from __future__ import annotations

import gc

import numpy as np
import pytest
import wgpu

from wgpt.core.errors import WgptError
from wgpt.gpu import GpuDevice
from wgpt.gpu.dry import DryDevice

from .launches import chain

X = np.arange(257, dtype=np.float32)


@pytest.fixture(autouse=True)
def no_adapters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wgpu.gpu, "enumerate_adapters_sync", lambda: pytest.fail("it looks for a GPU"))


def test_it_records_and_refuses_to_run() -> None:
    device = DryDevice()
    with chain(device, X, 3) as program:
        assert len(program) == 3 and device.bytes_in_use > 0
        for work in (program.run, program.read, program.profile, lambda: device.read(program.outputs["y"])):
            with pytest.raises(WgptError, match=r"cannot compute|not support timestamp queries"):
                work()
    assert device.submits == 0


@pytest.mark.gpu
def test_it_counts_what_the_real_one_holds(device: GpuDevice) -> None:
    dry = DryDevice(device)
    assert (dry.limits, dry.traits, dry.key) == (device.limits, device.traits, device.key)
    gc.collect()  # buffers of earlier tests, which would otherwise be freed in between
    device.pool.trim()
    before = device.bytes_in_use
    with chain(device, X, 3), chain(dry, X, 3):
        assert dry.bytes_in_use == device.bytes_in_use - before
    dry.close()
    with pytest.raises(WgptError, match="was closed"):
        dry.buffer(16)
