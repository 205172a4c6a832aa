"""GPU memory of training: estimated before anything is loaded, linear in tokens, and never growing."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from tests.gpu.test_leaks import MIB, Held
from wgpt.core.errors import PreconditionError
from wgpt.formats import open_checkpoint
from wgpt.gpu import AllocationError, GpuDevice
from wgpt.gpu.dry import DryDevice
from wgpt.models.config import Config
from wgpt.models.network import Network
from wgpt.models.presets import PRESETS
from wgpt.models.random_source import random_kinds
from wgpt.models.source import kinds_of
from wgpt.ops.lora import LoraLayers
from wgpt.ops.score import Score, Scored
from wgpt.train.batches import Batch, make_batch, rows_of
from wgpt.train.memory import Estimate, Run, _factors, advice, estimate
from wgpt.train.step import TrainStep
from wgpt.train.tokens import Example

from . import golden

GIB = 1 << 30
LLAMA = Config("llama", 1000, 128, 384, 3, 4, 2, 32, 256, 1e-5)
GPT2 = Config("gpt2", 700, 64, 256, 2, 2, 2, 32, 256, 1e-5, qkv_bias=True, out_bias=True, ffn_bias=True)
QWEN3 = Config("qwen3", 512, 96, 200, 4, 4, 1, 48, 256, 1e-6, tied=False, qk_norm=True)


def run_of(config: Config, dtype: str, batch: int, length: int, **more: object) -> Run:
    """`batch` sequences of `length` tokens over random weights."""
    return Run(config, random_kinds(config, dtype), batch * rows_of(length), batch, length, **more)  # type: ignore[arg-type]


def batch_of(run: Run) -> Batch:
    ids = np.random.default_rng(3).integers(0, run.config.vocab, (run.slots, run.length)).astype(np.int32)
    examples = [Example(sequence, np.ones(run.length, bool)) for sequence in ids]
    return make_batch(examples, range(run.slots), run.slots * (run.length - 1))


@contextmanager
def stepped(run: Run, network: Network) -> Iterator[TrainStep]:
    """A step that has run, all of its Programs recorded."""
    adapters = network.weights() if run.whole else LoraLayers(network.device, _factors(run))
    options = {"checkpointing": run.checkpointing, "dropout": run.dropout}
    learner, score = adapters, None
    if run.classes:
        score = Score(network.device, np.ones((run.classes, run.config.hidden), np.float32))
        learner, options["head"] = Scored(adapters, score), score.linear
    step = TrainStep(network, learner, run.m, run.slots, run.length, **options)
    batch = batch_of(run)
    assert np.isfinite(step.gradients(batch).result()["loss"]).all()
    step.gradients(batch, onto=True).result()
    step.update(1e-3, 1).result()
    step.evaluate(batch).result()
    yield step
    step.release()
    if isinstance(adapters, LoraLayers):
        adapters.release()
    if score is not None:
        score.release()


# Foretold -----------------------------------------------------------------------------------------------------------


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("config", "dtype", "batch", "length", "more"),
    [
        pytest.param(LLAMA, "f16", 2, 40, {"rank": 4, "targets": ("q", "v")}, marks=pytest.mark.full),
        pytest.param(LLAMA, "nf4_dq", 3, 100, {"rank": 8, "checkpointing": True}, marks=pytest.mark.slow),
        pytest.param(GPT2, "f16", 1, 30, {"rank": 4, "checkpointing": True}, marks=pytest.mark.full),
        pytest.param(QWEN3, "f16", 2, 24, {"rank": 2, "dropout": 0.1}, marks=pytest.mark.full),
        pytest.param(replace(LLAMA, layers=2), "f32", 1, 24, {"whole": True}, marks=pytest.mark.full),
        pytest.param(GPT2, "f16", 2, 24, {"rank": 4, "classes": 1000}, marks=pytest.mark.full),
    ],
    ids=["llama", "llama-nf4-checkpointing", "gpt2-checkpointing", "qwen3-dropout", "all-weights", "classes"],
)
def test_as_foretold(device: GpuDevice, config: Config, dtype: str, batch: int, length: int, more: dict) -> None:
    run = run_of(config, dtype, batch, length, **more)
    used = device.bytes_in_use
    memory = estimate(run, device)
    assert device.bytes_in_use == used, "an estimate takes nothing"
    network = Network.random(device, config, dtype)
    with stepped(run, network) as step:
        real = network.nbytes + step.nbytes
        assert memory.total == pytest.approx(real, rel=0.1)
        assert sum(size for name, size in memory.parts.items() if "weights" in name or "norms" in name) == (
            network.nbytes
        )
        assert memory.parts["keys and values"] == step.cache.nbytes
        held = sum(memory.parts.get(name, 0) for name in ("adapters", "gradients", "moments"))
        assert held == step.nbytes - step.heap.nbytes - step.cache.nbytes
        assert memory.parts["logits"] + memory.parts["activations"] == pytest.approx(step.heap.nbytes, rel=0.1)
    network.release()


@pytest.mark.gpu
@pytest.mark.full
def test_as_foretold_for_a_file(device: GpuDevice) -> None:
    """Its own types, layers in NF4; examples of different lengths."""
    training = golden.load("nf4")
    with open_checkpoint(training.model) as checkpoint:
        run = Run(Config.of(checkpoint.config), kinds_of(checkpoint, "nf4"), 96, 2, 37, rank=4)
        memory = estimate(run, device)
        network = Network.load(device, checkpoint, "nf4")
    assert {"f16 weights", "nf4 weights"} <= memory.parts.keys()
    with stepped(run, network) as step:
        assert memory.total == pytest.approx(network.nbytes + step.nbytes, rel=0.1)
    network.release()


def test_known_sizes() -> None:
    """Compared with sizes computed by hand; no GPU."""
    run = run_of(PRESETS["smollm2-135m"], "f16", 4, 512, targets=("q", "v"))
    memory = estimate(run)
    params = 49152 * 576 + 30 * (576 * (576 + 2 * 192) + 576 * 576 + 3 * 576 * 1536)
    assert memory.parts["f16 weights"] == pytest.approx(2 * params, rel=1e-3)
    assert memory.parts["adapters"] == pytest.approx(4 * 30 * 16 * (2 * 576 + 576 + 192), rel=1e-2)
    assert memory.parts["keys and values"] == 30 * 2 * 4 * (4 * 512 * 192)
    assert memory.parts["logits"] <= 256 * MIB
    assert memory.total < 4 * GIB, "the budget for it on the H200"
    # Kept of each layer at least: its input and its norm, q, attention, the next norm's input, gate and up.
    least = 4 * 2048 * 30 * (5 * 576 + 2 * 1536)
    assert least < memory.parts["activations"] < 1.3 * least
    assert re.match(r"2\.\d GiB \(activations 1\.\d GiB, f16 weights 256\.5 MiB, ", str(memory))
    less = estimate(replace(run, checkpointing=True))
    assert less.parts["activations"] < memory.parts["activations"] / 5
    assert less.parts["keys and values"] == memory.parts["keys and values"] / 30
    assert less.parts["f16 weights"] == memory.parts["f16 weights"]


@pytest.mark.full
def test_types_of_weights() -> None:
    config = PRESETS["smollm2-135m"]
    totals = {}
    for dtype in ("f32", "f16", "q8_0", "nf4", "nf4_dq"):
        parts = estimate(run_of(config, dtype, 1, 32)).parts
        totals[dtype] = sum(size for name, size in parts.items() if name.endswith(" weights"))
    assert totals["f32"] == pytest.approx(2 * totals["f16"], rel=1e-3)
    table, layers = 49152 * 576, 30 * (576 * (576 + 2 * 192) + 576 * 576 + 3 * 576 * 1536)
    assert totals["nf4"] == pytest.approx(2 * table + layers * 4.5 / 8, rel=2e-3)  # the table stays f16
    assert totals["nf4_dq"] == pytest.approx(2 * table + layers * 4.129 / 8, rel=2e-3)


# Advice -------------------------------------------------------------------------------------------------------------


BIG = run_of(Config("llama", 4000, 256, 768, 6, 8, 4, 32, 4096, 1e-5), "f32", 4, 512, rank=4, targets=("q",))


def total(run: Run, **changed: object) -> int:
    return estimate(replace(run, **changed)).total  # type: ignore[arg-type]


def test_what_fits_needs_no_advice() -> None:
    assert advice(BIG, total(BIG)) == []


def test_the_gentlest_change_that_helps() -> None:
    needed, checkpointed = estimate(BIG), estimate(replace(BIG, checkpointing=True))
    lines = advice(BIG, checkpointed.total)
    assert lines[0].startswith("will not fit in ") and str(needed) in lines[0]
    assert lines[1:] == [f"use --checkpointing: it then needs {checkpointed}"]


@pytest.mark.parametrize("slots", [2, 1])
def test_then_fewer_sequences(slots: int) -> None:
    already = replace(BIG, checkpointing=True)
    fewer = {"slots": slots, "m": slots * 512}
    lines = advice(already, total(already, **fewer))
    assert lines[1].startswith(f"use --batch {slots} with more --accumulate: it then needs ")


@pytest.mark.parametrize("rows", [1024, 512])
def test_then_fewer_rows_where_sequences_are_packed(rows: int) -> None:
    already = replace(BIG, checkpointing=True, packed=True, m=2048, slots=8)
    fewer = {"m": rows, "slots": 8 * rows // 2048}
    lines = advice(already, total(already, **fewer))
    assert lines[1].startswith(f"use --pack {rows} with more --accumulate: it then needs ")
    assert "--batch" not in "".join(advice(already, MIB))


def test_then_smaller_weights() -> None:
    alone = replace(BIG, slots=1, m=512, checkpointing=True)
    small = random_kinds(alone.config, "nf4", "f32")
    assert advice(alone, total(alone, kinds=small))[1].startswith("use --dtype nf4: it then needs ")
    smaller = random_kinds(alone.config, "nf4_dq", "f32")
    assert advice(alone, total(alone, kinds=smaller))[1].startswith("use --dtype nf4_dq: ")


def test_two_changes_where_one_is_not_enough() -> None:
    deep = run_of(Config("llama", 4000, 256, 768, 10, 8, 4, 32, 4096, 1e-5), "f32", 4, 512, rank=4, targets=("q",))
    limit = total(deep, checkpointing=True, slots=2, m=1024)
    alone = [{"checkpointing": True}, {"slots": 1, "m": 512}, {"kinds": random_kinds(deep.config, "nf4_dq", "f32")}]
    assert min(total(deep, **change) for change in alone) > limit
    assert advice(deep, limit)[1].startswith("use --checkpointing and --batch 2 with more --accumulate: ")


def test_an_adapter_where_all_weights_are_too_much() -> None:
    """Gradients and moments of all weights are three times the weights."""
    whole = replace(BIG, slots=1, m=512, checkpointing=True, whole=True)
    parts = estimate(whole).parts
    assert "adapters" not in parts and parts["moments"] == 2 * parts["gradients"]
    assert parts["gradients"] == pytest.approx(parts["f32 weights"] + parts["norms and biases"], rel=1e-2)
    lines = advice(whole, total(whole, whole=False))
    assert lines[1].startswith("use an adapter instead of --full: it then needs ")
    with pytest.raises(PreconditionError, match="full fine-tuning needs f32 weights, but these are f16"):
        estimate(replace(whole, kinds=random_kinds(whole.config, "f16")))


def test_when_nothing_helps() -> None:
    lines = advice(BIG, MIB)
    assert lines[1].startswith(
        "even with --checkpointing and --batch 1 with more --accumulate and --dtype nf4_dq it needs"
    )
    assert lines[1].endswith("use shorter examples, a smaller rank or a smaller model")


def test_what_no_binding_holds() -> None:
    """Rows x vocabulary never exist at once, but rows x (gate and up) must fit a binding of 2 GiB."""
    wide = run_of(Config("llama", 300, 64, 16384, 1, 2, 2, 32, 32768, 1e-5), "f16", 8, 4096, rank=2, targets=("q",))
    with pytest.raises(AllocationError, match=r"binds at most 2\.0 GiB at once"):
        estimate(wide)
    lines = advice(wide, 1000 * GIB)
    assert lines[0] == "will not fit in 1000.0 GiB: one of its tensors is larger than a binding of this GPU"
    assert lines[1].startswith("use --batch 2 with more --accumulate: ")


def test_a_dry_device_counts_and_gives_back() -> None:
    dry = DryDevice()
    tensor = dry.tensor(np.zeros((3, 5), np.float32))
    assert (dry.bytes_in_use, dry.buffers_in_use) == (64, 1)
    tensor.buffer.release()
    assert dry.bytes_in_use == 0
    assert Estimate({"a": 3 * MIB, "b": MIB, "c": 1}).total == 4 * MIB + 1


# Tokens and time ------------------------------------------------------------------------------------------------------


def off_the_line(sizes: list[int]) -> float:
    """How far m, 2m and 4m are from a straight line, as a share of the last."""
    first, second, third = sizes
    return abs((third - second) / 2 - (second - first)) / third


@pytest.mark.gpu
@pytest.mark.full
@pytest.mark.parametrize("checkpointing", [False, True])
def test_memory_is_linear_in_tokens(device: GpuDevice, checkpointing: bool) -> None:
    network, sizes = Network.random(device, LLAMA, "f16"), []
    for length in (32, 64, 128):
        run = run_of(LLAMA, "f16", 2, length, rank=4, checkpointing=checkpointing)
        with stepped(run, network) as step:
            sizes.append(step.nbytes)
    network.release()
    assert sizes[0] < sizes[1] < sizes[2]
    assert off_the_line(sizes) < 0.1, sizes


@pytest.mark.full
@pytest.mark.parametrize("preset", ["smollm2-135m", "gpt2"])
@pytest.mark.parametrize("grow", ["sequences", "length"])
def test_real_models_are_linear_in_tokens(preset: str, grow: str) -> None:
    def size(times: int) -> int:
        batch, length = (2 * times, 256) if grow == "sequences" else (2, 256 * times)
        return estimate(run_of(PRESETS[preset], "f16", batch, length, targets=("all",))).total

    sizes = [size(times) for times in (1, 2, 4)]
    assert sizes[0] < sizes[1] < sizes[2]
    assert off_the_line(sizes) < 0.1, sizes


def objects() -> int:
    gc.collect()
    return len(gc.get_objects())


@pytest.mark.slow
@pytest.mark.gpu
def test_five_hundred_steps_take_no_more_than_fifty(device: GpuDevice) -> None:
    """Device memory, wgpu's objects, Python's objects and the process."""
    tiny = Config("llama", 64, 32, 64, 2, 2, 1, 16, 64, 1e-5)
    run = run_of(tiny, "nf4", 2, 16, rank=2, dropout=0.1)
    network = Network.random(device, tiny, "nf4")
    with stepped(run, network) as step:
        batch = batch_of(run)

        def train(count: int) -> None:
            for i in range(count):
                step.gradients(batch, draw=i).result()
                if i % 10 == 0:
                    step.gradients(batch, onto=True, draw=i).result()
                    step.evaluate(batch).result()
                step.update(1e-3, i + 1).result()

        train(50)
        before, objects_before = Held.now(device), objects()
        train(500)
        after, then = Held.now(device), objects()
    network.release()
    assert not after.grown(before)
    assert (after.buffers, after.bytes) == (before.buffers, before.bytes)
    assert then - objects_before < 100, "an object a step would be seen"
    assert after.rss - before.rss < 4 * MIB, "8 KiB a step would be seen"


@pytest.mark.gpu
@pytest.mark.slow
def test_steps_that_come_and_go_leave_nothing(device: GpuDevice) -> None:
    tiny = Config("llama", 64, 32, 64, 2, 2, 1, 16, 64, 1e-5)
    run = run_of(tiny, "nf4", 2, 16, rank=2)

    def once() -> None:
        network = Network.random(device, tiny, "nf4")
        with stepped(run, network):
            pass
        network.release()

    for _ in range(3):
        once()
    before = Held.now(device)
    for _ in range(10):
        once()
    after = Held.now(device)
    assert not after.grown(before)
    assert (after.buffers, after.bytes) == (before.buffers, before.bytes)
