"""NaN and Inf among a file's weights are refused when they are loaded, with the tensor's name."""

from __future__ import annotations

import gc
import json
import re
import warnings
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
from safetensors.numpy import save_file

from wgpt.formats import FormatError, open_checkpoint
from wgpt.gpu import GpuDevice
from wgpt.kernels.weighted import planes
from wgpt.models.network import Network
from wgpt.ops.linear import Weight
from wgpt.ops.nonfinite import find_nonfinite
from wgpt.ops.resident import Arena, empty_weight
from wgpt.quant.weights import TYPES, Packed, pack

from . import made_up
from .gguf_maker import KINDS, LESS_USUAL, write_gguf

pytestmark = pytest.mark.gpu
CONFIG = made_up.llama_like("qwen2", hidden=96, layers=2, heads=6, kv_heads=2, ffn=128)
GPT2 = made_up.gpt2(hidden=48, layers=2, heads=3)
VALUES = {"NaN": np.nan, "Inf": np.inf, "-Inf": -np.inf}


def save(folder: Path, config: dict[str, Any], weights: dict[str, Any]) -> Path:
    (folder / "config.json").write_text(json.dumps(config))
    save_file(weights, folder / "model.safetensors")
    return folder


def refusal(device: GpuDevice, path: Path, **options: Any) -> str:
    """The error message; the GPU's memory must be unchanged afterwards."""
    gc.collect()
    before = device.bytes_in_use - device.pool.free_bytes
    with open_checkpoint(path) as checkpoint, pytest.raises(FormatError) as refused:
        Network.load(device, checkpoint, **options)
    assert device.bytes_in_use - device.pool.free_bytes == before
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.full
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize(
    ("name", "at", "place"),
    [
        ("model.layers.1.mlp.up_proj.weight", (17, 95), "in row 17"),  # joined with gate_proj
        ("model.layers.0.self_attn.v_proj.weight", (31, 0), "in row 31"),  # the last of three that are joined
        ("model.layers.1.mlp.down_proj.weight", (95, 127), "in row 95"),
        ("model.embed_tokens.weight", (319, 95), "in row 319"),
        ("model.layers.1.self_attn.k_proj.bias", (31,), "at index 31"),
        ("model.layers.0.input_layernorm.weight", (0,), "at index 0"),
        ("model.norm.weight", (95,), "at index 95"),
    ],
)
def test_the_tensor_is_named(
    device: GpuDevice, tmp_path: Path, name: str, at: tuple[int, ...], place: str, value: str
) -> None:
    weights = made_up.random_weights(CONFIG, seed=41)
    weights[name][at] = VALUES[value]
    message = refusal(device, save(tmp_path, CONFIG, weights))
    label = value.removeprefix("-")
    assert message.startswith(f"{tmp_path}: tensor {name} contains {label} {place}: the file is damaged, or was")


@pytest.mark.parametrize("kind", ["f16", "bf16"])
def test_halves(device: GpuDevice, tmp_path: Path, kind: str) -> None:
    weights = made_up.random_weights(CONFIG, seed=42)
    weights["model.layers.1.self_attn.o_proj.weight"][5, 6] = np.nan
    write_gguf(tmp_path / "model.gguf", CONFIG, weights, kind)
    message = refusal(device, tmp_path / "model.gguf")
    assert "tensor model.layers.1.self_attn.o_proj.weight contains NaN in row 5:" in message


def test_gpt2_whose_matrices_are_transposed(device: GpuDevice, tmp_path: Path) -> None:
    weights = made_up.random_weights(GPT2, seed=43)
    weights["transformer.h.1.mlp.c_fc.weight"][3, 7] = np.inf
    assert "tensor h.1.mlp.c_fc.weight contains Inf in row 7:" in refusal(device, save(tmp_path, GPT2, weights))


@pytest.mark.full
@pytest.mark.parametrize(
    "kind",
    [
        *(kind for kind in KINDS if TYPES[kind].gguf_form),
        *(pytest.param(kind, marks=pytest.mark.full) for kind in LESS_USUAL),
    ],
)
def test_scales_of_blocks(device: GpuDevice, tmp_path: Path, kind: str) -> None:
    """Each half of a block in turn; all other bits may be anything."""
    form = TYPES[kind].gguf_form
    config = made_up.llama_like("qwen2", hidden=256, layers=2, heads=16, kv_heads=2, ffn=256)
    path = tmp_path / "model.gguf"
    write_gguf(path, config, made_up.random_weights(config, seed=44), kind)
    (tensor,) = (t for t in gguf.GGUFReader(path).tensors if t.name == "blk.1.ffn_down.weight")
    for field, value in zip(form.floats, (0xFC00, 0x7E00), strict=False):
        data = np.memmap(path, np.uint8, "r+", int(tensor.data_offset), (int(tensor.n_bytes),))
        blocks = data.view(form.record).reshape(256, -1)
        whole = blocks[field][201, -1]
        blocks[field].view(np.uint16)[201, -1] = value
        data.flush()
        label = "Inf" if value == 0xFC00 else "NaN"
        assert f"tensor model.layers.1.mlp.down_proj.weight contains {label} in row 201:" in refusal(device, path)
        blocks[field][201, -1] = whole
        data.flush()
    with open_checkpoint(path) as checkpoint:
        Network.load(device, checkpoint).release()


