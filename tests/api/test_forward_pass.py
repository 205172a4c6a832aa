"""ForwardPass: the sources of its weights, invalid arguments, and release of its memory."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.models import golden
from tests.models.compare import TOLERANCE, error
from tests.models.golden import Golden
from wgpt import ForwardPass, Model, WgptError, load
from wgpt.api import forward_pass
from wgpt.engine.errors import ContextError
from wgpt.engine.packed_rows import ROWS, PackedRows
from wgpt.engine.reader import Reader
from wgpt.formats import open_checkpoint
from wgpt.formats.lora import LoraAdapter
from wgpt.gpu import GpuDevice, Program
from wgpt.models.config import Config
from wgpt.models.presets import PRESETS

pytestmark = pytest.mark.gpu


@pytest.fixture(autouse=True)
def on_the_tests_device(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wgpt.api.forward_pass.default_device", lambda: device)


@pytest.fixture
def forward(shared: Model) -> Iterator[ForwardPass]:
    forward_pass = ForwardPass.default().with_resident_weights(shared)
    yield forward_pass
    forward_pass.release()


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


def test_by_gpu_index(truth: Golden) -> None:
    forward = ForwardPass(gpu_index=0).with_resident_weights(truth.folder)
    assert error(forward.forward_hidden(truth.runs[0].ids), truth.runs[0].hidden) < TOLERANCE
    assert forward.device.info.name in forward.adapter_info()
    forward.release()
    forward.device.close()


def test_batches_too_large_for_one_cache(forward: ForwardPass, truth: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven sequences, two at a time, and the order stays."""
    monkeypatch.setattr(forward_pass, "_TOKENS", 90)
    runs = [truth.runs[i] for i in (0, 1, 2, 1, 0, 2, 1)]
    for hidden, run in zip(forward.forward_hidden_batch([run.ids for run in runs]), runs, strict=True):
        assert error(hidden, run.hidden) < TOLERANCE


def test_lengths_that_change(forward: ForwardPass, truth: Golden) -> None:
    for i in (0, 2, 1, 2, 0):
        run = truth.runs[i]
        assert error(forward.forward_hidden(run.ids), run.hidden) < TOLERANCE
    assert forward.forward_hidden_batch([]) == []


def test_arrays_of_ids(forward: ForwardPass, truth: Golden) -> None:
    ids = np.array(truth.runs[1].ids)
    expected = forward.forward_hidden(truth.runs[1].ids)
    np.testing.assert_array_equal(forward.forward_hidden(ids), expected)
    for hidden in forward.forward_hidden_batch(np.stack([ids, ids])):
        assert error(hidden, expected) < TOLERANCE  # with other rows, a GPU may add up in another order


def test_what_is_refused(forward: ForwardPass, shared: Model, tmp_path: Path) -> None:
    with pytest.raises(WgptError, match=r"no weights: first call with_resident_weights\(model\), or with_weights"):
        ForwardPass.default().forward_hidden([1])
    with pytest.raises(WgptError, match="this pass was created for"):
        ForwardPass(PRESETS["gpt2"]).with_resident_weights(shared)
    with pytest.raises(WgptError):
        ForwardPass.default().with_resident_weights(tmp_path / "nothing.gguf")
    for wrong in ([], [320], [-1], [1] * 257):
        with pytest.raises(ContextError):
            forward.forward_hidden(wrong)
    assert forward.forward_hidden([1, 2]).shape == (2, 48)  # none of which does harm


def test_a_config_that_does_not_fit_leaves_nothing_behind(device: GpuDevice) -> None:
    before = device.bytes_in_use - device.pool.free_bytes
    with pytest.raises(WgptError, match="this pass was created for"):
        ForwardPass(PRESETS["gpt2"]).with_resident_weights(golden.load("gpt2").folder)
    gc.collect()
    assert device.bytes_in_use - device.pool.free_bytes == before


