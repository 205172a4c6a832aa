"""Adapters folded into models, and exported for llama.cpp; no GPU."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest

from tests.models import golden as models
from tests.models.gguf_maker import write_gguf
from tests.train import golden
from wgpt.formats import FormatError, open_checkpoint
from wgpt.formats.lora_gguf import export_lora_gguf
from wgpt.formats.merge import merge
from wgpt.formats.peft import Factors, LoraAdapter, read_lora
from wgpt.formats.tokenizer import load_tokenizer
from wgpt.models import reference

FULL = [name for name in golden.NAMES if name != "nf4"]


def weights_in(folder: Path) -> dict[str, Any]:
    weights: dict[str, Any] = {}
    for file in sorted(folder.glob("*.safetensors")):
        weights |= models.read_safetensors(file)
    return weights


def same_logits(folder: Path, training: golden.Training, atol: float) -> None:
    """The NumPy reference over the folder, with its own config.json."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    weights = weights_in(folder)
    for example, truth in zip(training.examples, training.logits, strict=True):
        logits = reference.logits(config, weights, example.ids)
        np.testing.assert_allclose(logits[-len(truth) :], truth, atol=atol)


def merged(model: Path, adapter: LoraAdapter, folder: Path, dtype: str | None = None) -> Path:
    with open_checkpoint(model) as checkpoint:
        merge(checkpoint, adapter, folder, dtype)
    return folder


@pytest.mark.parametrize("name", FULL)
def test_hugging_face_folders(name, tmp_path):
    training = golden.load(name)
    folder = merged(training.model, read_lora(training.adapter), tmp_path / "merged")
    same_logits(folder, training, 2e-5)
    files = {path.name for path in training.model.iterdir()} - {"golden.npz"}
    assert {path.name for path in folder.iterdir()} == files
    for file in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        assert (folder / file).read_bytes() == (training.model / file).read_bytes()
    before, after = weights_in(training.model), weights_in(folder)
    assert {name: (a.shape, a.dtype) for name, a in before.items()} == {n: (a.shape, a.dtype) for n, a in after.items()}
    targets = {f"{key}.weight" for key in read_lora(training.adapter).targets}
    changed = {key.removeprefix("transformer.") for key in before if not np.array_equal(before[key], after[key])}
    assert changed == targets
    assert [path.name for path in tmp_path.iterdir()] == ["merged"]


@pytest.mark.parametrize(("dtype", "atol"), [("f16", 0.05), ("bf16", 0.4), ("f32", 2e-5)])
def test_other_types(dtype, atol, tmp_path):
    training = golden.load("qwen3")  # in shards
    folder = merged(training.model, read_lora(training.adapter), tmp_path / "merged", dtype)
    same_logits(folder, training, atol)
    config = json.loads((folder / "config.json").read_text())
    assert (
        config["torch_dtype"] == {"f16": "float16", "bf16": "bfloat16", "f32": "float32"}[dtype]
        and "dtype" not in config
    )
    with open_checkpoint(folder) as checkpoint:
        assert {t.type for t in checkpoint.tensors.values()} == {dtype}


@pytest.mark.parametrize("name", ["llama-gqa-bf16", "gpt2-f16"])
def test_half_precision_models_stay_so(name, tmp_path):
    """The hub's original gpt2 stores causal masks among its weights: they are copied."""
    base = golden.load(name.rsplit("-", 1)[0])
    folder, adapter = FOLDER / name, read_lora(base.adapter)
    new = merged(folder, adapter, tmp_path / "merged")
    before, after = weights_in(folder), weights_in(new)
    assert list(before) == list(after)
    for key, value in before.items():
        factors = adapter.targets.get(key.removeprefix("transformer.").removesuffix(".weight"))
        if factors is None:
            assert np.array_equal(after[key], value)
        else:
            delta = factors.scale * (factors.b.astype(np.float64) @ factors.a)
            exact = value.astype(np.float64) + (delta.T if name == "gpt2-f16" else delta)
            step = 2.0**-8 if "bf16" in name else 2.0**-11
            assert (np.abs(after[key] - exact) <= step * np.abs(exact) + 1e-7).all()
    with open_checkpoint(new) as checkpoint:
        assert {t.type for t in checkpoint.tensors.values()} == {name.rsplit("-", 1)[1]}


FOLDER = golden.FOLDER / "models"


