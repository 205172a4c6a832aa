"""Full fine-tuning on the GPU against torch: the gradient of every weight of a model, twenty steps of AdamW."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from wgpt.core.errors import PreconditionError
from wgpt.formats import open_checkpoint
from wgpt.gpu import GpuDevice, Tensor
from wgpt.models.network import Network
from wgpt.train.step import TrainStep

from . import golden, golden_whole
from .test_step import batch_of, rows_of, targets_of

pytestmark = pytest.mark.gpu
BINDING = "max-storage-buffer-binding-size"


class Bench:
    """A golden model on the GPU, all of it learning."""

    def __init__(self, device: GpuDevice, name: str, **options: bool) -> None:
        self.device, self.run, self.expected = device, golden.load(name), golden_whole.load(name)
        with open_checkpoint(self.run.model) as checkpoint:
            self.network = Network.load(device, checkpoint, "f32")
            self.names = set(checkpoint.tensors)
        self.weights = self.network.weights()
        groups = [self.run.examples, *self.run.cycle]
        self.m, self.slots = max(map(rows_of, groups)), max(map(len, groups))
        self.step = TrainStep(self.network, self.weights, self.m, self.slots, 64, precision="exact", **options)

    def gradients(self, examples: list[golden.Example], count: int | None = None, onto: bool = False) -> float:
        """Run them; the loss."""
        batch = batch_of(examples, self.m, self.slots, count or targets_of(examples))
        return float(self.step.gradients(batch, onto).result()["loss"].sum(dtype=np.float64))

    def check_gradients(self) -> None:
        assert self.gradients(self.run.examples) == pytest.approx(self.expected.loss, rel=1e-5)
        gradients = dict(self.weights.named(self.step.gradients_of()))
        assert set(gradients) == set(self.expected.gradients) == self.names
        for name, gradient in gradients.items():
            transposed = ".c_" in name and gradient.ndim == 2  # transformers has GPT-2's layers as [K, N]
            expected = self.expected.gradients[name].T if transposed else self.expected.gradients[name]
            assert np.abs(gradient - expected).max() <= 1e-4 * np.abs(expected).max(), name

    def check_curve(self, first: int = 0, last: int = golden_whole.STEPS) -> None:
        assert self.expected.losses is not None and self.expected.norms is not None
        count, cycle = golden_whole.ACCUMULATE, self.run.cycle
        for s in range(first, last):
            micro = [cycle[(s * count + i) % len(cycle)] for i in range(count)]
            total = sum(map(targets_of, micro))
            loss = sum(self.gradients(examples, total, onto=i > 0) for i, examples in enumerate(micro))
            assert loss == pytest.approx(self.expected.losses[s], rel=1e-3), s
            clip = self.step.update(golden_whole.RATE, s + 1, decay=golden.DECAY, max_norm=golden.CLIP).result()
            assert clip["clip"][1] == pytest.approx(self.expected.norms[s], rel=2e-3), s

    def values(self) -> dict[str, NDArray[np.float32]]:
        return dict(self.weights.named())

    def close(self) -> None:
        self.step.release()
        self.network.release()


@pytest.mark.full
@pytest.mark.parametrize("name", golden_whole.NAMES)
def test_loss_and_every_gradient(device: GpuDevice, name: str) -> None:
    bench = Bench(device, name)
    bench.check_gradients()
    bench.check_gradients()  # the first of a step forgets those before
    bench.close()


@pytest.mark.full
@pytest.mark.parametrize("name", ["llama-gqa", "qwen3", "gpt2"])
def test_twenty_steps(device: GpuDevice, name: str) -> None:
    bench = Bench(device, name)
    bench.check_curve()
    bench.close()


@pytest.mark.full
def test_sums_over_rows_in_blocks(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    """As real GPUs have them where a result is small."""
    monkeypatch.setattr("wgpt.kernels.products.lora_product.blocks_of", lambda *_: 3)
    bench = Bench(device, "gpt2")
    bench.check_gradients()
    bench.close()


def test_bindings_that_hold_little(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables in parts, and AdamW in pieces."""
    with monkeypatch.context() as patched:
        patched.setitem(device.limits, BINDING, 48 << 10)
        bench = Bench(device, "llama-gqa")
    assert len(bench.network.family.head.parts) == 2
    monkeypatch.setitem(device.limits, BINDING, 128 << 10)
    bench.check_gradients()
    bench.check_curve(last=6)
    assert sum(launch.kernel == "adamw_flat" for launch in bench.step.record_update().launches) > 2
    bench.close()


