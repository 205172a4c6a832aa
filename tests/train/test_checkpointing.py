"""Gradient checkpointing by block: the same bits as without it, in a tenth of the memory for each block."""

from __future__ import annotations

import numpy as np
import pytest

from wgpt.gpu import GpuDevice
from wgpt.models.config import Config
from wgpt.models.network import Network
from wgpt.models.targets import chosen
from wgpt.ops.lora import LoraLayers
from wgpt.train.batches import Batch, make_batch
from wgpt.train.step import TrainStep
from wgpt.train.tokens import Example

from .test_step import Bench

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("name", [pytest.param("llama-gqa-seven", marks=pytest.mark.full), "qwen3", "gpt2"])
def test_the_same_bits(device: GpuDevice, name: str) -> None:
    bench = Bench(device, name)
    how = {"checkpointing": True, "precision": bench.step.precision}
    other = TrainStep(bench.network, bench.adapters, bench.m, bench.slots, 64, **how)
    first, second = bench.run.examples, bench.run.examples[:2]
    for examples, onto in ((first, False), (second, True), (second, False)):
        results = []
        for step in (bench.step, other):
            loss = step.gradients(bench.batch(examples), onto=onto).result()["loss"]
            results.append((loss, device.read(step.gradient[0])))
        for a, b in zip(*results, strict=True):
            assert np.any(a)
            np.testing.assert_array_equal(a, b)
    losses = [step.evaluate(bench.batch(first)).result()["loss"] for step in (bench.step, other)]
    np.testing.assert_array_equal(*losses)
    other.release()
    bench.close()


def random_step(network: Network, length: int, checkpointing: bool) -> tuple[TrainStep, Batch]:
    """Adapters on all layers of a network, two sequences of `length`."""
    rng, config = np.random.default_rng(3), network.config
    a, b = (0.1 * rng.standard_normal((512, 4)).astype(np.float32) for _ in range(2))
    shapes = chosen(config, ["all"])
    adapters = LoraLayers(network.device, {name: (a[:k].T, b[:n], 2.0) for name, (n, k) in shapes.items()})
    ids = rng.integers(0, config.vocab, (2, length)).astype(np.int32)
    examples = [Example(sequence, np.ones(length, bool)) for sequence in ids]
    batch = make_batch(examples, (0, 1), 2 * length - 2)
    return TrainStep(network, adapters, batch.m, batch.slots, length, checkpointing=checkpointing), batch


# As wide to one another as SmolLM2 and GPT-2 are.
LLAMA = {"family": "llama", "hidden": 72, "ffn": 192, "heads": 9, "kv_heads": 3}
GPT2 = {"family": "gpt2", "hidden": 64, "ffn": 256, "heads": 8, "kv_heads": 8}


@pytest.mark.slow
@pytest.mark.parametrize("shape", [LLAMA, GPT2], ids=["llama", "gpt2"])
def test_a_block_costs_less_than_a_tenth(device: GpuDevice, shape: dict) -> None:
    grown = []
    for checkpointing in (False, True):
        sizes = []
        for layers in (6, 14):
            config = Config(vocab=97, layers=layers, head_dim=8, context=64, eps=1e-5, **shape)
            network = Network.random(device, config, "f16")
            step, batch = random_step(network, 24, checkpointing)
            assert np.isfinite(step.gradients(batch).result()["loss"]).all()
            sizes.append(step.heap.nbytes + step.cache.nbytes)
            step.release()
            network.release()
        grown.append(sizes[1] - sizes[0])
    without, with_ = grown
    assert 0 < with_ < without / 10, f"eight more blocks take {with_} bytes with checkpointing, {without} without"
