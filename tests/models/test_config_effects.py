"""Settings of config.json that change the arithmetic, against the reference: sizes that nothing divides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wgpt.engine.fixed_batch import FixedBatch
from wgpt.formats import open_checkpoint
from wgpt.gpu import GpuDevice
from wgpt.models import reference
from wgpt.models.network import Network
from wgpt.models.tiny_models import CONFIGS, VOCAB, random_weights, write_folder

from .compare import TOLERANCE, error

ODD = {"hidden_size": 102, "intermediate_size": 63}
IDS = np.random.default_rng(5).integers(0, VOCAB, 23).tolist()
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 24}
PARAMETERS = {"rope_parameters": {"rope_type": "default", "rope_theta": 900.0}}
# The config.json; and the one that the reference gets, where it reads config.json otherwise.
CASES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "exact GELU": (CONFIGS["gemma2"] | ODD | {"hidden_activation": "gelu"}, {}),
    "RoPE's scaling beside its parameters": (
        CONFIGS["llama"] | ODD | PARAMETERS | {"rope_scaling": YARN},
        {"rope_parameters": YARN | {"rope_theta": 500.0}, "rope_scaling": None},
    ),
    "a cap that Gemma 3 does not have": (
        CONFIGS["gemma3"] | ODD | {"attn_logit_softcapping": 0.2},
        {"attn_logit_softcapping": None},
    ),
    "a window after the first 28 layers": (
        CONFIGS["qwen2"] | ODD | {"use_sliding_window": True, "sliding_window": 5},
        {"use_sliding_window": False, "sliding_window": None},
    ),
}


@pytest.mark.gpu
@pytest.mark.parametrize("name", CASES)
def test_against_the_reference(name: str, device: GpuDevice, tmp_path: Path) -> None:
    config, changes = CASES[name]
    weights = random_weights(config)
    write_folder(tmp_path, config, weights)
    with open_checkpoint(tmp_path) as checkpoint:
        network = Network.load(device, checkpoint)
    try:
        with FixedBatch(network, 64, cache="f32") as batch:
            logits = batch.logits({0: IDS})[0]
    finally:
        network.release()
    expected = reference.logits(config | changes, weights, IDS)
    assert error(logits, expected) < TOLERANCE


def test_exact_gelu_is_another_one() -> None:
    """So that the case above would fail."""
    config, _ = CASES["exact GELU"]
    weights = random_weights(config)
    tanh = reference.logits(config | {"hidden_activation": "gelu_pytorch_tanh"}, weights, IDS)
    assert error(reference.logits(config, weights, IDS), tanh) > 3 * TOLERANCE
