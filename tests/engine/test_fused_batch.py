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
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.formats import open_checkpoint
from wgpt.formats.peft import read_lora
from wgpt.gpu import GpuDevice, Program
from wgpt.kernels.products.gemm_fused import MOST_FEW
from wgpt.models.network import Network
from wgpt.ops import by_rows
from wgpt.ops.backend import GpuBackend
from wgpt.ops.lora_pool import LoraPool

pytestmark = pytest.mark.gpu
STEPS = 3
ROUNDED = 1e-3  # of logits whose products' rows were rounded to 16 bits


@pytest.fixture
def fused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GpuBackend, "fuses", True)


def loaded(device: GpuDevice, folder) -> Iterator[Network]:
    with open_checkpoint(folder) as checkpoint:
        network = Network.load(device, checkpoint)
    yield network
    network.release()


def dispatches(program: Program) -> Counter[str]:
    return Counter(launch.kernel for launch in program.launches)


def decoded_as_alone(
    network: Network, prompts: list[list[int]], slots: int, tolerance: float = TOLERANCE / 10
) -> Counter[str]:
    """The dispatches of a step of these sequences, each of which has the tokens and logits that it has alone."""
    with FixedBatch(network, 64, slots=slots, cache="f32", logits=True) as batch:
        batch.start(dict(enumerate(prompts)))
        steps = [batch.step().result() for _ in range(STEPS)]
        counts = dispatches(batch.step_program(64))
    for slot, prompt in enumerate(prompts):
        ids, logits = decoded(network, prompt, STEPS)
        assert [int(step["tokens"][slot]) for step in steps] == ids
        assert error(np.stack([step["logits"][slot] for step in steps]), logits) < tolerance
    return counts


# Without and with a bias.
@pytest.mark.parametrize(
    "name", [pytest.param("llama-gqa", marks=pytest.mark.full), pytest.param("qwen2", marks=pytest.mark.slow)]
)
def test_a_batch_as_its_sequences_alone(device: GpuDevice, fused: None, name: str) -> None:
    truth = models.load(name)
    for network in loaded(device, truth.folder):
        prompts = [truth.runs[i].ids for i in (1, 0, 2)]
        counts = decoded_as_alone(network, prompts, slots=4)  # one more than there are sequences
        layers = network.config.layers
        assert (counts["gemm_fused"], counts["attention_decode"]) == (4 * layers + 1, layers)
        assert not counts["rmsnorm"] and not counts["swiglu"]


@pytest.mark.full
@pytest.mark.parametrize(
    ("name", "dtype", "slots"), [("qwen2", "q8_0", 3), ("llama-gqa", "q4_1", 2), ("gpt2", "q8_0", 4)]
)
def test_few_rows_of_whole_codes_are_multiplied_one_by_one(
    device: GpuDevice, fused: None, monkeypatch: pytest.MonkeyPatch, name: str, dtype: str, slots: int
) -> None:
    monkeypatch.setattr(by_rows, "LEAST_WEIGHTS", 0)  # the model is small
    truth = models.load(name)
    with open_checkpoint(truth.folder) as checkpoint:
        network = Network.load(device, checkpoint, dtype)
    prompts = [truth.runs[i % len(truth.runs)].ids for i in range(slots)]
    counts = decoded_as_alone(network, prompts, slots)
    assert counts["gemv_fused"] == 4 * network.config.layers + 1 and not counts["gemm_fused"]
    network.release()


