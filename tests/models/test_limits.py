"""Tensors larger than one binding are split into parts, with the same results."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from wgpt.formats import open_checkpoint
from wgpt.gpu import AllocationError, GpuDevice, Tensor
from wgpt.models.network import Network
from wgpt.models.reference import Config
from wgpt.ops.resident import Linear

from . import made_up
from .compare import TOLERANCE, error_of_decoding, error_of_prefill
from .gguf_maker import write_gguf
from .vocabulary import write_tokenizer

pytestmark = pytest.mark.gpu
BINDING = "max-storage-buffer-binding-size"
IDS = np.random.default_rng(8).integers(0, 320, 19).tolist()
BYTES = {"f32": 4, "f16": 2, "q4_0": 0.5}  # of a weight
SIZES = {"hidden": 96, "layers": 2, "heads": 6, "kv_heads": 2, "ffn": 128}
MODELS: dict[str, Config] = {
    "llama": made_up.llama_like("llama", **SIZES),
    "untied": made_up.llama_like("llama", **SIZES, tied=False),
    "qwen2": made_up.llama_like("qwen2", **SIZES),
    "gpt2": made_up.gpt2(hidden=96, layers=2, heads=6) | {"n_inner": 128},
}


@pytest.fixture
def narrow(device: GpuDevice, monkeypatch: pytest.MonkeyPatch) -> Iterator[GpuDevice]:
    """A small binding limit while a model is loaded; bindings of a forward pass may be larger."""
    monkeypatch.setitem(device.limits, BINDING, device.limits[BINDING])
    yield device


def load(device: GpuDevice, path: Path, limit: int) -> Network:
    whole, device.limits[BINDING] = device.limits[BINDING], limit
    with open_checkpoint(path) as checkpoint:
        network = Network.load(device, checkpoint)
    device.limits[BINDING] = whole
    return network


def linears(network: Network) -> dict[str, Linear]:
    """By name; those of the last layer stand for all of them."""
    members = {**vars(network.family), **vars(network.family.layers[-1])}
    return {name: value for name, value in members.items() if isinstance(value, Linear)}


def bound(network: Network) -> Iterator[Tensor]:
    for linear in linears(network).values():
        for part in linear.parts:
            yield from part.weight.planes.values()


@pytest.mark.full
@pytest.mark.parametrize("kind, name", [*(("f32", name) for name in MODELS), ("f16", "llama"), ("q4_0", "qwen2")])
def test_every_matrix_in_parts(narrow: GpuDevice, tmp_path: Path, kind: str, name: str) -> None:
    """Tables, projections with biases and residuals, SwiGLU and the head: parts of 64 rows, the last ones ragged."""
    config, limit = MODELS[name], int(64 * 128 * BYTES[kind])  # 64 rows of the widest matrix are the least of a part
    truth = write_gguf(tmp_path / "model.gguf", config, made_up.random_weights(config, seed=31), kind)
    network = load(narrow, tmp_path / "model.gguf", limit)
    assert all(len(linear.parts) > 1 for linear in linears(network).values())
    assert all(tensor.nbytes <= limit for tensor in bound(network))
    assert error_of_prefill(network, config, truth, IDS) < TOLERANCE
    assert error_of_decoding(network, config, truth, IDS[:3]) < TOLERANCE
    network.release()


def test_the_least_that_can_be_bound_is_named(narrow: GpuDevice, tmp_path: Path) -> None:
    config = MODELS["llama"]
    write_gguf(tmp_path / "model.gguf", config, made_up.random_weights(config, seed=32))
    before = narrow.buffers_in_use
    with pytest.raises(AllocationError, match=r"64 rows of 96 f32 weights exceed the 16\.0 KiB that one binding holds"):
        load(narrow, tmp_path / "model.gguf", 16384)
    assert narrow.buffers_in_use == before


@pytest.mark.slow
def test_a_table_that_really_exceeds_a_binding(device: GpuDevice, tmp_path: Path) -> None:
    """Every GPU binds 128 MiB, and software ones no more; on others this is one part."""
    vocab = max(60_000, device.limits[BINDING] // (4 * 576) + 200) if device.software else 60_000
    config = made_up.llama_like("llama", hidden=576, layers=1, heads=9, kv_heads=3, ffn=128) | {"vocab_size": vocab}
    weights = made_up.random_weights(config, seed=33)
    write_tokenizer(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(config))
    save_file(weights, tmp_path / "model.safetensors")
    with open_checkpoint(tmp_path) as checkpoint:
        network = Network.load(device, checkpoint)
    assert len(linears(network)["embedding"].parts) > device.software
    ids = np.random.default_rng(9).integers(0, vocab, 15).tolist()
    prompt = [*ids, vocab - 1]
    assert error_of_prefill(network, config, weights, prompt) < TOLERANCE
    assert error_of_decoding(network, config, weights, [vocab - 1], 2) < TOLERANCE
    network.release()
