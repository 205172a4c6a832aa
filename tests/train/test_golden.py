"""The golden training files are consistent: the NumPy reference has their loss and gradients; no GPU."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tests.models import golden as models
from wgpt.models import reference
from wgpt.quant import nf4

from . import golden, golden_whole


def weights_with(training: golden.Training, adapter: dict[str, Any]) -> dict[str, Any]:
    """The model's weights in float64, the adapter folded in."""
    config = json.loads((training.adapter / "adapter_config.json").read_text())
    scale = config["lora_alpha"] / (config["r"] ** 0.5 if config["use_rslora"] else config["r"])
    weights: dict[str, Any] = {}
    for file in sorted(training.model.glob("*.safetensors")):
        weights |= {name: value.astype(np.float64) for name, value in models.read_safetensors(file).items()}
    if training.adapter.name == "nf4":
        weights |= {name: rounded(value) for name, value in weights.items() if ".layers." in name and value.ndim == 2}
    for name in {key.rsplit(".lora_", 1)[0] for key in adapter}:
        delta = scale * adapter[f"{name}.lora_B.weight"] @ adapter[f"{name}.lora_A.weight"]
        at = name.removeprefix("base_model.model.") + ".weight"
        weights[at] = weights[at] + (delta.T if config["fan_in_fan_out"] else delta)
    return weights


def rounded(matrix: Any) -> Any:
    """Through NF4's blocks of 64."""
    codes, absmax = nf4.quantize(matrix)
    return (nf4.CODEBOOK[codes].reshape(-1, 64) * absmax[:, None]).reshape(matrix.shape).astype(np.float64)


def loss_and_logits(training: golden.Training, adapter: dict[str, Any]) -> tuple[float, list[Any]]:
    return loss_of(training, weights_with(training, adapter))


def loss_of(training: golden.Training, weights: dict[str, Any]) -> tuple[float, list[Any]]:
    config = json.loads((training.model / "config.json").read_text())
    total, count, all_logits = 0.0, 0, []
    for example in training.examples:
        logits = reference.logits(config, weights, example.ids)
        likely = logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)
        for row, target in zip(likely, example.targets, strict=True):
            if target >= 0:
                total, count = total - row[target], count + 1
        all_logits.append(logits)
    return total / count, all_logits


def read_lora(training: golden.Training) -> dict[str, Any]:
    tensors = models.read_safetensors(training.adapter / "adapter_model.safetensors")
    return {name: value.astype(np.float64) for name, value in tensors.items()}


@pytest.mark.parametrize("name", golden.NAMES)
def test_loss_logits_and_gradients_of_another_forward(name):
    training = golden.load(name)
    adapter = read_lora(training)
    loss, logits = loss_and_logits(training, adapter)
    assert loss == pytest.approx(training.loss, rel=1e-6)
    for rows, truth in zip(logits, training.logits, strict=True):
        np.testing.assert_allclose(rows[-len(truth) :], truth, atol=2e-5)
    # A central difference along a random direction in all adapter matrices at once.
    rng = np.random.default_rng(0)
    step = {key: rng.standard_normal(value.shape) for key, value in adapter.items()}
    up, down = (
        loss_and_logits(training, {key: value + h * step[key] for key, value in adapter.items()})[0]
        for h in (1e-4, -1e-4)
    )
    gradients = {key: training.gradients[target(key)] for key in adapter}
    assert len(gradients) == len(training.gradients)
    along = sum(float((gradients[key] * step[key]).sum()) for key in adapter)
    assert (up - down) / 2e-4 == pytest.approx(along, rel=1e-4)


@pytest.mark.parametrize("name", golden_whole.NAMES)
def test_gradients_of_all_weights_of_another_forward(name):
    training, whole, rng = golden.load(name), golden_whole.load(name), np.random.default_rng(1)
    weights = weights_with(training, {})
    assert loss_of(training, weights)[0] == pytest.approx(whole.loss, rel=1e-6)
    gradients = {key.removeprefix("transformer."): key for key in weights}
    assert set(gradients) == set(whole.gradients)
    step = {key: 0.1 * rng.standard_normal(value.shape) for key, value in weights.items()}
    up, down = (
        loss_of(training, {key: value + h * step[key] for key, value in weights.items()})[0] for h in (1e-5, -1e-5)
    )
    along = sum(float((whole.gradients[key] * step[own]).sum(dtype=np.float64)) for key, own in gradients.items())
    assert (up - down) / 2e-5 == pytest.approx(along, rel=1e-4)


def target(key: str) -> str:
    name = key.removeprefix("base_model.model.").removeprefix("transformer.")
    return name.replace(".lora_A.weight", ".A").replace(".lora_B.weight", ".B")


def test_what_there_is():
    assert {"llama-gqa", "llama3-rope", "mistral", "qwen2", "qwen3", "gpt2", "nf4"} < set(golden.NAMES)
    assert set(golden.load("nf4").curves) == set(golden.CURVES)
    for name in ("llama-gqa", "qwen3", "gpt2"):
        training = golden.load(name)
        assert set(training.curves) == {"losses", "losses_accumulated"} and len(training.cycle) == 6
        for curve in training.curves.values():
            assert len(curve.losses) == len(curve.norms) == len(curve.rates) == golden.STEPS
            assert curve.losses[-1] < 0.6 * curve.losses[0]
    for name in ("llama-gqa", "qwen3", "gpt2"):
        losses = golden_whole.load(name).losses
        assert losses is not None and len(losses) == golden_whole.STEPS and losses[-1] < 0.6 * losses[0]
