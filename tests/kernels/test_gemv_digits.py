"""GEMV with x as whole numbers: what is not finite stays so, and every size of x keeps its precision."""

from __future__ import annotations

import numpy as np
import pytest

from wgpt.gpu import GpuDevice, Recorder
from wgpt.kernels import registry

GEMV = registry.get("gemv")
pytestmark = pytest.mark.gpu


def product(device: GpuDevice, weight: str, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    problem = {"weight": weight, "n": 40, "k": len(x)}
    variants = [v for v in GEMV.usable(device.traits, problem) if v["digits"]]
    if not variants:
        pytest.skip("no subgroups here: x is never staged as whole numbers")
    inputs = {**GEMV.inputs(np.random.default_rng(0), problem), "x": x.astype(np.float32)}
    tensors = {name: device.tensor(array) for name, array in inputs.items()} | {"y": device.empty((40,))}
    with Recorder(device) as recorder:
        recorder.launch(GEMV.launch(device, tensors, problem, variants[0]))
        with recorder.finish(y=tensors["y"]) as program, np.errstate(invalid="ignore"):
            return program.read()["y"], GEMV.reference(inputs, problem)["y"]


@pytest.mark.parametrize("weight", ["q4_1", "q8_0"])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_what_is_not_finite_stays_so(device, weight, value):
    x = np.random.default_rng(1).standard_normal(128)
    x[77] = value
    y, _ = product(device, weight, x)
    assert not np.isfinite(y).any()


@pytest.mark.parametrize("weight", ["q4_1", "q8_0"])
@pytest.mark.parametrize("size", [1e-20, 1.0, 1e20])
def test_blocks_of_any_size(device, weight, size):
    """Blocks of x that differ by twelve orders of magnitude; the largest decides the sum, and each its own digits."""
    x = np.random.default_rng(2).standard_normal(256) * np.repeat(np.logspace(-9, 3, 8), 32) * size
    y, wanted = product(device, weight, x)
    np.testing.assert_allclose(y, wanted, rtol=0, atol=1e-6 * np.abs(wanted).max())
    x[-32:] = 0
    y, wanted = product(device, weight, x)
    np.testing.assert_allclose(y, wanted, rtol=0, atol=1e-6 * np.abs(wanted).max())
