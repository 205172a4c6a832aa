"""The golden models on the GPU: as transformers computes them, alone and together, the weights uploaded once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from wgpt import ForwardPass, Model, load
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.engine.packed_rows import PackedRows
from wgpt.gpu import GpuDevice
from wgpt.models import reference

from . import golden
from .compare import CHOICES, TOLERANCE, decoded, error
from .gguf_maker import write_gguf
from .golden import Golden

pytestmark = pytest.mark.gpu


FEW = golden.parameters(quick=("gpt2", "llama-gqa", "qwen2", "qwen3"))


@pytest.fixture(scope="module", params=golden.parameters())
def case(request: pytest.FixtureRequest, device: GpuDevice) -> Iterator[tuple[Golden, Model]]:
    truth = golden.load(request.param)
    with load(truth.folder, cache="f32", context=truth.context, device=device) as model:
        yield truth, model


@pytest.fixture
def forward(case: tuple[Golden, Model], device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> Iterator[ForwardPass]:
    monkeypatch.setattr("wgpt.api.forward_pass.default_device", lambda: device)
    forward_pass = ForwardPass.default().with_resident_weights(case[1])
    yield forward_pass
    forward_pass.release()


@pytest.mark.parametrize("case", FEW, indirect=True)
def test_logits(case: tuple[Golden, Model]) -> None:
    truth, model = case
    for run in truth.runs:
        assert error(model.logits(run.ids), run.logits) < TOLERANCE


@pytest.mark.parametrize("case", FEW, indirect=True)
def test_hidden_states(case: tuple[Golden, Model]) -> None:
    truth, model = case
    for run in truth.runs:
        assert error(model.hidden(run.ids), run.hidden) < TOLERANCE


def test_log_probabilities(case: tuple[Golden, Model]) -> None:
    truth, model = case
    run = truth.runs[-1]
    wide = run.logits[:-1].astype(np.float64)
    expected = wide[range(len(wide)), run.ids[1:]] - np.logaddexp.reduce(wide, axis=1)
    assert error(model.logprobs(run.ids), expected) < TOLERANCE
    assert model.perplexity(run.ids) == pytest.approx(np.exp(-expected.mean()), rel=TOLERANCE)


def test_greedy_continuations(case: tuple[Golden, Model]) -> None:
    truth, model = case
    for run in truth.runs:
        completion = model.generate(run.ids, **CHOICES)
        assert (completion.ids, completion.reason, completion.prompt_tokens) == (run.greedy, "length", len(run.ids))


def test_together_as_one_by_one(case: tuple[Golden, Model]) -> None:
    """Sequences of 1, 17 and 41 tokens, the shortest in the middle."""
    truth, model = case
    runs = [truth.runs[i] for i in (1, 0, 2)]
    completions = model.generate([run.ids for run in runs], **CHOICES)
    assert [completion.ids for completion in completions] == [run.greedy for run in runs]


def test_hidden_states_together(case: tuple[Golden, Model], forward: ForwardPass) -> None:
    runs = [case[0].runs[i] for i in (1, 0, 2)]
    for hidden, run in zip(forward.forward_hidden_batch([run.ids for run in runs]), runs, strict=True):
        assert error(hidden, run.hidden) < TOLERANCE
        assert error(forward.forward_hidden(run.ids), hidden) < TOLERANCE  # whatever else is in the batch


def test_a_second_forward_costs_nothing_but_its_tokens(
    case: tuple[Golden, Model], forward: ForwardPass, device: GpuDevice
) -> None:
    """No pipeline is compiled and no weight is uploaded again: 41 tokens take 48 rows."""
    ids = case[0].runs[2].ids
    first = forward.forward_hidden(ids)
    compiled, uploaded, used = device.pipelines.compiled, device.uploaded_bytes, device.bytes_in_use
    again = forward.forward_hidden(ids)
    assert device.pipelines.compiled == compiled
    assert device.uploaded_bytes - uploaded == 4 * PackedRows.size(48)
    assert device.bytes_in_use == used
    np.testing.assert_array_equal(again, first)


def test_steps_upload_nothing(case: tuple[Golden, Model], device: GpuDevice) -> None:
    truth, model = case
    batch = FixedBatch(model.network, 64, cache=model.cache)
    batch.start({0: truth.runs[1].ids})
    first = [batch.step().result()["tokens"][0]]
    compiled, uploaded = device.pipelines.compiled, device.uploaded_bytes
    rest = [batch.step().result()["tokens"][0] for _ in range(11)]
    assert (device.pipelines.compiled, device.uploaded_bytes) == (compiled, uploaded)
    assert first + rest == truth.runs[1].greedy
    batch.release()


@pytest.mark.parametrize("name", golden.parameters(name for name in golden.NAMES if name not in golden.NOT_IN_GGUF))
def test_gguf_files(name: str, device: GpuDevice, tmp_path: Path) -> None:
    """The same logits from a GGUF file."""
    truth, run = golden.load(name), golden.load(name).runs[-1]
    write_gguf(tmp_path / "model.gguf", truth.config, truth.weights)
    with load(tmp_path / "model.gguf", cache="f32", context=truth.context, device=device) as model:
        assert error(model.logits(run.ids), run.logits) < TOLERANCE


def test_to_the_end_of_learned_positions(device: GpuDevice) -> None:
    """GPT-2 has a table of positions, here of 96: every one of them is read, and none beyond."""
    truth = golden.load("gpt2")
    ids = truth.runs[2].ids
    with load(truth.folder, cache="f32", device=device) as model:
        after, logits = decoded(model.network, ids, 96 - len(ids) + 1, capacity=96)
        expected = reference.logits(truth.config, truth.weights, [*ids, *after[:-1]])
        assert error(logits, expected[len(ids) - 1 :]) < TOLERANCE
        assert error(model.logits([*ids, *after[:-1]]), expected) < TOLERANCE
        assert model.generate(ids, max_tokens=100, ignore_eos=True).ids == after
