"""Full fine-tuning on the GPU against torch: the gradient of every weight of a model, twenty steps of AdamW."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from wgpt.formats import open_checkpoint
from wgpt.gpu import GpuDevice, PreconditionError, Tensor
from wgpt.models.network import Network
from wgpt.train.step import TrainStep

from . import golden, golden_whole
from .test_step import batch_of, rows_of, targets_of

pytestmark = pytest.mark.gpu
BINDING = "max-storage-buffer-binding-size"


class Bench:
    """A golden model on the GPU, all of it learning."""

    def __init__(self, device: GpuDevice, name: str, **how: bool) -> None:
        self.device, self.run, self.wanted = device, golden.load(name), golden_whole.load(name)
        with open_checkpoint(self.run.model) as checkpoint:
            self.network = Network.load(device, checkpoint, "f32")
            self.names = set(checkpoint.tensors)
        self.weights = self.network.weights()
        groups = [self.run.examples, *self.run.cycle]
        self.m, self.slots = max(map(rows_of, groups)), max(map(len, groups))
        self.step = TrainStep(self.network, self.weights, self.m, self.slots, 64, **how)

    def gradients(self, examples: list[golden.Example], count: int | None = None, onto: bool = False) -> float:
        """Run them; the loss."""
        batch = batch_of(examples, self.m, self.slots, count or targets_of(examples))
        return float(self.step.gradients(batch, onto).result()["loss"].sum(dtype=np.float64))

    def check_gradients(self) -> None:
        assert self.gradients(self.run.examples) == pytest.approx(self.wanted.loss, rel=1e-5)
        found = dict(self.weights.named(self.step.gradients_of()))
        assert set(found) == set(self.wanted.gradients) == self.names
        for name, gradient in found.items():
            transposed = ".c_" in name and gradient.ndim == 2  # transformers has GPT-2's layers as [K, N]
            wanted = self.wanted.gradients[name].T if transposed else self.wanted.gradients[name]
            assert np.abs(gradient - wanted).max() <= 1e-4 * np.abs(wanted).max(), name

    def check_curve(self, first: int = 0, last: int = golden_whole.STEPS) -> None:
        assert self.wanted.losses is not None and self.wanted.norms is not None
        count, cycle = golden_whole.ACCUMULATE, self.run.cycle
        for s in range(first, last):
            micro = [cycle[(s * count + i) % len(cycle)] for i in range(count)]
            total = sum(map(targets_of, micro))
            loss = sum(self.gradients(examples, total, onto=i > 0) for i, examples in enumerate(micro))
            assert loss == pytest.approx(self.wanted.losses[s], rel=1e-3), s
            clip = self.step.update(golden_whole.RATE, s + 1, decay=golden.DECAY, max_norm=golden.CLIP).result()
            assert clip["clip"][1] == pytest.approx(self.wanted.norms[s], rel=2e-3), s

    def values(self) -> dict[str, NDArray[np.float32]]:
        return dict(self.weights.named())

    def close(self) -> None:
        self.step.release()
        self.network.release()


@pytest.mark.parametrize("name", golden_whole.NAMES)
def test_loss_and_every_gradient(device: GpuDevice, name: str) -> None:
    made = Bench(device, name)
    made.check_gradients()
    made.check_gradients()  # the first of a step forgets those before
    made.close()


@pytest.mark.parametrize("name", ["llama-gqa", "qwen3", "gpt2"])
def test_twenty_steps(device: GpuDevice, name: str) -> None:
    made = Bench(device, name)
    made.check_curve()
    made.close()


def test_sums_over_rows_in_blocks(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    """As real GPUs have them where a result is small."""
    monkeypatch.setattr("wgpt.kernels.products.lora_product.blocks_of", lambda *_: 3)
    made = Bench(device, "gpt2")
    made.check_gradients()
    made.close()


def test_bindings_that_hold_little(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables in parts, and AdamW in pieces."""
    with monkeypatch.context() as patched:
        patched.setitem(device.limits, BINDING, 48 << 10)
        made = Bench(device, "llama-gqa")
    assert len(made.network.family.head.parts) == 2
    monkeypatch.setitem(device.limits, BINDING, 128 << 10)
    made.check_gradients()
    made.check_curve(last=6)
    assert sum(launch.kernel == "adamw_flat" for launch in made.step.record_update().launches) > 2
    made.close()


def test_checkpointing_has_the_same_bits(device: GpuDevice) -> None:
    found = []
    for checkpointing in (False, True):
        made = Bench(device, "qwen3", checkpointing=checkpointing)
        made.gradients(made.run.examples)
        found.append([device.read(tensor) for tensor in made.step.gradient])
        made.close()
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_state_goes_on_where_it_was(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wgpt.train.step._PIECE", 1 << 12)  # read and written in several pieces
    made = Bench(device, "gpt2")
    before = made.values()
    made.check_curve(last=3)
    state, middle = made.step.state(), made.values()
    assert all(np.any(middle[name] != before[name]) for name in before)
    made.check_curve(3, 6)
    end = made.values()
    again = Bench(device, "gpt2")
    again.step.restore(state)
    for name, values in again.values().items():
        np.testing.assert_array_equal(values, middle[name])
    again.check_curve(3, 6)
    for name, values in again.values().items():
        np.testing.assert_array_equal(values, end[name])
    with pytest.raises(PreconditionError, match="the state has m, v"):
        again.step.restore({name: state[name] for name in ("m", "v")})
    made.close()
    again.close()


def test_held_out_examples_teach_nothing(device: GpuDevice) -> None:
    made = Bench(device, "llama-gqa")
    made.gradients(made.run.examples)
    before = [device.read(tensor) for tensor in made.step.gradient]
    batch = batch_of(made.run.examples, made.m, made.slots, targets_of(made.run.examples))
    loss = made.step.evaluate(batch).result()["loss"].sum(dtype=np.float64)
    assert loss == pytest.approx(made.wanted.loss, rel=1e-5)
    for one, other in zip(before, made.step.gradient, strict=True):
        np.testing.assert_array_equal(one, device.read(other))
    made.close()


def test_what_was_left_in_memory_does_not_matter(device: GpuDevice) -> None:
    """NaN from a step that went wrong must not come back through rows of padding."""
    made = Bench(device, "gpt2")
    loss = made.gradients(made.run.examples)
    before = [device.read(tensor) for tensor in made.step.gradient]
    for buffer in (*made.step.heap._buffers, *(made.step.cache.layer(0)[i].buffer for i in range(2))):
        words = Tensor(buffer, (buffer.size // 4,), "f32")
        device.write(words, np.full(words.size, np.nan, np.float32))
    assert made.gradients(made.run.examples) == loss
    for one, other in zip(before, made.step.gradient, strict=True):
        np.testing.assert_array_equal(one, device.read(other))
    made.close()


def test_memory_is_that_of_weights_gradients_and_moments(device: GpuDevice) -> None:
    used = device.bytes_in_use
    made = Bench(device, "llama-gqa")
    made.gradients(made.run.examples)
    held = device.bytes_in_use - used
    assert made.network.nbytes + made.step.nbytes == pytest.approx(held, rel=0.05)
    made.close()


def test_weights_that_are_not_f32(device: GpuDevice) -> None:
    with open_checkpoint(golden.load("llama-gqa").model) as checkpoint:
        network = Network.load(device, checkpoint, "f16")
    with pytest.raises(PreconditionError, match="these are f16: load the model as f32"):
        network.weights()
    network.release()