def test_as_a_constructor_too(shared: Model, truth: Golden) -> None:
    forward_pass = ForwardPass.with_resident_weights(shared)
    assert error(forward_pass.forward_hidden(truth.runs[1].ids), truth.runs[1].hidden) < TOLERANCE
    forward_pass.release()
    assert "Upload a model's weights once" in (ForwardPass.with_resident_weights.__doc__ or "")


def test_what_it_says_of_itself(forward: ForwardPass, shared: Model) -> None:
    assert "48x112 model, 3 layers" in forward.adapter_info() and "of resident weights" in forward.adapter_info()
    before = forward.nbytes
    assert before >= shared.network.nbytes
    forward.forward_hidden([1, 2, 3])
    assert forward.nbytes > before
    assert repr(forward).startswith("ForwardPass(llama, 48x112, 3 layers, ")
    empty = ForwardPass.default()
    assert empty.nbytes == 0 and "no weights" in empty.adapter_info() and "no weights" in repr(empty)
    assert "model" not in empty.adapter_info()
    sized = ForwardPass(PRESETS["gpt2"])
    assert sized.adapter_info().endswith("; 768x3072 model, 12 layers; no weights")
    assert repr(sized).startswith("ForwardPass(gpt2, 768x3072, 12 layers, no weights, on ")


def test_after_its_model_was_closed(truth: Golden, device: GpuDevice) -> None:
    with load(truth.folder, cache="f32", device=device) as model:
        forward = ForwardPass.with_resident_weights(model)
        forward.forward_hidden([1, 2, 3])
    for call in (
        lambda: forward.forward_hidden([1, 2, 3]),
        lambda: forward.forward_hidden([1]),
        lambda: forward.forward_hidden_batch([[1, 2]], pairs_of(model), alpha=8),
        lambda: ForwardPass.with_resident_weights(model),
    ):
        with pytest.raises(WgptError, match="the model was closed, and its weights with it: load it again"):
            call()
    assert forward.adapter_info().endswith("; 48x112 model, 3 layers; its weights were released")
    assert "no weights" in repr(forward)
    forward.with_resident_weights(truth.folder)
    assert error(forward.forward_hidden(truth.runs[1].ids), truth.runs[1].hidden) < TOLERANCE
    forward.release()


WRONG_IDS = [
    ("Hello", "a list of lists"),
    ([1, 2], "sequence 0 must be a list of token ids, not 1 .int"),
    (["Hello"], "not text: encode it"),
    ([[1], [2, 2.5]], "sequence 1: token ids must be whole numbers, not 2.5"),
    ([[True]], "whole numbers, not True"),
    ([np.array([1.5])], "whole numbers, not .*1.5"),
    (None, "not NoneType"),
    (7, "not int"),
]


@pytest.mark.parametrize(("ids", "message"), WRONG_IDS)
def test_wrong_types_are_refused_in_words(forward: ForwardPass, ids: object, message: str) -> None:
    with pytest.raises(WgptError, match=message):
        forward.forward_hidden_batch(ids)  # type: ignore[arg-type]


def test_wrong_types_elsewhere(forward: ForwardPass) -> None:
    with pytest.raises(WgptError, match=r"model must be a model's name or path, .* not int"):
        ForwardPass.with_resident_weights(7)
    with pytest.raises(WgptError, match=r"config must be a wgpt\.models\.config\.Config, not dict"):
        ForwardPass({})  # type: ignore[arg-type]
    with pytest.raises(WgptError, match="gpu_index must be the number of a GPU in `wgpt info`, not 'nvidia'"):
        ForwardPass(gpu_index="nvidia")  # type: ignore[arg-type]
    with pytest.raises(WgptError, match="lora must be a LoraAdapter or a list of"):
        forward.forward_hidden_batch([[1]], lora=3)  # type: ignore[arg-type]


