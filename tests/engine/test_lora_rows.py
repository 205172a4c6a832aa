"""Each row of a step has its own LoRA adapter; adapters join and leave without recording a Program anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from tests.models.compare import TOLERANCE, error
from tests.train import golden
from wgpt.core.errors import PreconditionError
from wgpt.engine.fixed_batch import FixedBatch
from wgpt.formats import open_checkpoint
from wgpt.formats.peft import read_lora
from wgpt.gpu import AllocationError, GpuDevice
from wgpt.models.network import Network
from wgpt.ops.backend import GpuBackend
from wgpt.ops.lora_pool import Factors, LoraPool, nbytes_of

pytestmark = pytest.mark.gpu
SEVEN, TWO = golden.load("llama-gqa-seven"), golden.load("llama-gqa")  # adapters of one model: 7 and 2 targets
FACTORS = [read_lora(each.adapter).targets for each in (SEVEN, TWO)]
PROMPTS = [example.ids[:9] for example in SEVEN.examples[:3]]
RANK = 16
STEPS = 3


@pytest.fixture(scope="module")
def network(device: GpuDevice) -> Iterator[Network]:
    with open_checkpoint(SEVEN.model) as checkpoint:
        network = Network.load(device, checkpoint)
    yield network
    network.release()


def pool_of(network: Network, capacity: int | None = None, **options: int) -> LoraPool:
    capacity = 2 * sum(map(nbytes_of, FACTORS)) if capacity is None else capacity
    return LoraPool(network.device, network.adaptable, capacity, **{"rank": RANK, **options})


def alone(network: Network, prompt: Sequence[int], factors: Factors | None, language: str = "wgsl") -> np.ndarray:
    """Logits of some steps of one sequence, with a pool of its own."""
    pool = None if factors is None else LoraPool.holding(network.device, network.adaptable, factors)
    with FixedBatch(network, 64, cache="f32", logits=True, kernels=language) as batch:
        batch.attach(None if pool is None else (pool, 1))
        batch.start({0: prompt})
        logits = np.stack([batch.step().result()["logits"][0] for _ in range(STEPS)])
    if pool is not None:
        pool.release()
    return logits


def together(batch: FixedBatch, prompts: Sequence[Sequence[int]], indices: Sequence[int]) -> np.ndarray:
    """Logits of some steps of a batch, [slot, step, vocabulary], each slot with its adapter."""
    batch.attach_each(indices)
    batch.start(dict(enumerate(prompts)))
    steps = [batch.step().result()["logits"] for _ in range(STEPS)]
    return np.stack(steps, axis=1)


def kernels(batch: FixedBatch) -> Counter[str]:
    return Counter(launch.kernel for launch in batch.step_program(16).launches)


@pytest.mark.parametrize(
    "fuses", [pytest.param(False, marks=pytest.mark.full), pytest.param(True, marks=pytest.mark.slow)]
)
def test_three_sequences_with_two_adapters_and_none(network: Network, monkeypatch: pytest.MonkeyPatch, fuses: bool):
    monkeypatch.setattr(GpuBackend, "fuses", fuses)
    pool = pool_of(network)
    indices = [pool.add(FACTORS[0]), 0, pool.add(FACTORS[1])]
    assert indices == [1, 0, 2]
    with FixedBatch(network, 64, slots=3, cache="f32", logits=True) as batch:
        batch.attach((pool, 0))
        logits = together(batch, PROMPTS, indices)
        counts = kernels(batch)
    for slot, factors in enumerate((FACTORS[0], None, FACTORS[1])):
        assert error(logits[slot], alone(network, PROMPTS[slot], factors)) < TOLERANCE / 10
    layers = network.config.layers
    assert counts["lora_down"] == 4 * layers and counts["gemm_fused"] == 4 * layers + 1
    assert counts["lora_up"] == (0 if fuses else 4 * layers)
    if fuses:
        assert not counts["rmsnorm"] and not counts["swiglu"]
    pool.release()


@pytest.mark.full
def test_one_row_keeps_its_fused_products(network: Network, monkeypatch: pytest.MonkeyPatch):
    """One more dispatch for each projection, or none where the projection computes both products itself."""
    expected = alone(network, PROMPTS[0], FACTORS[0])
    pool = LoraPool.holding(network.device, network.adaptable, FACTORS[0])
    monkeypatch.setattr(GpuBackend, "fuses", False)
    with FixedBatch(network, 64, cache="f32") as batch:
        batch.attach((pool, 1))
        adapted = kernels(batch)
        batch.attach(None)
        base = kernels(batch)
        assert adapted - base == {"lora_rows": 1, "lora_down": 4 * network.config.layers} and not base - adapted
        monkeypatch.setattr(GpuBackend, "fuses", True)
        batch.attach((pool, 1))
        assert kernels(batch) == base + Counter({"lora_rows": 1})
    assert error(alone(network, PROMPTS[0], FACTORS[0]), expected) < TOLERANCE / 10
    pool.release()


@pytest.mark.full
def test_triton_kernels_with_an_adapter(network: Network):
    expected = alone(network, PROMPTS[0], FACTORS[0])
    assert error(alone(network, PROMPTS[0], FACTORS[0], "triton"), expected) < TOLERANCE / 10


def test_adapters_join_and_leave_while_programs_stay(network: Network):
    pool = pool_of(network)
    expected = [alone(network, PROMPTS[0], factors) for factors in FACTORS]
    with FixedBatch(network, 64, slots=2, cache="f32", logits=True) as batch:
        batch.attach((pool, 0))
        first = pool.add(FACTORS[0])
        logits = together(batch, [PROMPTS[0], PROMPTS[1]], [first, 0])
        assert error(logits[0], expected[0]) < TOLERANCE / 10
        program, free = batch.step_program(16), pool.free_bytes
        pool.remove(first)
        none = together(batch, [PROMPTS[0], PROMPTS[1]], [first, 0])[0]  # nobody's index: as without an adapter
        assert error(none, alone(network, PROMPTS[0], None)) < TOLERANCE / 10
        second, third = pool.add(FACTORS[1]), pool.add(FACTORS[0])
        logits = together(batch, [PROMPTS[0], PROMPTS[0]], [second, third])
        assert error(logits[0], expected[1]) < TOLERANCE / 10 and error(logits[1], expected[0]) < TOLERANCE / 10
        assert batch.step_program(16) is program and free - pool.free_bytes == nbytes_of(FACTORS[1])
    pool.release()


def test_memory_of_removed_adapters_is_used_again(network: Network):
    pool = pool_of(network, 3 * nbytes_of(FACTORS[0]))
    free = pool.free_bytes
    for _ in range(3):
        indices = [pool.add(FACTORS[0]) for _ in range(3)]
        assert indices == [1, 2, 3] == pool.indices and pool.free_bytes == 0
        with pytest.raises(AllocationError, match="do not fit into what is free"):
            pool.add(FACTORS[1])
        pool.remove(2)
        assert pool.add(FACTORS[1]) == 2
        for index in (1, 3, 2):
            pool.remove(index)
        assert pool.free_bytes == free
    pool.release()


def test_what_a_pool_refuses(network: Network):
    pool = pool_of(network, adapters=1)
    wide = {name: (np.zeros((RANK + 1, a.shape[1]), np.float32), b, s) for name, (a, b, s) in FACTORS[0].items()}
    assert f"rank {RANK + 1} of" in pool.lacks(wide) and not pool.lacks(FACTORS[0])
    assert "head is not among its layers" in pool.lacks({"head": next(iter(FACTORS[0].values()))})
    pool.add(FACTORS[1])
    with pytest.raises(AllocationError, match="it has 1 adapters, as many as it was created for"):
        pool.add(FACTORS[0])
    pool.release()
    with pytest.raises(PreconditionError, match="LoRA ranks from 1 to 1020"):
        pool_of(network, rank=1021)
    with pytest.raises(PreconditionError, match="projections of 1 to 4 layers, not none"):
        LoraPool(network.device, [], 1024)
    with pytest.raises(AllocationError, match=r"LoRA pool: .* exceed the .* of one binding"):
        pool_of(network, 1 << 50)
