"""Quantised experts in Hugging Face folders: gpt-oss as it is published (MXFP4), and experts in FP8."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from wgpt import load
from wgpt.formats import FormatError, open_checkpoint
from wgpt.formats.family import model_types
from wgpt.gpu import GpuDevice
from wgpt.models.tiny_models import random_weights, write_folder
from wgpt.quant.repack import E4M3
from wgpt.quant.weights import from_gguf_blocks, unpack

from .compare import TOLERANCE, error
from .vocabulary import SIZE, write_tokenizer

FP4 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])
SIZES = {"hidden_size": 64, "intermediate_size": 96, "head_dim": 16, "vocab_size": SIZE}
IDS = np.random.default_rng(0).integers(0, 64, 33).tolist()


def folders(tmp_path: Path) -> tuple[Path, Path]:
    """The same gpt-oss twice: with its experts in MXFP4, as published, and in f32."""
    rng, config = np.random.default_rng(5), {**model_types()["gpt_oss"].tiny, **SIZES}
    plain = tmp_path / "plain"
    plain.mkdir()
    write_folder(plain, config, random_weights(config, 3))
    write_tokenizer(plain)
    weights = load_file(plain / "model.safetensors")
    quantised = dict(weights)
    for name in [name for name in weights if name.endswith(("experts.gate_up_proj", "experts.down_proj"))]:
        experts, k, n = weights[name].shape
        blocks = rng.integers(0, 256, (experts, n, k // 32, 16)).astype(np.uint8)
        scales = rng.integers(121, 124, (experts, n, k // 32)).astype(np.uint8)
        codes = np.stack([blocks & 15, blocks >> 4], axis=-1).reshape(experts, n, k // 32, 32)
        values = FP4[codes] * 2.0 ** (scales[..., None].astype(np.float64) - 127)
        weights[name] = np.ascontiguousarray(values.reshape(experts, n, k).swapaxes(1, 2)).astype(np.float32)
        del quantised[name]
        quantised |= {f"{name}_blocks": blocks, f"{name}_scales": scales}
    save_file(weights, plain / "model.safetensors")
    packed = tmp_path / "packed"
    packed.mkdir()
    for file in plain.iterdir():
        (packed / file.name).write_bytes(file.read_bytes())
    save_file(quantised, packed / "model.safetensors")
    settings = {"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn", "lm_head"]}
    change_config(packed, quantization_config=settings)
    return packed, plain


def change_config(folder: Path, **keys: Any) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **keys}))


def test_the_experts_are_kept_in_four_bits(tmp_path: Path) -> None:
    packed, plain = folders(tmp_path)
    with open_checkpoint(packed) as ours, open_checkpoint(plain) as theirs:
        assert ours.quantisation == "MXFP4"
        experts = [name for name, stored in ours.tensors.items() if stored.type == "mxfp4"]
        assert len(experts) == 2 * 3
        for name in experts:
            stored, truth = ours.tensors[name], theirs.tensors[name]
            rows = stored.rows(0, stored.shape[0])
            assert rows.shape == (stored.shape[0], stored.shape[1] // 32 * 17)
            np.testing.assert_array_equal(stored.rows(70, 101), rows[70:101])  # of two experts
            values = unpack(from_gguf_blocks(rows, "mxfp4", *stored.shape))
            np.testing.assert_array_equal(values, truth.rows(0, truth.shape[0]))


@pytest.mark.gpu
@pytest.mark.full
def test_logits(tmp_path: Path, device: GpuDevice) -> None:
    packed, plain = folders(tmp_path)
    with load(packed, cache="f32", device=device) as ours, load(plain, cache="f32", device=device) as theirs:
        assert error(ours.logits(IDS), theirs.logits(IDS)) < TOLERANCE
        options = {"max_tokens": 8, "ignore_eos": True}
        assert ours.generate("The sea", **options).ids == theirs.generate("The sea", **options).ids


@pytest.mark.parametrize("damage", ["missing scales", "another shape", "an unknown setting"])
def test_damaged_folders_are_refused(tmp_path: Path, damage: str) -> None:
    packed, _ = folders(tmp_path)
    weights = load_file(packed / "model.safetensors")
    name = "model.layers.0.mlp.experts.down_proj_scales"
    if damage == "missing scales":
        del weights[name]
    elif damage == "another shape":
        weights[name] = weights[name][:, 1:]
    else:
        change_config(packed, quantization_config={"quant_method": "mxfp4", "group": 16})
    save_file({key: np.ascontiguousarray(values) for key, values in weights.items()}, packed / "model.safetensors")
    expected = {"missing scales": f"{name}' is missing", "another shape": r"not u8 \[6, 64, 3\]"}
    with pytest.raises(FormatError, match=expected.get(damage, "unknown setting 'group'")):
        open_checkpoint(packed)


@pytest.mark.gpu
def test_experts_in_fp8(tmp_path: Path, device: GpuDevice) -> None:
    """As Qwen3-30B-A3B-FP8 has them: every expert's matrix with its own scales."""
    rng, config = np.random.default_rng(6), {**model_types()["qwen3_moe"].tiny, "vocab_size": SIZE}
    plain, packed = tmp_path / "plain", tmp_path / "packed"
    plain.mkdir()
    write_folder(plain, config, random_weights(config, 4))
    write_tokenizer(plain)
    weights = load_file(plain / "model.safetensors")
    quantised: dict[str, np.ndarray] = dict(weights)
    for name in [name for name in weights if ".experts." in name]:
        n, k = weights[name].shape
        codes = rng.choice(np.flatnonzero(np.isfinite(E4M3)), (n, k)).astype(np.uint8)
        scale = np.ldexp(rng.integers(1, 4, (-(-n // 16), -(-k // 16))).astype(np.float32), -11)
        quantised |= {name: codes, f"{name}_scale_inv": scale}
        each = np.repeat(np.repeat(scale, 16, axis=0), 16, axis=1)[:n, :k]
        weights[name] = (E4M3[codes] * each).astype(np.float32)
    save_file(weights, plain / "model.safetensors")
    packed.mkdir()
    for file in plain.iterdir():
        (packed / file.name).write_bytes(file.read_bytes())
    write_fp8(quantised, packed / "model.safetensors")
    change_config(packed, quantization_config={"quant_method": "fp8", "weight_block_size": [16, 16]})
    with (
        pytest.warns(UserWarning, match="FP8"),
        load(packed, cache="f32", device=device) as ours,
        load(plain, cache="f32", device=device) as theirs,
    ):
        # Of the product of three and of two bits nothing is lost in bf16.
        assert error(ours.logits(IDS), theirs.logits(IDS)) < TOLERANCE


def write_fp8(tensors: dict[str, np.ndarray], path: Path) -> None:
    """safetensors' NumPy has no FP8: bytes are named so in the header."""
    save_file(tensors, path)
    raw = path.read_bytes()
    size = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + size])
    for name, entry in header.items():
        if tensors[name].dtype == np.uint8:
            entry["dtype"] = "F8_E4M3"
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + raw[8 + size :])
