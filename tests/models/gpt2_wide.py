"""GPT-2 at its real width, with two of its layers: weights from a seed, and what transformers computes from them.

The weights (212 MB) are not stored: they are raw bits of a counter-based generator, whose stream NumPy keeps stable
from release to release, turned into numbers by one exact multiplication.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from wgpt.models.reference import Array, Config, Weights

from . import made_up
from .golden import FOLDER
from .vocabulary import write_tokenizer

FILE = FOLDER / "gpt2-wide.npz"
CONFIG: Config = made_up.gpt2(hidden=768, layers=2, heads=12, positions=1024) | {
    "vocab_size": 50257,
    "bos_token_id": 50256,
    "eos_token_id": 50256,
}


@dataclass(frozen=True)
class Truth:
    """Of one prompt, in float64 rounded to f32."""

    ids: list[int]
    logsumexp: Array  # [tokens], of the logits
    argmax: list[int]  # [tokens]
    positions: list[int]  # whose logits are stored,
    columns: Array  # and for which token ids
    logits: Array  # [positions, columns]
    greedy: list[int]  # the likeliest tokens that follow
    checksum: int  # of the weights that it was computed from


def truth() -> Truth:
    with np.load(FILE) as saved:
        return Truth(
            ids=saved["ids"].tolist(),
            logsumexp=saved["logsumexp"],
            argmax=saved["argmax"].tolist(),
            positions=saved["positions"].tolist(),
            columns=saved["columns"],
            logits=saved["logits"],
            greedy=saved["greedy"].tolist(),
            checksum=int(saved["checksum"]),
        )


def weights() -> Weights:
    """f32 weights under their names in the hub's gpt2, which has no `transformer.` before them."""
    shapes = made_up.gpt2_shapes(CONFIG)
    return {
        name.removeprefix("transformer."): _drawn(key, name, shape) for key, (name, shape) in enumerate(shapes.items())
    }


def _drawn(key: int, name: str, shape: tuple[int, ...]) -> Array:
    """Uniform, with the spread of made_up.random_weights."""
    count = int(np.prod(shape))
    bits = np.random.Philox(key=key).random_raw(-(-count // 4)).astype("<u8")
    uniform = bits.view("<i2")[:count].reshape(shape).astype(np.float32) * np.float32(2**-15)  # in [-1, 1), exact
    if name.endswith("bias"):
        return np.float32(0.5) * uniform
    if len(shape) == 1:
        return 1 + np.float32(0.5) * uniform
    if "wte" in name or "wpe" in name:
        return np.float32(0.1875) * uniform
    gain = 2.5 if "c_attn" in name else 1.75
    return np.float32(gain / shape[0] ** 0.5) * uniform


def checksum(tensors: Weights) -> int:
    crc = 0
    for tensor in tensors.values():
        crc = zlib.crc32(tensor.data, crc)
    return crc


def write_folder(folder: Path, tensors: Weights) -> None:
    """As the hub's gpt2 is, each layer's causal mask included."""
    mask = np.tri(CONFIG["n_positions"], dtype=np.float32)[None, None]
    masks = {f"h.{i}.attn.bias": mask.copy() for i in range(CONFIG["n_layer"])}
    save_file(tensors | masks, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(CONFIG, indent=2) + "\n", encoding="utf-8")
    write_tokenizer(folder)
