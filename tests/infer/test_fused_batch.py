"""A batch that decodes as a GPU does it: norms and SwiGLU within the products. Forced here, whatever the adapter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from tests.models import golden as models
from tests.models.compare import TOLERANCE, decoded, error
from tests.train import golden as trainings
from wgpt.engine.batch import chunks
from wgpt.formats import open_checkpoint
from wgpt.formats.peft import read_lora
from wgpt.gpu import GpuDevice, Program
from wgpt.infer.session import Session
from wgpt.kernels.products.gemm_fused import MOST_FEW
from wgpt.models.network import Network
from wgpt.ops.engine import GpuEngine
from wgpt.ops.lora_pool import LoraPool

pytestmark = pytest.mark.gpu
STEPS = 3


@pytest.fixture
def fused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GpuEngine, "fuses", True)


def loaded(device: GpuDevice, folder) -> Iterator[Network]:
    with open_checkpoint(folder) as checkpoint:
        network = Network.load(device, checkpoint)
    yield network
    network.release()


def dispatches(program: Program) -> Counter[str]:
    return Counter(launch.kernel for launch in program.launches)


@pytest.mark.parametrize("name", ["llama-gqa", "qwen2"])  # without and with a bias
def test_a_batch_as_its_sequences_alone(device: GpuDevice, fused: None, name: str) -> None:
    truth = models.load(name)
    for network in loaded(device, truth.folder):
        prompts = [truth.runs[i].ids for i in (1, 0, 2)]
        with Session(network, 64, slots=4, cache="f32", logits=True) as session:  # one more than there are sequences
            session.start(dict(enumerate(prompts)))
            steps = [session.step().result() for _ in range(STEPS)]
            counts = dispatches(session.step_program(64))
        for slot, prompt in enumerate(prompts):
            ids, logits = decoded(network, prompt, STEPS)
            assert [int(step["ids"][slot]) for step in steps] == ids
            assert error(np.stack([step["logits"][slot] for step in steps]), logits) < TOLERANCE / 10
        layers = network.config.layers
        assert (counts["gemm_fused"], counts["attention_decode"]) == (4 * layers + 1, layers)
        assert not counts["rmsnorm"] and not counts["swiglu"]


def test_adapters_find_the_norm_computed(device: GpuDevice, fused: None) -> None:
    trained = trainings.load("llama-gqa-seven")
    for network in loaded(device, trained.model):
        adapters = LoraPool.holding(device, network.adaptable, read_lora(trained.adapter).targets)
        prompts = [example.ids for example in trained.examples[:2]]
        with Session(network, 64, slots=2, cache="f32", logits=True) as session:
            session.attach((adapters, 1))
            expected = [session.logits({slot: ids})[slot][-1] for slot, ids in enumerate(prompts)]
            for slot in range(2):
                session.forget(slot)
            session.start(dict(enumerate(prompts)))
            logits = session.step().result()["logits"]
        assert error(logits, np.stack(expected)) < TOLERANCE / 10
        adapters.release()


def test_where_nothing_is_fused(device: GpuDevice, fused: None) -> None:
    """Prompts keep kernels of their own, as do sequences that run on kernels written in Triton."""
    truth = models.load("llama-gqa")
    for network in loaded(device, truth.folder):
        norms = 2 * network.config.layers + 1
        slots = MOST_FEW // 60 + 1
        with Session(network, 64, slots=slots, cache="f32") as session:
            (chunk,) = chunks({slot: [1] * 60 for slot in range(slots)}, dict.fromkeys(range(slots), 0), 2 * MOST_FEW)
            assert dispatches(session.forward_program(chunk, "logits"))["rmsnorm"] == norms
            (few,) = chunks({0: [1] * 5, 1: [1] * 3}, {0: 0, 1: 0}, 64)
            assert "rmsnorm" not in dispatches(session.forward_program(few, "logits"))
        with Session(network, 64, slots=2, cache="f32", kernels="triton") as session:
            assert dispatches(session.step_program(64))["triton_rmsnorm"] == norms


@pytest.mark.parametrize("name", ["qwen2", "gpt2"])  # biases and residuals around the products
def test_a_prompt_in_products_of_blocks(
    device: GpuDevice, fused: None, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("wgpt.kernels.products.gemm_fused.blocks_of", lambda *_: 3)
    truth = models.load(name)
    for network in loaded(device, truth.folder):
        with Session(network, 64, cache="f32", logits=True) as session:
            logits = session.logits({0: truth.runs[0].ids})[0]
        assert error(logits, truth.runs[0].logits) < TOLERANCE


def test_swiglu_in_the_sum_of_blocks(device: GpuDevice, fused: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for large products of few rows."""
    monkeypatch.setattr("wgpt.kernels.products.gemm_fused.fuses", lambda *_: False)
    monkeypatch.setattr("wgpt.kernels.products.gemm_fused.blocks_of", lambda *_: 3)
    truth = models.load("qwen2")
    for network in loaded(device, truth.folder):
        with Session(network, 64, slots=2, cache="f32", logits=True) as session:
            logits = session.logits({0: truth.runs[0].ids})[0]
            counts = dispatches(session.step_program(64))
        assert error(logits, truth.runs[0].logits) < TOLERANCE
        assert counts["sum_blocks"] and not counts["swiglu"]


def test_slices_of_attention_joined_by_the_projection(
    device: GpuDevice, fused: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wgpt.engine.context_slices._SOFTWARE", ((4, 1), (1 << 30, 3)))
    truth = models.load("llama-gqa")
    for network in loaded(device, truth.folder):
        prompt = truth.runs[1].ids
        with Session(network, 64, cache="f32", logits=True) as session:
            session.start({0: prompt})
            steps = [session.step().result()["logits"][0] for _ in range(STEPS)]
            counts = dispatches(session.step_program(64))
        monkeypatch.setattr("wgpt.engine.context_slices._SOFTWARE", ((1 << 30, 1),))
        assert error(np.stack(steps), decoded(network, prompt, STEPS)[1]) < TOLERANCE / 10
        assert not counts["attention_combine"]
