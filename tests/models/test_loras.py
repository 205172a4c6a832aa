"""LoRA adapters beside the weights: the logits and hidden states that peft gives with them attached."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.models.golden import CONTEXTS
from tests.train import golden
from wgpt.api.forward_pass import ForwardPass
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.formats import open_checkpoint
from wgpt.formats.peft import read_lora
from wgpt.gpu import GpuDevice
from wgpt.models.network import Network
from wgpt.models.targets import linear_shapes
from wgpt.ops.lora_pool import LoraPool

pytestmark = pytest.mark.gpu
# All seven targets, a scale of its own, fused matrices, a soft cap, factors of residuals and logits.
NAMES = ("llama-gqa-seven", "qwen2-rslora", "qwen3", "gpt2", "gemma2", "phi3", "granite")


@pytest.fixture(params=NAMES)
def trained(request) -> golden.Training:
    return golden.load(request.param)


@pytest.fixture
def network(device: GpuDevice, trained: golden.Training):
    with open_checkpoint(trained.model) as checkpoint:
        network = Network.load(device, checkpoint, context=CONTEXTS.get(trained.model.name))
    yield network
    network.release()


def tiers(slow: tuple[str, ...], quick: tuple[str, ...] = ()) -> list[Any]:
    tier = {name: pytest.mark.slow if name in slow else pytest.mark.full for name in NAMES}
    return [name if name in quick else pytest.param(name, marks=tier[name]) for name in NAMES]


@pytest.mark.parametrize("trained", tiers(slow=("gemma2",)), indirect=True)
def test_logits_with_an_adapter(device, trained, network):
    adapter = read_lora(trained.adapter, linear_shapes(network.config))
    adapters = LoraPool.holding(device, network.adaptable, adapter.targets)
    with FixedBatch(network, 64, cache="f32") as batch:
        plain = batch.logits({0: trained.examples[0].ids})[0]
        batch.attach((adapters, 1))
        for example, expected in zip(trained.examples, trained.logits, strict=True):
            logits = batch.logits({0: example.ids})[0][-len(expected) :]
            np.testing.assert_allclose(logits, expected, atol=1e-4 * np.abs(expected).max())
            assert np.abs(plain[-1] - logits[-1]).max() > 1e-2 or example is not trained.examples[0]
        batch.attach(None)
        np.testing.assert_array_equal(batch.logits({0: trained.examples[0].ids})[0], plain)
    adapters.release()


@pytest.mark.parametrize(
    "trained", tiers(slow=("gemma2", "phi3", "qwen2-rslora"), quick=("llama-gqa-seven",)), indirect=True
)
def test_a_decode_step_with_an_adapter(device, trained, network):
    """One row goes through other kernels than many; both give the same next token's logits."""
    adapters = LoraPool.holding(device, network.adaptable, read_lora(trained.adapter).targets)
    ids = trained.examples[1].ids
    with FixedBatch(network, 64, cache="f32", logits=True) as batch:
        batch.attach((adapters, 1))
        expected = batch.logits({0: ids})[0][-1]
        batch.forget(0)
        batch.start({0: ids})
        logits = batch.step().result()["logits"][0]
        np.testing.assert_allclose(logits, expected, atol=1e-4 * np.abs(expected).max())
    adapters.release()


@pytest.mark.full
def test_a_forward_pass_takes_an_adapter_by_the_call(device, trained, network, monkeypatch):
    adapter = read_lora(trained.adapter)
    monkeypatch.setattr("wgpt.api.forward_pass.default_device", lambda: device)
    run = ForwardPass().with_resident_weights(network)
    batch = [example.ids for example in trained.examples]
    plain, adapted, again = (run.forward_hidden_batch(batch, lora=lora) for lora in (None, adapter, None))
    for before, with_it, after in zip(plain, adapted, again, strict=True):
        assert np.abs(before - with_it).max() > 1e-3
        np.testing.assert_array_equal(before, after)
    run.release()
