"""Quantised Hugging Face folders: values as the packages that wrote them have them, and the logits of those values."""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from wgpt import load
from wgpt.formats import FormatError, open_checkpoint
from wgpt.formats.hf_quantised.method import scheme_of
from wgpt.formats.mapped import Mapped
from wgpt.formats.safetensors_scan import scan
from wgpt.formats.safetensors_write import write_stream
from wgpt.gpu import GpuDevice
from wgpt.gpu.dtypes import from_bf16
from wgpt.models import reference
from wgpt.quant.weights import from_gguf_blocks, unpack

from .compare import TOLERANCE, error

GOLDEN = Path(__file__).parents[1] / "golden" / "quantised"
LABELS = {
    "mlx4": "MLX, 4 bits in groups of 64",
    "mlx8": "MLX, 4 and 8 bits in groups of 64",
    "nf4": "bitsandbytes nf4",
    "nf4-double": "bitsandbytes nf4, double-quantised",
    "fp8": "FP8 (e4m3) in blocks of 48 x 40, read as bf16",
    "compressed": "compressed-tensors, 4 bits in groups of 64",
    "compressed-zeros": "compressed-tensors, 4 bits in groups of whole rows",
}
SIZES = {"hidden_size": 128, "intermediate_size": 256, "num_hidden_layers": 1, "num_attention_heads": 2}
CONFIG: dict[str, Any] = SIZES | {
    "model_type": "llama",
    "num_key_value_heads": 1,
    "vocab_size": 64,
    "max_position_embeddings": 32,
    "rms_norm_eps": 1e-6,
    "rope_theta": 10000.0,
    "tie_word_embeddings": False,
    "hidden_act": "silu",
}
IDS = [1, 5, 9, 33, 2, 60, 41, 17]


def with_tokenizer(folder: Path) -> Path:
    """A vocabulary of 64 characters."""
    vocab = {chr(0x21 + i): i for i in range(64)}
    described = {"version": "1.0", "added_tokens": [], "model": {"type": "BPE", "vocab": vocab, "merges": []}}
    (folder / "tokenizer.json").write_text(json.dumps(described))
    return folder


def values(folder: Path) -> dict[str, np.ndarray]:
    """All matrices and vectors as wgpt reads them, in float64."""
    with open_checkpoint(folder) as checkpoint:
        tensors = {}
        for name, stored in checkpoint.tensors.items():
            rows = stored.rows(0, stored.shape[0])
            if stored.quantised:
                tensors[name] = unpack(from_gguf_blocks(rows, stored.type, *stored.shape))
            else:
                tensors[name] = (from_bf16(rows) if rows.dtype == np.uint16 else rows).astype(np.float64)
            middle = stored.shape[0] // 3  # rows from anywhere, not only from the first on
            np.testing.assert_array_equal(stored.rows(middle, stored.shape[0]), rows[middle:])
        return tensors


# What the packages themselves wrote -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", LABELS)
def test_values_of_the_packages(name: str) -> None:
    expected, tensors = np.load(GOLDEN / name / "expected.npz"), values(GOLDEN / name)
    matrices = [key for key in expected.files if key.endswith(".weight")]
    assert len(matrices) == {"mlx4": 9, "mlx8": 8}.get(name, 7)
    for key in matrices:
        rows = tensors[key][[0, 5, len(tensors[key]) - 1]]
        # The packages compute in f32: a product and a sum may be rounded.
        np.testing.assert_allclose(rows, expected[key], rtol=2.0**-22, atol=2.0**-24 * np.abs(expected[key]).max())


@pytest.mark.gpu
@pytest.mark.parametrize("name", LABELS)
def test_logits_of_the_packages(name: str, device: GpuDevice, tmp_path: Path) -> None:
    folder = with_tokenizer(Path(shutil.copytree(GOLDEN / name, tmp_path / name)))
    expected = np.load(folder / "expected.npz")
    with (
        warnings.catch_warnings(record=True) as messages,
        load(folder, cache="f32", context=32, device=device) as model,
    ):
        assert error(model.logits(expected["ids"].tolist()), expected["logits"]) < TOLERANCE
    # Only what takes more memory than in the file is said.
    said = [str(message.message) for message in messages if "GPU memory" in str(message.message)]
    assert len(said) == (name == "fp8") and all(line.startswith(LABELS["fp8"]) for line in said)


@pytest.mark.parametrize("name", LABELS)
def test_their_names(name: str) -> None:
    with open_checkpoint(GOLDEN / name) as checkpoint:
        assert checkpoint.quantisation == LABELS[name]