@pytest.fixture
def integers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Products of integers, which are for GPUs, on this adapter."""
    monkeypatch.setattr(GpuBackend, "rounds_activations", True)
    monkeypatch.setattr(by_rows, "LEAST_WEIGHTS", 0)


@pytest.mark.full
@pytest.mark.parametrize(("name", "dtype", "slots"), [("qwen2", "q8_0", 3), ("llama-gqa", "q4_1", 9)])
def test_rows_as_integers(device: GpuDevice, fused: None, integers: None, name: str, dtype: str, slots: int) -> None:
    """Norms and SwiGLU are computed with the integers; results are those of 16 bits."""
    truth = models.load(name)
    with open_checkpoint(truth.folder) as checkpoint:
        network = Network.load(device, checkpoint, dtype)
    prompts = [truth.runs[i % len(truth.runs)].ids for i in range(slots)]
    with by_rows.forced(by_rows.Limits(1, 2)):
        counts = decoded_as_alone(network, prompts, slots, tolerance=ROUNDED)
    products = 4 * network.config.layers + 1
    assert (counts["gemm_integers"], counts["row_integers"]) == (products, products)
    assert not counts["gemm_fused"] and not counts["rmsnorm"] and not counts["swiglu"]
    network.release()


@pytest.mark.slow
def test_adapters_beside_integers(
    device: GpuDevice, fused: None, integers: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_rows, "LEAST_OTHERS", 2)
    trained = trainings.load("llama-gqa-seven")
    with open_checkpoint(trained.model) as checkpoint:
        network = Network.load(device, checkpoint, "q8_0")
    adapters = LoraPool.holding(device, network.adaptable, read_lora(trained.adapter).targets)
    prompts = [example.ids for example in trained.examples[:2]]
    logits = {}
    for ways in (by_rows.Limits(1, 1 << 20), by_rows.Limits(1, 2)):
        monkeypatch.setattr(by_rows, "LEAST_OTHERS", ways.many)
        with by_rows.forced(ways), FixedBatch(network, 64, slots=2, cache="f32", logits=True) as batch:
            batch.attach((adapters, 1))
            batch.start(dict(enumerate(prompts)))
            logits[ways.many] = batch.step().result()["logits"]
            counts = dispatches(batch.step_program(64))
            assert bool(counts["gemm_integers"]) == (ways.many == 2) and counts["lora_rows"]
    assert error(logits[2], logits[1 << 20]) < ROUNDED
    adapters.release()
    network.release()


@pytest.mark.slow
def test_adapters_find_the_norm_computed(device: GpuDevice, fused: None) -> None:
    trained = trainings.load("llama-gqa-seven")
    for network in loaded(device, trained.model):
        adapters = LoraPool.holding(device, network.adaptable, read_lora(trained.adapter).targets)
        prompts = [example.ids for example in trained.examples[:2]]
        with FixedBatch(network, 64, slots=2, cache="f32", logits=True) as batch:
            batch.attach((adapters, 1))
            expected = [batch.logits({slot: ids})[slot][-1] for slot, ids in enumerate(prompts)]
            for slot in range(2):
                batch.forget(slot)
            batch.start(dict(enumerate(prompts)))
            logits = batch.step().result()["logits"]
        assert error(logits, np.stack(expected)) < TOLERANCE / 10
        adapters.release()


@pytest.mark.full
def test_where_nothing_is_fused(device: GpuDevice, fused: None) -> None:
    """Prompts keep kernels of their own, as do sequences that run on kernels written in Triton."""
    truth = models.load("llama-gqa")
    for network in loaded(device, truth.folder):
        norms = 2 * network.config.layers + 1
        slots = MOST_FEW // 60 + 1
        with FixedBatch(network, 64, slots=slots, cache="f32") as batch:
            (chunk,) = chunks({slot: [1] * 60 for slot in range(slots)}, dict.fromkeys(range(slots), 0), 2 * MOST_FEW)
            assert dispatches(batch.chunk_program(chunk, "logits"))["rmsnorm"] == norms
            (few,) = chunks({0: [1] * 5, 1: [1] * 3}, {0: 0, 1: 0}, 64)
            assert "rmsnorm" not in dispatches(batch.chunk_program(few, "logits"))
        with FixedBatch(network, 64, slots=2, cache="f32", kernels="triton") as batch:
            assert dispatches(batch.step_program(64))["triton_rmsnorm"] == norms


@pytest.mark.full
@pytest.mark.parametrize("name", ["qwen2", "gpt2"])  # biases and residuals around the products
def test_a_prompt_in_products_of_blocks(
    device: GpuDevice, fused: None, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("wgpt.kernels.products.gemm_fused.blocks_of", lambda *_: 3)
    truth = models.load(name)
    for network in loaded(device, truth.folder):
        with FixedBatch(network, 64, cache="f32", logits=True) as batch:
            logits = batch.logits({0: truth.runs[0].ids})[0]
        assert error(logits, truth.runs[0].logits) < TOLERANCE


@pytest.mark.full
def test_swiglu_in_the_sum_of_blocks(device: GpuDevice, fused: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for large products of few rows."""
    monkeypatch.setattr("wgpt.kernels.products.gemm_fused.fuses", lambda *_: False)
    monkeypatch.setattr("wgpt.kernels.products.gemm_fused.blocks_of", lambda *_: 3)
    truth = models.load("qwen2")
    for network in loaded(device, truth.folder):
        with FixedBatch(network, 64, slots=2, cache="f32", logits=True) as batch:
            logits = batch.logits({0: truth.runs[0].ids})[0]
            counts = dispatches(batch.step_program(64))
        assert error(logits, truth.runs[0].logits) < TOLERANCE
        assert counts["sum_blocks"] and not counts["swiglu"]


@pytest.mark.full
def test_slices_of_attention_joined_by_the_projection(
    device: GpuDevice, fused: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wgpt.engine.context_slices._SOFTWARE", ((4, 1), (1 << 30, 3)))
    truth = models.load("llama-gqa")
    for network in loaded(device, truth.folder):
        prompt = truth.runs[1].ids
        with FixedBatch(network, 64, cache="f32", logits=True) as batch:
            batch.start({0: prompt})
            steps = [batch.step().result()["logits"][0] for _ in range(STEPS)]
            counts = dispatches(batch.step_program(64))
        monkeypatch.setattr("wgpt.engine.context_slices._SOFTWARE", ((1 << 30, 1),))
        assert error(np.stack(steps), decoded(network, prompt, STEPS)[1]) < TOLERANCE / 10
        assert not counts["attention_combine"]