@pytest.mark.parametrize("name", ["llama-gqa-seven", "qwen2", "qwen3", "gpt2"])
def test_gguf_files(name, tmp_path):
    training = golden.load(name)
    config = json.loads((training.model / "config.json").read_text())
    write_gguf(tmp_path / "model.gguf", config, weights_in(training.model), "f32")
    folder = merged(tmp_path / "model.gguf", read_lora(training.adapter), tmp_path / "merged", "f32")
    same_logits(folder, training, 2e-5)
    old, new = load_tokenizer(training.model), load_tokenizer(folder)
    text = "the other one <|im_start|>and\n more"
    assert (
        new.encode(text) == old.encode(text) and new.eos_ids == old.eos_ids and new.chat_template == old.chat_template
    )
    with open_checkpoint(folder) as ours, open_checkpoint(training.model) as theirs:
        assert ours.config == theirs.config


def test_tokens_for_padding_go_along(tmp_path):
    training = golden.load("llama-gqa")
    config = json.loads((training.model / "config.json").read_text())
    write_gguf(tmp_path / "model.gguf", config, weights_in(training.model), "f32")
    with open_checkpoint(tmp_path / "model.gguf") as checkpoint:
        checkpoint.tokenizer |= {"tokenizer.ggml.padding_token_id": 2, "tokenizer.ggml.unknown_token_id": 0xFFFFFFFF}
        assert merge(checkpoint, read_lora(training.adapter), tmp_path / "merged") == []
        token = load_tokenizer(checkpoint.tokenizer).token(2)
    settings = json.loads((tmp_path / "merged" / "tokenizer_config.json").read_text())
    assert settings["pad_token"] == token and "unk_token" not in settings


def test_quantised_files_are_dequantised(tmp_path):
    training = golden.load("nf4")
    config = json.loads((training.model / "config.json").read_text())
    truth = write_gguf(tmp_path / "model.gguf", config, weights_in(training.model), "q4_0", attn_q="q8_0")
    adapter = read_lora(training.adapter)
    folder = merged(tmp_path / "model.gguf", adapter, tmp_path / "merged")
    weights = weights_in(folder)
    assert set(weights) == set(truth) and {a.dtype for a in weights.values()} == {np.dtype(np.float16)}
    for key, value in truth.items():
        factors = adapter.targets.get(key.removesuffix(".weight"))
        exact = value.astype(np.float64) + (0 if factors is None else factors.scale * (factors.b @ factors.a))
        np.testing.assert_allclose(weights[key], exact, rtol=2**-10, atol=1e-6)


def test_llama3s_scaling_gets_its_name_back(tmp_path):
    llama3 = {"rope_type": "llama3", "factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
    llama3 |= {"original_max_position_embeddings": 8192}
    training = golden.load("llama-gqa")
    config = json.loads((training.model / "config.json").read_text())
    config["rope_parameters"] = llama3 | {"rope_theta": 500000.0}
    adapter, weights = read_lora(training.adapter), weights_in(training.model)
    write_gguf(tmp_path / "model.gguf", config, weights, "f32")
    folder = merged(tmp_path / "model.gguf", adapter, tmp_path / "merged")
    assert json.loads((folder / "config.json").read_text())["rope_scaling"] == llama3
    config["rope_parameters"]["original_max_position_embeddings"] = 4000
    write_gguf(tmp_path / "model.gguf", config, weights, "f32")
    with pytest.raises(FormatError, match=r"RoPE scaling has no equivalent in config\.json"):
        merged(tmp_path / "model.gguf", adapter, tmp_path / "again")
    assert not (tmp_path / "again").exists() and len(list(tmp_path.iterdir())) == 2


def test_what_is_not_merged(tmp_path):
    training = golden.load("llama-gqa")
    adapter = read_lora(training.adapter)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "note.txt").write_text("mine")
    for change, target, dtype, message in (
        (adapter, "full", None, "already exists: give the merged model a new folder"),
        (adapter, "new", "q8_0", "unsupported dtype 'q8_0' for a written model; supported: f32, f16, bf16"),
        (replace(adapter, task="SEQ_CLS"), "new", None, "a SEQ_CLS adapter cannot be merged"),
        (read_lora(golden.load("qwen3").adapter), "new", None, "belongs to another model"),
    ):
        with pytest.raises(FormatError, match=message):
            merged(training.model, change, tmp_path / target, dtype)
    large = replace(adapter, targets={k: Factors(f.a * 1e6, f.b, f.scale) for k, f in adapter.targets.items()})
    with pytest.raises(FormatError, match="beyond f16's 65504: use bf16 or f32"):
        merged(training.model, large, tmp_path / "new", "f16")
    assert [path.name for path in tmp_path.iterdir()] == ["full"]


def test_values_that_are_too_large_for_f16_are_not_written(tmp_path):
    training = golden.load("llama-gqa-seven")
    adapter = read_lora(training.adapter)
    large = replace(adapter, targets={k: f._replace(a=f.a * 0 + 70_000) for k, f in adapter.targets.items()})
    with pytest.raises(FormatError, match=r"lora_a of .* has values up to 70000, beyond float16's 65504: use f32"):
        exported(large, training.model, tmp_path / "lora.gguf", "f16")
    assert not list(tmp_path.iterdir())
    exported(large, training.model, tmp_path / "lora.gguf", "f32")


