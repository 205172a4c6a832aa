"""A GGUF file of a model's sizes with random weights, for llama.cpp. Its tokens are made up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

TYPES = {"f16": ("F16", "F16"), "q4_1 + q8_0": ("Q4_1", "Q8_0")}  # types of the matrices and of the embedding table
_PATTERN = 1 << 16  # blocks of random weights that repeat
_DEVIATION = 0.02


def write(path: Path, sizes: dict[str, Any], kind: str) -> None:
    """`sizes` as wgpt's presets have them; `kind` a key of TYPES."""
    writer = gguf.GGUFWriter(path, sizes["family"])
    _describe(writer, sizes)
    weights = _Weights(writer)
    matrix, table = TYPES[kind]
    hidden, ffn = sizes["hidden"], sizes["ffn"]
    queries, keys = sizes["heads"] * sizes["head_dim"], sizes["kv_heads"] * sizes["head_dim"]
    weights.matrix("token_embd", table, sizes["vocab"], hidden)
    weights.vector("output_norm.weight", hidden)
    if not sizes["tied"]:
        weights.matrix("output", table, sizes["vocab"], hidden)
    for i in range(sizes["layers"]):
        for name, rows in (("attn_q", queries), ("attn_k", keys), ("attn_v", keys)):
            weights.matrix(f"blk.{i}.{name}", matrix, rows, hidden)
            if sizes["qkv_bias"]:
                weights.vector(f"blk.{i}.{name}.bias", rows)
        weights.matrix(f"blk.{i}.attn_output", matrix, hidden, queries)
        weights.matrix(f"blk.{i}.ffn_gate", matrix, ffn, hidden)
        weights.matrix(f"blk.{i}.ffn_up", matrix, ffn, hidden)
        weights.matrix(f"blk.{i}.ffn_down", matrix, hidden, ffn)
        weights.vector(f"blk.{i}.attn_norm.weight", hidden)
        weights.vector(f"blk.{i}.ffn_norm.weight", hidden)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _describe(writer: Any, sizes: dict[str, Any]) -> None:
    writer.add_context_length(sizes["context"])
    writer.add_embedding_length(sizes["hidden"])
    writer.add_block_count(sizes["layers"])
    writer.add_feed_forward_length(sizes["ffn"])
    writer.add_head_count(sizes["heads"])
    writer.add_head_count_kv(sizes["kv_heads"])
    writer.add_rope_dimension_count(sizes["head_dim"])
    writer.add_rope_freq_base(sizes["theta"])
    writer.add_layer_norm_rms_eps(sizes["eps"])
    writer.add_vocab_size(sizes["vocab"])
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(["a", "b", "ab", *(f"t{i}" for i in range(3, sizes["vocab"]))])
    writer.add_token_types([gguf.TokenType.NORMAL] * sizes["vocab"])
    writer.add_token_merges(["a b"])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(0)


class _Weights:
    """Random blocks, made once for each type and repeated: making them all takes minutes."""

    def __init__(self, writer: Any) -> None:
        self._writer, self._rng = writer, np.random.default_rng(0)
        self._patterns: dict[str, NDArray[Any]] = {}

    def vector(self, name: str, n: int) -> None:
        mean = 0 if name.endswith("bias") else 1
        self._writer.add_tensor(name, (mean + _DEVIATION * self._rng.standard_normal(n)).astype(np.float32))

    def matrix(self, name: str, kind: str, rows: int, columns: int) -> None:
        quantised = gguf.GGMLQuantizationType[kind]
        per_block, block_bytes = gguf.GGML_QUANT_SIZES[quantised]
        if columns % per_block:
            raise ValueError(f"{name} has rows of {columns}, no multiple of {kind}'s blocks of {per_block}")
        if kind not in self._patterns:
            values = self._rng.standard_normal(_PATTERN * 32).astype(np.float32) * np.float32(_DEVIATION)
            self._patterns[kind] = gguf.quants.quantize(values, quantised).view(np.uint8).reshape(-1)
        blocks = np.resize(self._patterns[kind], rows * columns // per_block * block_bytes).reshape(rows, -1)
        self._writer.add_tensor(f"{name}.weight", blocks, raw_dtype=quantised)
