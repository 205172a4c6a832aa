"""In seconds: the device opens, one kernel is right, one Program is replayed and read."""

from __future__ import annotations

import numpy as np
import pytest

from wgpt.contracts import trial
from wgpt.gpu import Recorder
from wgpt.kernels import registry

pytestmark = pytest.mark.gpu


def test_the_device_opens_and_computes_rightly(device):
    assert device.info.name and device.faults == []


def test_one_kernel_is_right(device):
    kernel = registry.get("gemv")
    for case in kernel.cases[:2]:
        assert trial.check(trial.prepare(kernel, case), device).within(1e-5)


def test_one_program_is_replayed_and_read(device):
    silu, rng = registry.get("silu"), np.random.default_rng(1)
    x, n = rng.standard_normal(1003).astype(np.float32), 1003
    recorder = Recorder(device)
    x_tensor, result = recorder.upload(x, "x"), recorder.tensor((n,))
    recorder.launch(silu.launch(device, {"x": x_tensor, "y": result}, {"n": n}))
    with recorder.finish(y=result) as program:
        for _ in range(3):
            program.write("x", x)
            expected = x / (1 + np.exp(-x.astype(np.float64)))
            np.testing.assert_allclose(program.read()["y"], expected, atol=1e-5 * np.abs(expected).max())
            x = rng.standard_normal(n).astype(np.float32)