# Files that no package here can write: packed weight by weight, as their documentation says ------------------------


def matrices(rng: np.random.Generator) -> dict[str, np.ndarray]:
    layer, attention = "model.layers.0.", {"q": (128, 128), "k": (64, 128), "v": (64, 128), "o": (128, 128)}
    shapes = {f"{layer}self_attn.{name}_proj": shape for name, shape in attention.items()}
    shapes |= {f"{layer}mlp.{name}_proj": (256, 128) for name in ("gate", "up")} | {f"{layer}mlp.down_proj": (128, 256)}
    return {name: (rng.standard_normal(shape) * 0.1).astype(np.float32) for name, shape in shapes.items()}


def plain(rng: np.random.Generator) -> dict[str, np.ndarray]:
    vectors = ("model.layers.0.input_layernorm", "model.layers.0.post_attention_layernorm", "model.norm")
    tensors = {f"{name}.weight": 1 + 0.1 * rng.standard_normal(128) for name in vectors}
    tensors |= {f"{name}.weight": 0.1 * rng.standard_normal((64, 128)) for name in ("model.embed_tokens", "lm_head")}
    return {name: value.astype(np.float32) for name, value in tensors.items()}


def signed(words: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(words.astype(np.uint32).view(np.int32))


def quantised(matrix: np.ndarray, group: int, bits: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Codes [N, K], scales (f16) and zero points [N, groups] of s (q - z)."""
    groups = matrix.reshape(len(matrix), -1, group)
    low, high = np.minimum(groups.min(2), 0), np.maximum(groups.max(2), 0)
    scales = ((high - low) / ((1 << bits) - 1)).astype(np.float16)
    zeros = np.rint(-low / scales.astype(np.float32)).clip(0, (1 << bits) - 1).astype(int)
    codes = np.rint(groups / scales[..., None].astype(np.float32)) + zeros[..., None]
    return codes.clip(0, (1 << bits) - 1).astype(int).reshape(matrix.shape), scales, zeros


def dequantised(codes: np.ndarray, scales: np.ndarray, zeros: np.ndarray) -> np.ndarray:
    each = codes.shape[1] // scales.shape[1]
    return np.repeat(scales.astype(np.float64), each, 1) * (codes - np.repeat(zeros, each, 1))


def packed(codes: np.ndarray, bits: int, order: tuple[int, ...] | None = None) -> np.ndarray:
    """[..., M] into words [..., M bits / 32], the first lowest, or place i of a word having `order`[i]."""
    per_word = 32 // bits
    words = np.zeros((*codes.shape[:-1], codes.shape[-1] // per_word), np.uint64)
    for i in range(per_word):
        at = i if order is None else order[i]
        words |= codes[..., at::per_word].astype(np.uint64) << np.uint64(bits * i)
    return words


def gptq(bits: int, group: int, less: int) -> Callable[[np.ndarray, str], tuple[dict[str, Any], np.ndarray]]:
    def make(matrix: np.ndarray, name: str) -> tuple[dict[str, Any], np.ndarray]:
        size = matrix.shape[1] if group == -1 else group
        codes, scales, zeros = quantised(matrix, size, bits)
        stored_zeros = (zeros - less) % (1 << bits)
        tensors = {
            f"{name}.qweight": signed(packed(codes, bits).T.copy()),
            f"{name}.qzeros": signed(packed(stored_zeros.T, bits)),
            f"{name}.scales": scales.T.copy(),
            f"{name}.g_idx": np.arange(matrix.shape[1], dtype=np.int32) // size,
        }
        return tensors, dequantised(codes, scales, zeros)

    return make


def awq(matrix: np.ndarray, name: str) -> tuple[dict[str, Any], np.ndarray]:
    codes, scales, zeros = quantised(matrix, 64, 4)
    order = (0, 2, 4, 6, 1, 3, 5, 7)  # AutoAWQ's order_map: place i of a word has this column
    tensors = {
        f"{name}.qweight": signed(packed(codes.T, 4, order)),
        f"{name}.qzeros": signed(packed(zeros.T, 4, order)),
        f"{name}.scales": scales.T.copy(),
    }
    return tensors, dequantised(codes, scales, zeros)


GPTQ = {"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": False, "sym": False}
AWQ = {"quant_method": "awq", "bits": 4, "group_size": 64, "zero_point": True, "version": "gemm"}
FP8 = {"quant_method": "fp8", "activation_scheme": "dynamic", "weight_block_size": [96, 80]}
MADE: dict[str, tuple[dict[str, Any], Any]] = {
    "gptq": (GPTQ, gptq(4, 128, 1)),
    "gptq-rows": (GPTQ | {"group_size": -1, "checkpoint_format": "gptq_v2"}, gptq(4, -1, 0)),
    "gptq8": (GPTQ | {"bits": 8, "group_size": 64}, gptq(8, 64, 1)),
    "gptq-32": (GPTQ | {"group_size": 32}, gptq(4, 32, 1)),
    "awq": (AWQ, awq),
}


def made(folder: Path, name: str) -> tuple[Path, dict[str, np.ndarray]]:
    """A folder, and the values that its tensors stand for."""
    settings, make = MADE[name]
    rng = np.random.default_rng(8)
    others = plain(rng)
    tensors: dict[str, Any] = dict(others)
    exact = {key: value.astype(np.float64) for key, value in others.items()}
    for module, matrix in matrices(rng).items():
        parts, exact[f"{module}.weight"] = make(matrix, module)
        tensors |= parts
    save_file(tensors, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(CONFIG | {"quantization_config": settings}))
    return with_tokenizer(folder), exact


@pytest.mark.parametrize("name", MADE)
def test_values_of_made_files(name: str, tmp_path: Path) -> None:
    folder, exact = made(tmp_path, name)
    tensors = values(folder)
    assert tensors.keys() == exact.keys()
    for key, value in exact.items():
        np.testing.assert_array_equal(tensors[key], value, err_msg=key)


@pytest.mark.gpu
@pytest.mark.parametrize("name", ["gptq", "gptq-32", "gptq8", "awq"])
def test_logits_of_made_files(name: str, device: GpuDevice, tmp_path: Path) -> None:
    folder, exact = made(tmp_path, name)
    expected = reference.logits(CONFIG, exact, IDS)
    with load(folder, cache="f32", context=32, device=device) as model:
        assert error(model.logits(IDS), expected) < TOLERANCE


# What is refused --------------------------------------------------------------------------------------------------

MLX = {"group_size": 64, "bits": 4}
NF4 = {"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "nf4"}
_WEIGHTS = {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 128, "symmetric": True}
COMPRESSED = {
    "quant_method": "compressed-tensors",
    "format": "pack-quantized",
    "config_groups": {"group_0": {"targets": ["Linear"], "weights": _WEIGHTS}},
}


def compressed(**weights: Any) -> dict[str, Any]:
    return COMPRESSED | {"config_groups": {"group_0": {"targets": ["Linear"], "weights": _WEIGHTS | weights}}}


@pytest.mark.parametrize("settings", [MLX, NF4, COMPRESSED, GPTQ, AWQ, FP8])
def test_settings_that_are_taken(settings: dict[str, Any]) -> None:
    assert scheme_of({"quantization_config": settings}, "config.json") is not None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"quant_method": "aqlm"}, "unsupported quantization_config 'aqlm'; supported: mlx, bitsandbytes, fp8, gptq"),
        ({"bits": 4}, "unsupported quantization_config None"),
        ("int4", "unsupported quantization_config 'int4'"),
        (MLX | {"bits": 3}, "of mlx: unsupported bits 3; supported: 4, 8"),
        (MLX | {"group_size": 16}, "unsupported group_size 16; supported: multiples of 32"),
        (MLX | {"mode": "mxfp4"}, "unsupported mode 'mxfp4'; supported: affine"),
        (MLX | {"model.layers.0.mlp.up_proj": {"bits": 6}}, "unsupported bits 6"),
        (MLX | {"surprise": 1}, "unknown setting 'surprise'"),
        (NF4 | {"bnb_4bit_quant_type": "fp4"}, "unsupported bnb_4bit_quant_type 'fp4'; supported: nf4"),
        (NF4 | {"load_in_8bit": True}, "unsupported load_in_8bit True; supported: false"),
        (GPTQ | {"desc_act": True}, "unsupported desc_act True; supported: false"),
        (GPTQ | {"bits": 3}, "unsupported bits 3; supported: 4, 8"),
        (GPTQ | {"checkpoint_format": "marlin"}, "unsupported checkpoint_format 'marlin'"),
        (GPTQ | {"dynamic": {"-:lm_head": {}}}, "unsupported dynamic an object with 1 keys"),
        (GPTQ | {"surprise": 1}, "of gptq: unknown setting 'surprise'"),
        (AWQ | {"version": "gemv"}, "unsupported version 'gemv'; supported: gemm"),
        (AWQ | {"zero_point": False}, "unsupported zero_point False; supported: true"),
        (FP8 | {"weight_block_size": None}, "unsupported weight_block_size None"),
        (FP8 | {"activation_scheme": "static"}, "unsupported activation_scheme 'static'; supported: dynamic"),
        (COMPRESSED | {"format": "float-quantized"}, "unsupported format 'float-quantized'; supported: pack-quantized"),
        (COMPRESSED | {"config_groups": {}}, "unsupported config_groups an object with 0 keys"),
        (compressed(num_bits=2), "unsupported num_bits 2; supported: 4, 8"),
        (compressed(actorder="group"), "unsupported actorder 'group'"),
        (compressed(type="float"), "unsupported type 'float'; supported: int"),
        (compressed(strategy="tensor"), "unsupported strategy 'tensor'; supported: group, channel"),
    ],
)
def test_settings_that_are_refused(settings: Any, message: str) -> None:
    with pytest.raises(FormatError, match=rf"^config\.json: .*{message}.*: use the unquantised model or a GGUF file$"):
        scheme_of({"quantization_config": settings}, "config.json")


def test_groups_in_order_of_activation_are_refused(tmp_path: Path) -> None:
    """Some files have them and do not say so."""
    folder, _ = made(tmp_path, "gptq")
    tensors = load_file(folder / "model.safetensors")
    name = "model.layers.0.mlp.down_proj.g_idx"
    tensors[name] = tensors[name][::-1].copy()
    save_file(tensors, folder / "model.safetensors")
    with pytest.raises(FormatError, match=rf"{name} orders the groups by activation \(desc_act\)"):
        open_checkpoint(folder)


@pytest.mark.parametrize(
    ("name", "part", "message"),
    [
        ("gptq", "model.layers.0.mlp.up_proj.scales", "up_proj.scales' is missing"),
        ("awq", "model.layers.0.mlp.up_proj.qzeros", "up_proj.qzeros' is missing"),
    ],
)
def test_a_missing_part_is_named(name: str, part: str, message: str, tmp_path: Path) -> None:
    folder, _ = made(tmp_path, name)
    tensors = load_file(folder / "model.safetensors")
    shape = list(tensors[part].shape)
    save_file(tensors | {part: np.zeros((3, 3), np.float32)}, folder / "model.safetensors")
    with pytest.raises(FormatError, match=r"is f32 \[3, 3\], not .*" + str(shape[0])):
        open_checkpoint(folder)
    del tensors[part]
    save_file(tensors, folder / "model.safetensors")
    with pytest.raises(FormatError, match=message):
        open_checkpoint(folder)


@pytest.mark.gpu
def test_a_head_that_is_the_quantised_embedding(device: GpuDevice, tmp_path: Path) -> None:
    """As most small MLX models have it."""
    folder = with_tokenizer(Path(shutil.copytree(GOLDEN / "mlx4", tmp_path / "tied")))
    exact = values(folder)
    file = Mapped(folder / "model.safetensors")
    entries = {name: entry for name, entry in scan(file).items() if not name.startswith("lm_head")}
    layout = {name: (entry.type.upper(), entry.shape) for name, entry in entries.items()}
    pieces = [file.data[entry.offset : entry.offset + entry.nbytes].copy() for entry in entries.values()]
    file.close()
    with (folder / "model.safetensors").open("wb") as out:
        write_stream(out, layout, iter(pieces))
    config = json.loads((folder / "config.json").read_text()) | {"tie_word_embeddings": True}
    (folder / "config.json").write_text(json.dumps(config))
    expected = reference.logits(config, {n: v for n, v in exact.items() if n != "lm_head.weight"}, IDS)
    with load(folder, cache="f32", context=32, device=device) as model:
        assert error(model.logits(IDS), expected) < TOLERANCE


@pytest.mark.gpu
@pytest.mark.full
def test_fine_tuning_on_quantised_weights(device: GpuDevice, tmp_path: Path) -> None:
    """The gradient's way back reads the new types as well."""
    folder = with_tokenizer(Path(shutil.copytree(GOLDEN / "mlx8", tmp_path / "mlx8")))
    with load(folder, context=32, device=device) as model:
        text = "ABCDEFGH" * 2
        before = model.perplexity(text)
        model.attach(model.finetune([{"text": text}] * 4, steps=30, rank=4, lr=2e-2, seed=1, hold_out=0))
        assert model.perplexity(text) < 0.8 * before
