"""A training step on the GPU against torch and peft: the loss, every adapter's gradient, fifty steps of AdamW."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from tests.models.golden import CONTEXTS
from wgpt.engine.batch import TILE
from wgpt.formats import open_checkpoint
from wgpt.formats.peft import read_lora
from wgpt.gpu import GpuDevice
from wgpt.kernels.attention.attending import PADDING
from wgpt.models.network import Network
from wgpt.ops import by_rows
from wgpt.ops.backend import GpuBackend
from wgpt.ops.lora import LoraLayers
from wgpt.train.batches import Batch
from wgpt.train.step import TrainStep

from ..models.golden import parameters
from . import golden

pytestmark = pytest.mark.gpu
LORAS = [name for name in golden.NAMES if name != "nf4"]
FEW = parameters(LORAS, quick=("gpt2", "llama-gqa", "phi3", "qwen3"))


def batch_of(examples: Sequence[golden.Example], m: int, slots: int, count: int) -> Batch:
    """Examples one after the other, each padded to whole tiles; every target weighs 1 / count."""
    ids, targets = np.zeros(m, np.uint32), np.full(m, -1, np.int32)
    places, runs = np.full((m, 2), PADDING, np.uint32), np.zeros((slots, 2), np.uint32)
    places[:, 0] = 0
    at = 0
    for slot, example in enumerate(examples):
        n = len(example.ids)
        ids[at : at + n], targets[at : at + n] = example.ids, example.targets
        places[at : at + n, 1] = np.arange(n)
        runs[slot] = at, n
        end = at + -(-n // TILE) * TILE
        places[at:end, 0] = slot
        at = end
    weights = np.where(targets >= 0, np.float32(1 / count), np.float32(0))
    return Batch(ids, places, targets, weights, runs, at, int((targets >= 0).sum()), ())


def rows_of(examples: Sequence[golden.Example]) -> int:
    return sum(-(-len(e.ids) // TILE) * TILE for e in examples)


def targets_of(examples: Sequence[golden.Example]) -> int:
    return sum(t >= 0 for e in examples for t in e.targets)


class Bench:
    """A golden run's model and adapter on the GPU, and the step that trains it."""

    def __init__(self, device: GpuDevice, name: str, precision: str = "exact", **options: str | None) -> None:
        self.run, self.device = golden.load(name), device
        with open_checkpoint(self.run.model) as checkpoint:
            self.network = Network.load(device, checkpoint, context=CONTEXTS.get(name), **options)
        self.adapters = LoraLayers(device, read_lora(self.run.adapter).targets)
        groups = [self.run.examples, *self.run.cycle]
        self.m, self.slots = max(map(rows_of, groups)), max(map(len, groups))
        self.step = TrainStep(self.network, self.adapters, self.m, self.slots, 64, precision=precision)
        self.start = self.step.state()

    def batch(self, examples: Sequence[golden.Example], count: int | None = None) -> Batch:
        return batch_of(examples, self.m, self.slots, count or targets_of(examples))

    def close(self) -> None:
        self.step.release()
        self.adapters.release()
        self.network.release()


@pytest.fixture(params=parameters(LORAS))
def bench(device: GpuDevice, request) -> Iterator[Bench]:
    bench = Bench(device, request.param)
    yield bench
    bench.close()


@pytest.mark.parametrize("bench", FEW, indirect=True)
def test_loss_and_every_gradient(bench: Bench) -> None:
    loss = bench.step.gradients(bench.batch(bench.run.examples)).result()["loss"].sum(dtype=np.float64)
    assert loss == pytest.approx(bench.run.loss, rel=1e-5)
    gradients = bench.adapters.read(bench.device.read(bench.step.gradient[0]))
    assert {f"{name}.{part}" for name in gradients for part in "AB"} == set(bench.run.gradients)
    for name, (a, b) in gradients.items():
        for part, gradient in (("A", a), ("B", b)):
            expected = bench.run.gradients[f"{name}.{part}"]
            assert np.abs(gradient - expected).max() <= 1e-4 * np.abs(expected).max(), f"{name}.{part}"


@pytest.mark.full
def test_sums_over_rows_in_blocks(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    """As real GPUs have them; a software driver sums in one go."""
    for kernel in ("lora_slices", "gemm_input_grad"):
        monkeypatch.setattr(f"wgpt.kernels.products.{kernel}.blocks_of", lambda *_: 3)
    bench = Bench(device, "llama-gqa-seven")
    test_loss_and_every_gradient(bench)
    with bench.step.record("first") as program:
        blocks = [
            launch for launch in program.launches if launch.kernel == "lora_slices" and "blocks=3" in launch.shape
        ]
    assert blocks
    bench.close()


def test_slices_of_a_layer_share_their_dispatches(device: GpuDevice) -> None:
    """Two products forward, four backward for q, k and v, for o, for gate and up, and for down; none leads to the
    embedding, which is not trained."""
    bench = Bench(device, "llama-gqa-seven")
    with bench.step.record("first") as program:
        count = sum(launch.kernel == "lora_slices" for launch in program.launches)
    assert count == 6 * 4 * bench.network.config.layers - 1
    bench.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["llama-gqa", "qwen3", "gpt2"])
def test_fifty_steps(device: GpuDevice, name: str) -> None:
    bench = Bench(device, name)
    for kind in bench.run.curves:
        follow(bench, kind)
    bench.close()


def follow(bench: Bench, kind: str) -> None:
    """Fifty steps from the golden adapter, each loss and each gradient's norm beside torch's."""
    curve = bench.run.curves[kind]
    bench.step.restore(bench.start)
    for s in range(golden.STEPS):
        micro = [bench.run.cycle[(s * curve.accumulate + i) % len(bench.run.cycle)] for i in range(curve.accumulate)]
        count = sum(map(targets_of, micro))
        losses = [bench.step.gradients(bench.batch(b, count), onto=i > 0).result() for i, b in enumerate(micro)]
        loss = sum(float(result["loss"].sum(dtype=np.float64)) for result in losses)
        assert loss == pytest.approx(curve.losses[s], rel=1e-3), (kind, s)
        clip = bench.step.update(float(curve.rates[s]), s + 1, decay=golden.DECAY, max_norm=golden.CLIP).result()
        assert clip["clip"][1] == pytest.approx(curve.norms[s], rel=2e-3), (kind, s)


@pytest.mark.full
def test_training_rounds_nothing_where_batches_are_integers(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without matrix units, products of quantised weights are in f32 here, though those of a batch are not."""
    monkeypatch.setattr(GpuBackend, "rounds_activations", True)
    monkeypatch.setattr(by_rows, "LEAST_WEIGHTS", 0)
    run = golden.load("llama-gqa")
    with open_checkpoint(run.model) as checkpoint:
        network = Network.load(device, checkpoint, "q8_0")
    adapters = LoraLayers(device, read_lora(run.adapter).targets)
    step = TrainStep(network, adapters, rows_of(run.examples), len(run.examples), 64, precision="fast")
    with step.record("first") as program:
        kernels = {launch.kernel for launch in program.launches}
    assert "gemm_fused" in kernels and not kernels & {"row_integers", "gemm_integers"}
    step.release()
    adapters.release()
    network.release()
