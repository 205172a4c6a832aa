"""`wgpt info MODEL`: from headers alone, also of files that do not run. No GPU but for one comparison."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import gguf
import numpy as np
import pytest
from tests.models import golden
from tests.models.gguf_maker import write_gguf

import wgpt as package
from wgpt import model_info

FOLDER = golden.FOLDER / "models"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    base = golden.load("llama-gqa")
    write_gguf(tmp_path / "model.gguf", base.config, base.weights, "f16")
    return tmp_path / "model.gguf"


def unsupported(path: Path, arch: str, **tensors: gguf.GGMLQuantizationType) -> Path:
    """A file of another architecture, or with other types."""
    writer = gguf.GGUFWriter(path, arch)
    writer.add_name("Somebody's model")
    writer.add_block_count(7)
    writer.add_context_length(1 << 17)
    writer.add_head_count_kv([4, 8, 4])  # of each layer
    for name, kind in tensors.items():
        block, nbytes = gguf.GGML_QUANT_SIZES[kind]
        writer.add_tensor(name, np.zeros((2, nbytes), np.uint8), raw_dtype=kind)
        assert block == 256
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_a_model_that_runs(wgpt, wgpt_json, model):
    facts = wgpt_json("info", str(model))
    assert facts["runs"] and facts["problems"] == [] and facts["format"] == "gguf"
    assert facts["architecture"] == facts["family"] == "llama" and set(facts["types"]) == {"f16", "f32"}
    assert facts["parameters"] == sum(w.size for w in golden.load("llama-gqa").weights.values())
    assert facts["bytes"] == model.stat().st_size and facts["chat_template"]
    result = wgpt("info", str(model))
    assert result.exit_code == 0 and "Runs" in result.stdout and "KV cache for 256 tokens" in result.stdout


@pytest.mark.parametrize("name", ["gpt2", "gemma3", "phi3"])
def test_folders_of_other_families(name):
    facts = model_info(FOLDER / name)
    assert facts["runs"] and facts["format"] == "hf" and facts["sizes"].keys() >= {"layers", "hidden", "context"}


def test_memory_is_what_loading_takes(smollm2_path):
    facts = model_info(smollm2_path)
    with package.load(smollm2_path, context=64) as loaded:
        assert abs(loaded.network.nbytes - facts["memory"]["weights"]) < 0.01 * loaded.network.nbytes
    assert facts["memory"]["kv_cache"] == 2 * 30 * 3 * 64 * 2 * 8192


def test_an_architecture_that_is_not_supported(wgpt, wgpt_json, tmp_path):
    path = unsupported(tmp_path / "x.gguf", "rwkv7", head=gguf.GGMLQuantizationType.IQ1_S)
    result = wgpt("info", str(path), "--json")
    facts = json.loads(result.stdout)
    assert result.exit_code == 1 and not facts["runs"] and facts["family"] is None
    assert facts["architecture"] == "rwkv7" and facts["name"] == "Somebody's model"
    assert facts["sizes"] == {"layers": 7, "kv_heads": 8, "context": 1 << 17}
    assert facts["types"]["iq1_s"]["tensors"] == 1 and facts["memory"]["weights"] == facts["types"]["iq1_s"]["bytes"]
    assert "unsupported architecture 'rwkv7'; supported: " in facts["problems"][0]
    shown = wgpt("info", str(path)).stdout
    assert "rwkv7 (unsupported)" in shown and "no: " in shown and "iq1_s" in shown


def test_a_type_that_is_not_supported(model):
    base = golden.load("llama-gqa")
    kind = gguf.GGMLQuantizationType.IQ1_S
    raw, head = model.read_bytes(), b"blk.0.attn_q.weight"
    at = raw.index(head) + len(head)
    rows = base.config["num_attention_heads"] * base.config["hidden_size"] // base.config["num_attention_heads"]
    dims = np.array([256, rows], "<u8").tobytes()
    changed = bytearray(raw)
    changed[at + 4 : at + 20], changed[at + 20 : at + 24] = dims, int(kind).to_bytes(4, "little")
    model.write_bytes(changed)
    facts = model_info(model)
    assert not facts["runs"] and "iq1_s" in facts["types"] and facts["family"] == "llama"
    changed[at + 20 : at + 24] = (250).to_bytes(4, "little")
    model.write_bytes(changed)
    (problem,) = model_info(model)["problems"]
    assert "'blk.0.attn_q.weight' has the unknown type 250; supported: " in problem and "use or make a file" in problem


def test_a_folder_and_a_tokenizer_that_are_not_supported(tmp_path, model):
    folder = tmp_path / "folder"
    shutil.copytree(FOLDER / "llama-gqa", folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "mamba9"}))
    facts = model_info(folder)
    assert facts["architecture"] == "mamba9" and facts["sizes"]["layers"] == config["num_hidden_layers"]
    assert "unsupported model_type 'mamba9'" in facts["problems"][0] and "f32" in facts["types"]
    model.write_bytes(model.read_bytes().replace(b"\x05\0\0\0\0\0\0\0gpt-2", b"\x05\0\0\0\0\0\0\0zzz-2"))
    facts = model_info(model)
    assert (not facts["runs"] and "--tokenizer" in facts["problems"][0]) or "tokenizer=" in facts["problems"][0]
    assert "kv_cache" in facts["memory"]


def test_refusals(wgpt, tmp_path):
    (tmp_path / "x.gguf").write_bytes(b"<html>")
    result = wgpt("info", str(tmp_path / "x.gguf"))
    assert result.exit_code == 1 and "no: " in result.stdout
    for args, message in ((("info", "nothing"), "unknown model"), (("info", str(tmp_path), "--brief"), "about GPUs")):
        result = wgpt(*args)
        assert result.exit_code == 2 and message in result.stderr