@pytest.mark.full
def test_checkpointing_has_the_same_bits(device: GpuDevice) -> None:
    gradients = []
    for checkpointing in (False, True):
        bench = Bench(device, "qwen3", checkpointing=checkpointing)
        bench.gradients(bench.run.examples)
        gradients.append([device.read(tensor) for tensor in bench.step.gradient])
        bench.close()
    for plain, checkpointed in zip(*gradients, strict=True):
        np.testing.assert_array_equal(plain, checkpointed)


def test_a_state_goes_on_where_it_was(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wgpt.train.step._PIECE", 1 << 12)  # read and written in several pieces
    bench = Bench(device, "gpt2")
    before = bench.values()
    bench.check_curve(last=3)
    state, middle = bench.step.state(), bench.values()
    assert all(np.any(middle[name] != before[name]) for name in before)
    bench.check_curve(3, 6)
    end = bench.values()
    again = Bench(device, "gpt2")
    again.step.restore(state)
    for name, values in again.values().items():
        np.testing.assert_array_equal(values, middle[name])
    again.check_curve(3, 6)
    for name, values in again.values().items():
        np.testing.assert_array_equal(values, end[name])
    with pytest.raises(PreconditionError, match="the state has m, v"):
        again.step.restore({name: state[name] for name in ("m", "v")})
    bench.close()
    again.close()


def test_held_out_examples_teach_nothing(device: GpuDevice) -> None:
    bench = Bench(device, "llama-gqa")
    bench.gradients(bench.run.examples)
    before = [device.read(tensor) for tensor in bench.step.gradient]
    batch = batch_of(bench.run.examples, bench.m, bench.slots, targets_of(bench.run.examples))
    loss = bench.step.evaluate(batch).result()["loss"].sum(dtype=np.float64)
    assert loss == pytest.approx(bench.expected.loss, rel=1e-5)
    for values, tensor in zip(before, bench.step.gradient, strict=True):
        np.testing.assert_array_equal(values, device.read(tensor))
    bench.close()


def test_what_was_left_in_memory_does_not_matter(device: GpuDevice) -> None:
    """NaN from a step that went wrong must not come back through rows of padding."""
    bench = Bench(device, "gpt2")
    loss = bench.gradients(bench.run.examples)
    before = [device.read(tensor) for tensor in bench.step.gradient]
    for buffer in (*bench.step.heap._buffers, *(bench.step.cache.layer(0)[i].buffer for i in range(2))):
        words = Tensor(buffer, (buffer.size // 4,), "f32")
        device.write(words, np.full(words.size, np.nan, np.float32))
    assert bench.gradients(bench.run.examples) == loss
    for values, tensor in zip(before, bench.step.gradient, strict=True):
        np.testing.assert_array_equal(values, device.read(tensor))
    bench.close()


def test_memory_is_that_of_weights_gradients_and_moments(device: GpuDevice) -> None:
    used = device.bytes_in_use
    bench = Bench(device, "llama-gqa")
    bench.gradients(bench.run.examples)
    held = device.bytes_in_use - used
    assert bench.network.nbytes + bench.step.nbytes == pytest.approx(held, rel=0.05)
    bench.close()


def test_weights_that_are_not_f32(device: GpuDevice) -> None:
    with open_checkpoint(golden.load("llama-gqa").model) as checkpoint:
        network = Network.load(device, checkpoint, "f16")
    with pytest.raises(PreconditionError, match="these are f16: load the model as f32"):
        network.weights()
    network.release()
