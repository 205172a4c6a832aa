"""A trained adapter is saved, attached, merged and loaded again, always with the same logits; without torch."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.models.compare import TOLERANCE
from tests.models.gguf_maker import write_gguf
from tests.models.golden import read_safetensors
from wgpt import load
from wgpt.formats import open_checkpoint
from wgpt.formats.merge import merge
from wgpt.formats.peft import Factors, LoraAdapter, read_lora, write_lora
from wgpt.gpu import GpuDevice
from wgpt.models import reference

from .golden import Example
from .test_step import Bench, targets_of

pytestmark = pytest.mark.gpu
STEPS, RATE = 6, 2e-2


def trained(bench: Bench) -> tuple[LoraAdapter, float, float]:
    """A new adapter, as peft begins one, after a few steps; and the loss before and after."""
    rng = np.random.default_rng(5)
    adapter = read_lora(bench.run.adapter)
    fresh = {
        name: Factors(rng.uniform(-0.3, 0.3, f.a.shape).astype(np.float32), np.zeros_like(f.b), f.scale)
        for name, f in adapter.targets.items()
    }
    bench.adapters.write(fresh)
    batch = bench.batch(bench.run.examples)
    losses = []
    for step in range(STEPS):
        losses.append(bench.step.gradients(batch).result()["loss"].sum(dtype=np.float64))
        bench.step.update(RATE, step + 1, max_norm=1.0).result()
    losses.append(bench.step.evaluate(batch).result()["loss"].sum(dtype=np.float64))
    factors = bench.adapters.read(bench.device.read(bench.adapters.flat))
    targets = {name: Factors(a, b, fresh[name].scale) for name, (a, b) in factors.items()}
    return replace(adapter, targets=targets, base="a/model"), losses[0], losses[-1]


def loss_of(logits: list[np.ndarray], examples: list[Example]) -> float:
    """The mean over all answers, in float64."""
    total = 0.0
    for rows, example in zip(logits, examples, strict=True):
        wide = rows.astype(np.float64)
        rest = np.logaddexp.reduce(wide, axis=1)
        total += sum(rest[i] - wide[i, t] for i, t in enumerate(example.targets) if t >= 0)
    return total / targets_of(examples)


def difference(logits: list[np.ndarray], expected: list[np.ndarray]) -> float:
    """The largest difference, relative to the largest logit."""
    return max(float(np.abs(f - w).max() / np.abs(w).max()) for f, w in zip(logits, expected, strict=True))


@pytest.mark.full
@pytest.mark.parametrize("name", ["llama-gqa-seven", "qwen2-rslora", "qwen3", "gpt2"])
def test_trained_saved_attached_merged_loaded(device: GpuDevice, name: str, tmp_path: Path) -> None:
    bench = Bench(device, name)
    adapter, before, after = trained(bench)
    examples = bench.run.examples
    bench.close()
    assert after < 0.8 * before  # the loss decreased

    write_lora(adapter, tmp_path / "adapter")
    again = read_lora(tmp_path / "adapter")
    assert list(again.targets) == list(adapter.targets)
    for target, factors in adapter.targets.items():
        assert np.array_equal(again.targets[target].a, factors.a) and np.array_equal(again.targets[target].b, factors.b)
        assert again.targets[target].scale == pytest.approx(factors.scale, rel=1e-12)

    options = {"device": device, "cache": "f32", "context": 64}
    with load(bench.run.model, **options) as model:
        plain = [model.logits(e.ids) for e in examples]
        model.attach(tmp_path / "adapter")
        attached = [model.logits(e.ids) for e in examples]
        model.detach()
        assert all(np.array_equal(model.logits(e.ids), p) for e, p in zip(examples, plain, strict=True))
    assert loss_of(plain, examples) == pytest.approx(before, rel=TOLERANCE)  # B was 0: the model as it was
    assert loss_of(attached, examples) == pytest.approx(after, rel=TOLERANCE)
    assert difference(attached, plain) > 1e-2

    with open_checkpoint(bench.run.model) as checkpoint:
        merge(checkpoint, again, tmp_path / "merged")
    with load(tmp_path / "merged", **options) as model:
        merged = [model.logits(e.ids) for e in examples]
    assert difference(merged, attached) < TOLERANCE

    config = json.loads((tmp_path / "merged" / "config.json").read_text())
    weights = {}
    for file in (tmp_path / "merged").glob("*.safetensors"):
        weights |= read_safetensors(file)
    exact = [reference.logits(config, weights, e.ids) for e in examples]
    assert difference(merged, exact) < TOLERANCE and difference(attached, exact) < TOLERANCE


def test_merged_from_a_gguf_file_of_the_same_model(device: GpuDevice, tmp_path: Path) -> None:
    bench = Bench(device, "llama-gqa-seven")
    adapter, _, _ = trained(bench)
    bench.close()
    config = json.loads((bench.run.model / "config.json").read_text())
    write_gguf(tmp_path / "m.gguf", config, read_safetensors(bench.run.model / "model.safetensors"), "f32")
    with open_checkpoint(tmp_path / "m.gguf") as checkpoint:
        merge(checkpoint, adapter, tmp_path / "merged", "f32")
    ids, options = bench.run.examples[0].ids, {"device": device, "cache": "f32", "context": 64}
    with load(tmp_path / "m.gguf", lora=adapter, **options) as model:
        attached = model.logits(ids)
    with load(tmp_path / "merged", **options) as model:
        assert difference([model.logits(ids)], [attached]) < TOLERANCE
