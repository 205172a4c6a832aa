"""Every weight type on the GPU, alone and mixed within a layer, against the gguf package's own dequantisation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import gguf
import numpy as np
import pytest

from wgpt.formats import open_checkpoint
from wgpt.gpu import GpuDevice
from wgpt.models.network import Network
from wgpt.models.reference import Array, Config, Weights
from wgpt.quant.weights import pack, unpack, weight_type

from . import golden, made_up
from .compare import TOLERANCE, error_of_decoding, error_of_prefill
from .gguf_maker import KINDS, LESS_USUAL, write_gguf

pytestmark = pytest.mark.gpu
QUICK = ("f16", "q4_0", "q4_k")  # a kind each; the products of all types are tried in contracts/test_quick.py
IDS = np.random.default_rng(7).integers(0, 320, 19).tolist()
# One size for all, as kernels are compiled for it: rows of whole K-quant blocks.
SIZES = {"hidden": 256, "layers": 1, "heads": 4, "kv_heads": 2, "ffn": 512}
LLAMA, QWEN2 = made_up.llama_like("llama", **SIZES), made_up.llama_like("qwen2", **SIZES)


@contextmanager
def resident(device: GpuDevice, path: Path, dtype: str | None = None) -> Iterator[Network]:
    with open_checkpoint(path) as checkpoint:
        network = Network.load(device, checkpoint, dtype)
    yield network
    network.release()


def check(network: Network, config: Config, truth: Weights) -> None:
    """Many rows at once, and one at a time."""
    assert error_of_prefill(network, config, truth, IDS) < TOLERANCE
    assert error_of_decoding(network, config, truth, IDS[:3]) < TOLERANCE


def converted(values: Array, kind: str) -> Array:
    """What the gguf package makes of a matrix in a type."""
    qtype = gguf.GGMLQuantizationType[kind.upper()]
    return gguf.quants.dequantize(gguf.quants.quantize(values, qtype), qtype).reshape(values.shape)


@pytest.mark.parametrize(
    "kind",
    [
        *(kind if kind in QUICK else pytest.param(kind, marks=pytest.mark.full) for kind in KINDS),
        *(pytest.param(kind, marks=pytest.mark.full) for kind in LESS_USUAL),
    ],
)
def test_each_type(device: GpuDevice, tmp_path: Path, kind: str) -> None:
    truth = write_gguf(tmp_path / "model.gguf", LLAMA, made_up.random_weights(LLAMA, seed=21), kind)
    with resident(device, tmp_path / "model.gguf") as network:
        check(network, LLAMA, truth)
        matrices = sum(w.size for w in truth.values() if w.ndim == 2)
        block, nbytes = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[kind.upper()]]
        stored = matrices // block * nbytes
        grids = 4 * weight_type(kind).head.size * sum(w.ndim == 2 for w in truth.values())
        assert stored <= network.nbytes < 1.1 * stored + grids, "blocks stay in their own bits"


def test_types_of_q4_k_m(device: GpuDevice, tmp_path: Path) -> None:
    """v and down have more bits than the rest, the table others still."""
    kinds = {"attn_v": "q6_k", "ffn_down": "q6_k", "token_embd": "q5_k"}
    truth = write_gguf(tmp_path / "model.gguf", LLAMA, made_up.random_weights(LLAMA, seed=22), "q4_k", **kinds)
    with resident(device, tmp_path / "model.gguf") as network:
        layer = network.family.layers[0]
        assert [part.weight.type.name for part in layer.qkv.parts] == ["q4_k", "q6_k"]
        check(network, LLAMA, truth)


def test_types_mixed_in_every_projection(device: GpuDevice, tmp_path: Path) -> None:
    """q, k and v apart from each other, each with its bias; gate and up too."""
    kinds = {"attn_k": "q8_0", "ffn_up": "f16", "token_embd": "q4_1"}
    truth = write_gguf(tmp_path / "model.gguf", QWEN2, made_up.random_weights(QWEN2, seed=23), "q4_0", **kinds)
    with resident(device, tmp_path / "model.gguf") as network:
        layer = network.family.layers[0]
        assert [part.weight.type.name for part in layer.qkv.parts] == ["q4_0", "q8_0", "q4_0"]
        assert [part.weight.type.name for part in layer.ffn.gate_up.parts] == ["q4_0", "f16"]
        check(network, QWEN2, truth)


@pytest.mark.parametrize("dtype", ["f16", "bf16", "q8_0", "q4_1"])
def test_converted_on_load(device: GpuDevice, tmp_path: Path, dtype: str) -> None:
    """`dtype` takes every matrix, the table too, and no vector."""
    weights = write_gguf(tmp_path / "model.gguf", LLAMA, made_up.random_weights(LLAMA, seed=25))
    truth = {name: converted(w, dtype) if w.ndim == 2 else w for name, w in weights.items()}
    with resident(device, tmp_path / "model.gguf", dtype) as network:
        assert {part.weight.type.name for part in network.family.layers[0].qkv.parts} == {dtype}
        check(network, LLAMA, truth)


def test_converted_from_one_block_type_to_another(device: GpuDevice, tmp_path: Path) -> None:
    """q, k and v come in two types and are one matrix afterwards."""
    kinds = {"attn_v": "q4_1", "ffn": "f16"}
    weights = write_gguf(tmp_path / "model.gguf", LLAMA, made_up.random_weights(LLAMA, seed=26), "q4_0", **kinds)
    truth = {name: converted(w, "q8_0") if w.ndim == 2 else w for name, w in weights.items()}
    with resident(device, tmp_path / "model.gguf", "q8_0") as network:
        assert len(network.family.layers[0].qkv.parts) == 1
        check(network, LLAMA, truth)


def test_converted_from_rows_that_are_no_whole_blocks(device: GpuDevice) -> None:
    """Of 48 weights, in blocks of 32; and from GPT-2's transposed matrices, with biases and GELU."""
    model = golden.load("gpt2")

    def held(name: str, matrix: Array) -> Array:
        turned = matrix.T if ".c_" in name else matrix
        unpacked = unpack(pack(np.ascontiguousarray(turned), "q8_0"))
        return unpacked.T if ".c_" in name else unpacked

    truth = {name: held(name, w) if w.ndim == 2 else w for name, w in model.weights.items()}
    with resident(device, model.folder, "q8_0") as network:
        check(network, model.config, truth)
