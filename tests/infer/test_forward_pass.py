"""ForwardPass: where its weights come from, what it refuses, and that its memory comes back."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.models import golden
from tests.models.compare import TOLERANCE, error
from tests.models.golden import Golden
from wgpt import ForwardPass, Model, WgptError
from wgpt.formats import open_checkpoint
from wgpt.gpu import GpuDevice
from wgpt.infer import forward_pass
from wgpt.infer.session import ContextError
from wgpt.models.config import Config
from wgpt.models.presets import PRESETS

pytestmark = pytest.mark.gpu


@pytest.fixture(autouse=True)
def on_the_tests_device(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wgpt.infer.forward_pass.default_device", lambda: device)


@pytest.fixture
def forward(shared: Model) -> Iterator[ForwardPass]:
    found = ForwardPass.default().with_resident_weights(shared)
    yield found
    found.release()


@pytest.mark.parametrize("kind", ["path", "name", "checkpoint", "network", "model"])
def test_wherever_the_weights_come_from(shared: Model, truth: Golden, device: GpuDevice, kind: str) -> None:
    gc.collect()
    before = device.bytes_in_use - device.pool.free_bytes
    config = Config.of(open_checkpoint(truth.folder).config)
    forward = ForwardPass(config)
    if kind == "checkpoint":
        with open_checkpoint(truth.folder) as checkpoint:
            forward.with_resident_weights(checkpoint)
    else:
        sources = {"path": truth.folder, "name": str(truth.folder), "network": shared.network, "model": shared}
        assert forward.with_resident_weights(sources[kind]) is forward
    assert error(forward.forward_hidden(truth.runs[2].ids), truth.runs[2].hidden) < TOLERANCE
    forward.release()
    assert device.bytes_in_use - device.pool.free_bytes == before
    assert shared.generate(truth.runs[1].ids, max_tokens=4, ignore_eos=True).ids == truth.runs[1].greedy[:4]


def test_by_adapter_index(truth: Golden) -> None:
    forward = ForwardPass(adapter_index=0).with_resident_weights(truth.folder)
    assert error(forward.forward_hidden(truth.runs[0].ids), truth.runs[0].hidden) < TOLERANCE
    assert forward.device.info.name in forward.adapter_info()
    forward.release()
    forward.device.close()


def test_batches_too_large_for_one_cache(forward: ForwardPass, truth: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven sequences, two at a time, and the order stays."""
    monkeypatch.setattr(forward_pass, "_TOKENS", 90)
    runs = [truth.runs[i] for i in (0, 1, 2, 1, 0, 2, 1)]
    for found, run in zip(forward.forward_hidden_batch([run.ids for run in runs]), runs, strict=True):
        assert error(found, run.hidden) < TOLERANCE


def test_lengths_that_change(forward: ForwardPass, truth: Golden) -> None:
    for i in (0, 2, 1, 2, 0):
        run = truth.runs[i]
        assert error(forward.forward_hidden(run.ids), run.hidden) < TOLERANCE
    assert forward.forward_hidden_batch([]) == []


def test_arrays_of_ids(forward: ForwardPass, truth: Golden) -> None:
    ids = np.array(truth.runs[1].ids)
    expected = forward.forward_hidden(truth.runs[1].ids)
    np.testing.assert_array_equal(forward.forward_hidden(ids), expected)
    for found in forward.forward_hidden_batch(np.stack([ids, ids])):
        assert error(found, expected) < 3e-6  # of other rows, a GPU may add up in another order


def test_what_is_refused(forward: ForwardPass, shared: Model, tmp_path: Path) -> None:
    with pytest.raises(WgptError, match="no weights: call with_resident_weights"):
        ForwardPass.default().forward_hidden([1])
    with pytest.raises(WgptError, match="the pass was made for"):
        ForwardPass(PRESETS["gpt2"]).with_resident_weights(shared)
    with pytest.raises(WgptError):
        ForwardPass.default().with_resident_weights(tmp_path / "nothing.gguf")
    for wrong in ([], [320], [-1], [1] * 257):
        with pytest.raises(ContextError):
            forward.forward_hidden(wrong)
    assert forward.forward_hidden([1, 2]).shape == (2, 48)  # none of which does harm


def test_a_config_that_does_not_fit_leaves_nothing_behind(device: GpuDevice) -> None:
    before = device.bytes_in_use - device.pool.free_bytes
    with pytest.raises(WgptError, match="the pass was made for"):
        ForwardPass(PRESETS["gpt2"]).with_resident_weights(golden.load("gpt2").folder)
    gc.collect()
    assert device.bytes_in_use - device.pool.free_bytes == before
