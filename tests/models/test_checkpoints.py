"""Checkpoints opened by formats/ and run by the NumPy reference: the logits are the golden ones; no GPU."""

from __future__ import annotations

import json
from pathlib import Path

import gguf
import numpy as np
import pytest

from wgpt.formats import Checkpoint, Stored, open_checkpoint
from wgpt.formats.hf_config import hf_config
from wgpt.formats.wanted import wanted
from wgpt.formats.write_model import write_model
from wgpt.models import reference
from wgpt.models.reference import Array, Config, Weights

from . import golden, made_up
from .gguf_maker import KINDS, write_gguf

TOLERANCE = 1e-5  # as test_reference.py's


def values(stored: Stored) -> Array:
    rows = stored.rows(0, stored.shape[0])
    floats = gguf.quants.dequantize(rows.view(np.uint8), gguf.GGMLQuantizationType[stored.type.upper()])
    return floats.reshape(stored.shape)


def as_hugging_face(checkpoint: Checkpoint) -> tuple[Config, Weights]:
    """For the reference: the family's own keys, GPT-2's matrices [in, out], and norms as Hugging Face has them."""
    wants = {want.name: want for want in wanted(checkpoint.config)}
    weights = {name: values(stored) for name, stored in checkpoint.tensors.items()}
    for name, w in weights.items():
        if wants[name].transposed:
            weights[name] = w.T
        elif checkpoint.format == "gguf":
            weights[name] = w - np.float32(wants[name].less)
    scaling = checkpoint.config.get("rope_scaling")
    if scaling is not None and scaling["rope_type"] == "factors":  # made up: config.json cannot express it
        return checkpoint.config, weights
    return hf_config(checkpoint.config, "f32"), weights


def logits_of(path: Path, ids: list[int]) -> Array:
    with open_checkpoint(path) as checkpoint:
        return reference.logits(*as_hugging_face(checkpoint), ids)


@pytest.mark.parametrize("name", golden.NAMES)
def test_folders(name: str) -> None:
    model, run = golden.load(name), golden.load(name).runs[-1]
    logits = logits_of(model.folder, run.ids)
    assert np.abs(logits - run.logits).max() < TOLERANCE * np.abs(run.logits).max()


@pytest.mark.parametrize("name", [name for name in golden.NAMES if name not in golden.NOT_IN_GGUF])
def test_gguf_files(tmp_path: Path, name: str) -> None:
    """Every setting comes through the metadata."""
    model, run = golden.load(name), golden.load(name).runs[-1]
    write_gguf(tmp_path / "model.gguf", model.config, model.weights)
    logits = logits_of(tmp_path / "model.gguf", run.ids)
    assert np.abs(logits - run.logits).max() < TOLERANCE * np.abs(run.logits).max()


@pytest.mark.parametrize("name", [name for name in golden.NAMES if name not in (*golden.NOT_IN_GGUF, "llama3-rope")])
def test_gguf_files_as_folders(tmp_path: Path, name: str) -> None:
    """Written as a Hugging Face folder, a GGUF file has the tensors that it was made of. (The scaling of llama3-rope
    is made up: no config.json is known for it.)"""
    model, run, folder = golden.load(name), golden.load(name).runs[-1], tmp_path / "folder"
    write_gguf(tmp_path / "model.gguf", model.config, model.weights)
    folder.mkdir()
    with open_checkpoint(tmp_path / "model.gguf") as checkpoint:
        write_model(checkpoint, lambda name: None, folder, "f32")
    config = json.loads((folder / "config.json").read_text())
    logits = reference.logits(config, golden.read_safetensors(folder / "model.safetensors"), run.ids)
    assert np.abs(logits - run.logits).max() < TOLERANCE * np.abs(run.logits).max()


@pytest.mark.parametrize("kind", KINDS)
def test_quantised_gguf_files(tmp_path: Path, kind: str) -> None:
    """The order of q's and k's rows, of quantised ones too, is undone block by block."""
    config = made_up.llama_like("llama", hidden=256, layers=1, heads=4, kv_heads=2, ffn=512)
    truth = write_gguf(tmp_path / "model.gguf", config, made_up.random_weights(config, seed=4), kind)
    with open_checkpoint(tmp_path / "model.gguf") as checkpoint:
        assert checkpoint.tensors["model.layers.0.self_attn.k_proj.weight"].type == kind
        for name, stored in checkpoint.tensors.items():
            np.testing.assert_array_equal(values(stored), truth[name], err_msg=name)
