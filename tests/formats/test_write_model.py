"""Models rewritten with other values: every tensor goes to its place. No GPU."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.models import golden as models
from tests.models.gguf_maker import write_gguf
from wgpt.formats import FormatError, open_checkpoint
from wgpt.formats.safetensors_write import write_safetensors
from wgpt.formats.write_model import check_writable, write_model


def random_values(model: Path) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    with open_checkpoint(model) as checkpoint:
        return {name: rng.standard_normal(t.shape).astype(np.float32) for name, t in checkpoint.tensors.items()}


def write_changed(model: Path, values: dict[str, np.ndarray], folder: Path, dtype: str = "f32") -> Path:
    def changes(name):
        return (lambda lo, hi, before: values[name][lo:hi]) if name in values else None

    folder.mkdir()
    with open_checkpoint(model) as checkpoint:
        assert write_model(checkpoint, changes, folder, dtype) == []
    return folder


@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16"])
@pytest.mark.parametrize("name", ["llama-gqa", "qwen2", "qwen3", "mistral", "gpt2", "gpt2-f16", "from gguf"])
def test_all_values_are_others(name, dtype, tmp_path, monkeypatch):
    monkeypatch.setattr("wgpt.formats.write_model._PIECE", 1 << 12)  # in several slabs
    model = original = models.FOLDER / "models" / name
    if name == "from gguf":
        base, model = models.load("llama-gqa"), tmp_path / "model.gguf"
        original = base.folder
        write_gguf(model, base.config, base.weights, "f32")
    values = random_values(model)
    folder = write_changed(model, values, tmp_path / "new", dtype)
    tolerance = {"f32": 0.0, "f16": 2.0**-11, "bf16": 2.0**-8}[dtype]
    with open_checkpoint(folder) as checkpoint, open_checkpoint(original) as before:
        assert set(checkpoint.tensors) == set(values) and checkpoint.config == before.config
        for key, stored in checkpoint.tensors.items():
            rows = stored.rows(0, stored.shape[0])
            stored_values = (rows.astype(np.uint32) << 16).view(np.float32) if stored.type == "bf16" else rows
            assert stored.type == dtype
            allowed = tolerance * np.abs(values[key]) + 1e-7 * (tolerance > 0)
            assert (np.abs(stored_values - values[key]) <= allowed).all(), key


def test_a_tied_head_in_the_file_does_not_outlive_its_table(tmp_path):
    base = tmp_path / "base"
    shutil.copytree(models.load("llama-gqa").folder, base)
    weights = models.read_safetensors(base / "model.safetensors")
    assert json.loads((base / "config.json").read_text())["tie_word_embeddings"] and "lm_head.weight" not in weights
    weights["lm_head.weight"] = weights["model.embed_tokens.weight"]
    write_safetensors(base / "model.safetensors", weights)
    new = write_changed(base, random_values(base), tmp_path / "new")
    assert set(weights) - set(models.read_safetensors(new / "model.safetensors")) == {"lm_head.weight"}
    norm = {"model.norm.weight": np.ones(weights["model.norm.weight"].shape, np.float32)}
    same = models.read_safetensors(write_changed(base, norm, tmp_path / "same") / "model.safetensors")
    assert set(same) == set(weights) and np.array_equal(same["lm_head.weight"], weights["lm_head.weight"])


def test_what_cannot_be_written(tmp_path):
    base = models.load("llama-gqa")
    with open_checkpoint(base.folder) as checkpoint, pytest.raises(FormatError, match="unsupported dtype 'q8_0'"):
        check_writable(checkpoint, "q8_0")
    write_gguf(tmp_path / "model.gguf", base.config, base.weights, "f32")
    with open_checkpoint(tmp_path / "model.gguf") as checkpoint:
        check_writable(checkpoint, "f16")
        checkpoint.config["attention_bias"] = True
        with pytest.raises(FormatError, match="cannot express"):
            check_writable(checkpoint, "f16")
