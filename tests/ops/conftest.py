"""Each operation is tried on the CPU and on the GPU."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

import numpy as np
import pytest

import wgpt
from wgpt.gpu import GpuDevice, Pending
from wgpt.gpu import device as device_module
from wgpt.kernels import tuning
from wgpt.ops import where as where_module

from .harness import BINDING, LIMIT


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """Random numbers, the same in every run."""
    return np.random.default_rng([*request.node.name.encode()])


@pytest.fixture(params=["cpu", pytest.param("gpu", marks=pytest.mark.gpu)])
def where(request: pytest.FixtureRequest) -> Iterator[str]:
    """The test runs inside wgpt.use("cpu"), and again inside wgpt.use(device), which must then be used."""
    if request.param == "cpu":
        with wgpt.use("cpu"):
            yield "cpu"
        return
    device = request.getfixturevalue("device")
    before = device.submits
    with wgpt.use(device):
        yield "gpu"
    assert device.submits > before


@pytest.fixture
def default(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> GpuDevice:
    """The tests' device as the process's default, untuned: large enough work goes there."""
    monkeypatch.setattr(device_module, "_default", device)
    monkeypatch.setattr(where_module, "_missing", False)
    monkeypatch.delenv("WGPT_GPU_MIN_SIZE", raising=False)
    monkeypatch.setitem(tuning._loaded, device.key, {})
    return device


@pytest.fixture(scope="module")
def narrow() -> Iterator[GpuDevice]:
    """A GPU that binds 64 KiB at once."""
    device = GpuDevice.open()
    device.limits[BINDING] = LIMIT
    yield device
    device.close()


@pytest.fixture
def under_way(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Delay results, so that operations awaited together run together; counts how many did."""
    done, polls = Pending.done, WeakKeyDictionary[Pending, int]()
    most = [0]

    def late(self: Pending) -> bool:
        polls[self] = polls.get(self, 0) + 1
        if polls[self] > 3:
            return done(self)
        most[0] = max(most[0], sum(n <= 3 for n in polls.values()))
        return False

    monkeypatch.setattr(Pending, "done", late)
    return most