# Batches ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("samples", "tokens", "rows"), [(20, 64, 1280), (20, 8, 160), (20, 5, 112), (20, 1, 24)])
def test_a_batch_is_one_program(
    forward: ForwardPass, truth: Golden, device: GpuDevice, samples: int, tokens: int, rows: int
) -> None:
    """One Program, with hardly any padding rows; a GPU gets a long one in pieces."""
    ids = np.random.default_rng(tokens).integers(0, 320, (samples, tokens))
    forward.forward_hidden_batch(ids)
    before = device.submits
    hidden = forward.forward_hidden_batch(ids)
    assert forward._reader is not None
    program = _newest(forward._reader)
    assert device.submits - before in {len(program._pieces), len(program._idle_pieces)}
    assert program.inputs[ROWS].size == PackedRows.size(rows)
    for i in (0, samples - 1):
        assert error(hidden[i], forward.forward_hidden(ids[i])) < TOLERANCE


def test_lengths_of_all_kinds_together(forward: ForwardPass, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    batch = [rng.integers(0, 320, n).tolist() for n in (3, 200, 1, 17, 16, 1, 64, 5, 9, 33)]
    expected = [forward.forward_hidden(ids) for ids in batch]
    for most in (1 << 14, 300):  # all at once; short ones with short ones
        monkeypatch.setattr(forward_pass, "_TOKENS", most)
        for hidden, expected_hidden in zip(forward.forward_hidden_batch(batch), expected, strict=True):
            assert error(hidden, expected_hidden) < TOLERANCE


def test_groups_are_of_like_lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forward_pass, "_TOKENS", 100)
    assert forward_pass._groups([10, 90, 10, 10, 50, 40]) == [[1], [4, 5], [0, 2, 3]]
    assert forward_pass._groups([]) == []


def _newest(reader: Reader) -> Program:
    """The Program that ran last."""
    assert reader._kept is not None
    return reader._kept.runner._programs.items()[-1][1]


def test_one_row_takes_the_decode_kernels(forward: ForwardPass, shared: Model) -> None:
    forward.forward_hidden([5])
    assert forward._reader is not None
    kernels = {launch.kernel for launch in _newest(forward._reader).launches}
    assert {"gemv_fused", "attention_decode"} <= kernels and not kernels & {"gemm_fused", "attention_prefill"}
    # Scoring, too, and a prompt whose last token is a chunk of its own.
    shared.logits([5])
    assert "gemm_fused" not in {launch.kernel for launch in _newest(shared._reader).launches}
    together = shared.logits([5, 6, 7])
    assert error(shared.logits([5])[0], together[0]) < TOLERANCE


# LoRA -------------------------------------------------------------------------------------------------------


def pairs_of(shared: Model, seed: int = 0, rank: int = 4) -> list[tuple[np.ndarray, np.ndarray]]:
    """[q0, v0, q1, v1, ...] of the golden model."""
    rng, c = np.random.default_rng(seed), shared.config
    pairs = []
    for _ in range(c.layers):
        for rows in (c.q_rows, c.kv_rows):
            a = rng.standard_normal((rank, c.hidden)).astype(np.float32)
            pairs.append((a, rng.standard_normal((rows, rank)).astype(np.float32) * np.float32(0.1)))
    return pairs


def test_factors_that_changed_in_place(forward: ForwardPass, shared: Model) -> None:
    """As a training loop does between two forward passes."""
    adapter = LoraAdapter.of_qv(pairs_of(shared), alpha=8)
    plain, first = forward.forward_hidden([1, 2, 3]), forward.forward_hidden_batch([[1, 2, 3]], adapter)[0]
    factors = adapter.targets["model.layers.1.self_attn.v_proj"]
    factors.b[:] = 2 * factors.b
    second = forward.forward_hidden_batch([[1, 2, 3]], adapter)[0]
    assert np.abs(first - plain).max() > 1e-2 and np.abs(second - first).max() > 1e-3
    expected = forward.forward_hidden_batch([[1, 2, 3]], LoraAdapter.of_qv(_copied(adapter), alpha=8))[0]
    np.testing.assert_array_equal(second, expected)
    np.testing.assert_array_equal(forward.forward_hidden([1, 2, 3]), plain)


def _copied(adapter: LoraAdapter) -> list[tuple[np.ndarray, np.ndarray]]:
    return [(f.a.copy(), f.b.copy()) for f in adapter.targets.values()]