@pytest.mark.parametrize(
    ("value", "message"), [(np.nan, "has NaN or Inf"), (np.inf, "has NaN or Inf"), (3e38, "overflow f32")]
)
def test_a_classification_head_that_is_not_finite(value, message):
    adapter = read_lora(golden.load("llama-gqa-seven").adapter)
    adapter.check_values()
    score = np.zeros((3, 7), np.float32)
    score[2, 5] = value
    with pytest.raises(FormatError, match=f"here: its classification head .*{message}"):
        replace(adapter, task="SEQ_CLS", score=score).check_values("here")


# llama.cpp's adapters ------------------------------------------------------------------------------------------


def read_gguf(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    reader = gguf.GGUFReader(path)
    return {k: f.contents() for k, f in reader.fields.items()}, {t.name: np.array(t.data) for t in reader.tensors}


def exported(
    adapter: LoraAdapter, model: Path, path: Path, dtype: str = "f32"
) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    with open_checkpoint(model) as checkpoint:
        export_lora_gguf(adapter, checkpoint.config, path, dtype)
    return read_gguf(path)


@pytest.mark.parametrize("name", ["llama-gqa-seven", "mistral", "qwen2-rslora", "qwen3", "gpt2"])
def test_adapters_for_llama_cpp(name, tmp_path):
    """llama.cpp would add to the GGUF file's weights exactly what the adapter adds to the model's."""
    training = golden.load(name)
    config = json.loads((training.model / "config.json").read_text()) | (
        {"model_type": "llama"} if name == "mistral" else {}
    )
    weights = weights_in(training.model)
    adapter = read_lora(training.adapter)
    fields, tensors = exported(adapter, training.model, tmp_path / "lora.gguf")
    assert fields["general.type"] == "adapter" and fields["adapter.type"] == "lora"
    assert fields["general.architecture"] == config["model_type"]
    alpha = fields["adapter.lora.alpha"]
    assert alpha == (16 if name == "qwen2-rslora" else 8)
    changed = dict(weights)
    for target, factors in adapter.targets.items():
        key = next(k for k in weights if k.removeprefix("transformer.") == f"{target}.weight")
        delta = factors.scale * (factors.b.astype(np.float64) @ factors.a)
        changed[key] = weights[key] + (delta.T if name == "gpt2" else delta).astype(np.float32)
    held = {}
    for label, values in (("before", weights), ("after", changed)):
        write_gguf(tmp_path / f"{label}.gguf", config, values, "f32")
        held[label] = read_gguf(tmp_path / f"{label}.gguf")[1]
    for key, after in held["after"].items():
        if f"{key}.lora_a" not in tensors:
            assert np.array_equal(after, held["before"][key])
            continue
        a, b = tensors.pop(f"{key}.lora_a"), tensors.pop(f"{key}.lora_b")
        np.testing.assert_allclose(held["before"][key] + alpha / len(a) * (b @ a), after, atol=1e-6)
    assert not tensors  # each was some weight's


def test_scales_of_their_own_are_in_b(tmp_path):
    training = golden.load("qwen3")
    adapter = read_lora(training.adapter)
    (first, one), (second, two), *_ = adapter.targets.items()
    few = {first: one._replace(scale=0.0), second: two._replace(a=two.a[:2], b=two.b[:, :2].copy(), scale=3.0)}
    fields, tensors = exported(replace(adapter, targets=few), training.model, tmp_path / "lora.gguf", "f16")
    assert fields["adapter.lora.alpha"] == 6  # not 0, which llama.cpp takes for "not scaled"
    assert {t.dtype for t in tensors.values()} == {np.dtype(np.float16)} and len(tensors) == 4
    assert not tensors["blk.0.attn_q.weight.lora_b"].any()
    assert np.array_equal(tensors["blk.0.attn_v.weight.lora_b"], few[second].b.astype(np.float16))


def test_what_is_not_exported(tmp_path):
    training = golden.load("llama-gqa")
    adapter = read_lora(training.adapter)
    for change, dtype, message in (
        (adapter, "q8_0", "unsupported dtype 'q8_0' for an exported adapter; supported: f32, f16"),
        (replace(adapter, task="SEQ_CLS"), "f32", "cannot store its head"),
        (read_lora(golden.load("gpt2").adapter), "f32", "belongs to another model"),
    ):
        with pytest.raises(FormatError, match=message):
            exported(change, training.model, tmp_path / "lora.gguf", dtype)
    assert not list(tmp_path.iterdir())
