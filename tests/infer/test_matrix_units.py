"""Models whose products run on matrix units (in software here): exact when they score, rounded when they generate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from wgpt import load
from wgpt.gpu import GpuDevice
from wgpt.infer.session import Session
from wgpt.ops import matrices

from ..contracts import matrix_units
from ..models import golden
from ..models.compare import error
from ..train.test_step import Bench

pytestmark = pytest.mark.gpu
FAST = 5e-3  # halves have eleven bits, and a few layers add up what they lose
IDS = list(range(3, 40))


@pytest.fixture
def units(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Matrix units, and the kernels that were recorded with them."""
    used = list[str]()
    product = matrices._product
    monkeypatch.setattr(matrices, "_product", lambda *a, **k: used.append("product") or product(*a, **k))
    monkeypatch.setattr(matrices, "LEAST_ROWS", 2)
    monkeypatch.setattr(matrices, "LEAST_WEIGHTS", 0)
    monkeypatch.setattr(matrices, "LEAST_ROWS_CONVERTED", 2)
    monkeypatch.setattr("wgpt.ops.engine.IN_SOFTWARE", True)
    for kernel in ("gemm_matrix", "attention_matrix", "attention_matrix_backward_q", "attention_matrix_backward_kv"):
        matrix_units.install(kernel, device, monkeypatch)
    yield used


def logits(device: GpuDevice, dtype: str | None, **how: Any) -> np.ndarray:
    with load(golden.load("llama-gqa").folder, cache="f32", dtype=dtype, device=device) as model:
        with Session(model.network, 64, cache="f32", logits=True, **how) as session:
            return next(iter(session.logits({0: IDS}).values()))


@pytest.mark.parametrize("dtype", ["f16", "q4_1"])
def test_logits(device: GpuDevice, units: list[str], dtype: str) -> None:
    fast, exact = (logits(device, dtype, precision=precision) for precision in ("fast", "exact"))
    assert units
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("wgpt.ops.engine.IN_SOFTWARE", False)
        count = len(units)
        plain = logits(device, dtype)
        assert len(units) == count
    assert 1e-6 < error(fast, plain) < FAST
    assert error(exact, plain) < 2e-5


def test_a_training_step(device: GpuDevice, units: list[str]) -> None:
    """Its loss and gradients, beside torch's."""
    bench = Bench(device, "llama-gqa-seven")
    loss = bench.step.gradients(bench.batch(bench.run.examples)).result()["loss"].sum(dtype=np.float64)
    gradients = bench.adapters.read(bench.device.read(bench.step.gradient[0]))
    kernels = {launch.kernel for program in bench.step.programs for launch in program.launches}
    bench.close()
    assert {"attention_matrix_backward_q", "attention_matrix_backward_kv"} <= kernels
    assert "attention_stats" not in kernels
    assert units and loss == pytest.approx(bench.run.loss, rel=1e-3)
    for name, parts in gradients.items():
        for part, gradient in zip("AB", parts, strict=True):
            expected = bench.run.gradients[f"{name}.{part}"]
            assert np.abs(gradient - expected).max() <= 2e-2 * np.abs(expected).max(), f"{name}.{part}"


@pytest.mark.parametrize("precision", ["fast", "exact"])
def test_what_is_generated_and_scored(device: GpuDevice, units: list[str], precision: str) -> None:
    """Whatever is asked for, the log-probabilities are exact."""
    folder = golden.load("llama-gqa").folder
    with load(folder, dtype="f16", precision=precision, context=64, device=device) as model:
        tokens = model.generate(IDS, max_tokens=3, ignore_eos=True).ids
        scores = model.logprobs(IDS)
    assert units
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("wgpt.ops.engine.IN_SOFTWARE", False)
        with load(folder, dtype="f16", context=64, device=device) as model:
            assert np.abs(scores - model.logprobs(IDS)).max() < 1e-4
            assert precision == "fast" or tokens == model.generate(IDS, max_tokens=3, ignore_eos=True).ids