def test_the_same_factors_are_uploaded_once(forward: ForwardPass, shared: Model, device: GpuDevice) -> None:
    adapter = LoraAdapter.of_qv(pairs_of(shared), alpha=8)
    forward.forward_hidden_batch([[1, 2, 3]], adapter)
    before = device.uploaded_bytes
    forward.forward_hidden_batch([[1, 2, 3]], adapter)
    assert device.uploaded_bytes - before == 4 * PackedRows.size(4)


def test_an_attached_adapter_that_changed_in_place(shared: Model) -> None:
    adapter = LoraAdapter.of_qv(pairs_of(shared), alpha=8)
    try:
        name = shared.attach(adapter)
        first = shared.hidden([1, 2, 3])
        adapter.targets["model.layers.0.self_attn.q_proj"].a[:] *= 3
        np.testing.assert_array_equal(shared.hidden([1, 2, 3]), first)  # until it is attached again
        assert shared.attach(adapter) == name and shared.loras == [name]
        assert np.abs(shared.hidden([1, 2, 3]) - first).max() > 1e-3
    finally:
        shared.detach()
        for loaded in shared.loras:
            shared.unload(loaded)


def test_a_flat_list(forward: ForwardPass, shared: Model) -> None:
    pairs = pairs_of(shared)
    hidden = forward.forward_hidden_batch([[1, 2, 3]], pairs, alpha=8)[0]
    np.testing.assert_array_equal(hidden, forward.forward_hidden_batch([[1, 2, 3]], LoraAdapter.of_qv(pairs, 8))[0])
    targets = LoraAdapter.of_qv(pairs, 8).targets
    assert list(targets)[:3] == [f"model.layers.{i}.self_attn.{x}_proj" for i, x in ((0, "q"), (0, "v"), (1, "q"))]
    assert targets["model.layers.2.self_attn.v_proj"].scale == 2


def test_flat_lists_that_are_refused(forward: ForwardPass, shared: Model) -> None:
    pairs = pairs_of(shared)

    def refused(message: str, wrong: object, alpha: object = 8) -> None:
        with pytest.raises(WgptError, match=message):
            forward.forward_hidden_batch([[1]], wrong, alpha)  # type: ignore[arg-type]

    refused("two pairs per layer, .* not 5", pairs[:5])
    refused("two pairs per layer, .* not 0", [])
    thinner, vector = (pairs[3][0], pairs[3][1][:, :3]), (pairs[4][0], np.ones(3))
    refused("layer 1, v: A .* has rank 4 and B .* has rank 3", [*pairs[:3], thinner, *pairs[4:]])
    refused("layer 2, q: B must be a float32 matrix, not an array", [*pairs[:4], vector, pairs[5]])
    refused("layer 0, q: LoRA factors must be a pair", [(1, 2, 3), *pairs[1:]])
    refused(r"layer 0, q: .* make a \[47, 48\] matrix, but the model's is \[48, 48\]", [(a, b[:-1]) for a, b in pairs])
    refused("at most 6 for the 3 layers of this llama model, not 8", pairs + pairs[:2])
    refused("alpha must be a finite number, not nan", pairs, float("nan"))
    refused("needs its alpha", pairs, None)
    refused("alpha is only for a flat list", LoraAdapter.of_qv(pairs, 8), 8)


def test_what_is_no_number_is_refused(forward: ForwardPass, shared: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = pairs_of(shared)
    pairs[2][1][0, 0] = np.inf
    with pytest.raises(WgptError, match=r"factors for model\.layers\.1\.self_attn\.q_proj have NaN or Inf"):
        forward.forward_hidden_batch([[1, 2]], pairs, alpha=8)
    monkeypatch.setattr(LoraAdapter, "check_values", lambda *_: None)  # which cannot foresee everything
    with pytest.raises(WgptError, match="sequence 0, token 0: the hidden state contains NaN or Inf; check the LoRA"):
        forward.forward_hidden_batch([[1, 2]], pairs, alpha=8)
    assert np.isfinite(forward.forward_hidden([1, 2])).all()