@pytest.mark.full
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("value", VALUES)
def test_a_conversion(device: GpuDevice, tmp_path: Path, dtype: str, value: str) -> None:
    weights = made_up.random_weights(CONFIG, seed=45)
    weights["model.layers.0.mlp.gate_proj.weight"][100, 50] = VALUES[value]
    save(tmp_path, CONFIG, weights)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # no warnings beside the one-line error
        message = refusal(device, tmp_path, dtype=dtype)
    label = value.removeprefix("-")
    assert message.startswith(f"{tmp_path}: tensor model.layers.0.mlp.gate_proj.weight contains {label} in row 100:")


@pytest.mark.parametrize(
    ("dtype", "largest", "reason"),
    [
        ("f16", 1e5, "gate_proj.weight cannot be converted: weights of up to 100000 do not fit f16"),
        ("q4_0", 1e30, "gate_proj.weight cannot be converted: weights of up to 1e+30 do not fit q4_0"),
        ("bf16", 3.4028235e38, "has numbers that are too large for bf16: choose another dtype, such as f32"),
    ],
)
def test_numbers_that_a_type_does_not_hold(
    device: GpuDevice, tmp_path: Path, dtype: str, largest: float, reason: str
) -> None:
    weights = made_up.random_weights(CONFIG, seed=46)
    weights["model.layers.0.mlp.gate_proj.weight"][3, 3] = largest
    message = refusal(device, save(tmp_path, CONFIG, weights), dtype=dtype)
    assert re.match(f"{re.escape(str(tmp_path))}: tensor model.layers.0.mlp.gate_proj.weight", message)
    assert reason in message


def test_the_largest_finite_numbers_are_loaded(device: GpuDevice, tmp_path: Path) -> None:
    weights = made_up.random_weights(CONFIG, seed=47)
    weights["model.layers.0.mlp.gate_proj.weight"][3] = 3.4e38
    weights["model.norm.weight"][:] = -3.4e38
    with open_checkpoint(save(tmp_path, CONFIG, weights)) as checkpoint:
        Network.load(device, checkpoint).release()


@pytest.mark.parametrize("limit", [None, 1 << 15, 1 << 14])
def test_weights_side_by_side(device: GpuDevice, monkeypatch: pytest.MonkeyPatch, limit: int | None) -> None:
    """Many of one type in one buffer are one dispatch, or several where they do not fit into one binding."""
    rng = np.random.default_rng(49)
    kinds = ["f16", "q4_1", "f16", "f16", "f32", "q4_1", "f16", "f32"]
    arena, weights = Arena(device), list[Weight]()
    arena.expect(1 << 20)
    for i, kind in enumerate(kinds):
        packed = pack(rng.standard_normal((50 + i, 67)), kind)
        weights.append(empty_weight(arena, packed.type, packed.n, packed.k, kind))
        for name, words in planes(packed).items():
            device.write(weights[-1].planes[name], words.reshape(-1))
    if limit is not None:
        monkeypatch.setitem(device.limits, "max-storage-buffer-binding-size", limit)
    assert find_nonfinite(device, weights) == []
    for i in (5, 3, 7):
        plane = weights[i].planes[weights[i].type.float_plane]
        bad = 0x7F800000 if kinds[i] == "f32" else 0x7C00
        device.write(plane.window(plane.size - 1, 1), np.array([bad], np.uint32))
    assert find_nonfinite(device, weights) == [3, 5, 7]
    arena.release()


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_on_the_gpu(device: GpuDevice, kind: str) -> None:
    """A packed matrix is finite, and is not once any one of its numbers is set to a non-finite value."""
    rng = np.random.default_rng(48)
    good = pack(rng.standard_normal((70, 300)), kind)
    floats, plane = good.type.floats, good.type.float_plane
    words = good.s if plane == "s" else good.w
    numbers = [i for i in range(words.size) if 0 <= i % floats.period - floats.first < floats.count]
    bad = {"f32": [0x7F800000], "f16": [0x7C00, 0x7C000000], "bf16": [0x7F80, 0x7F800000], "f16_low": [0x7C00]}[
        floats.kind
    ]
    weights = [Weight.upload(device, good)]
    if not numbers:  # any bits are finite
        assert kind == "mxfp4" and find_nonfinite(device, weights) == []
        weights[0].release()
        return
    # The last half of a plane of scales may be padding.
    for i, value in [*((numbers[0], v) for v in bad), (numbers[len(numbers) // 2], bad[-1]), (numbers[-1], bad[0])]:
        changed = {"w": good.w.copy(), "s": good.s.copy()}
        changed[plane].reshape(-1)[i] = value
        weights.append(Weight.upload(device, Packed(good.type, good.n, good.k, changed["w"], changed["s"])))
    weights.append(Weight.upload(device, good))
    assert find_nonfinite(device, weights) == list(range(1, len(weights) - 1))
    assert find_nonfinite(device, []) == []
    for weight in weights:
        weight.release()
