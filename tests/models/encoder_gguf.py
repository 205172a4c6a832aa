"""Writes a tiny encoder as the GGUF file that llama.cpp's converter would make of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import numpy as np

from wgpt.models.reference import Config, Weights

ARCHITECTURES = {
    **dict.fromkeys(("bert", "roberta", "xlm-roberta"), gguf.MODEL_ARCH.BERT),
    "nomic_bert": gguf.MODEL_ARCH.NOMIC_BERT,
    "modernbert": gguf.MODEL_ARCH.MODERN_BERT,
}


def write_gguf(path: Path, config: Config, weights: Weights, **metadata: Any) -> None:
    """In f32, without a tokenizer."""
    arch = ARCHITECTURES[config["model_type"]]
    names = gguf.get_tensor_name_map(arch, config["num_hidden_layers"])
    writer = gguf.GGUFWriter(path, gguf.MODEL_ARCH_NAMES[arch])
    offset = config["pad_token_id"] + 1 if "roberta" in config["model_type"] else 0
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"] - offset)
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_layer_norm_eps(config.get("layer_norm_eps") or config["norm_eps"])
    writer.add_causal_attention(False)
    if config["model_type"] == "nomic_bert":
        writer.add_rope_freq_base(config["rope_parameters"]["rope_theta"])
    if config["model_type"] == "modernbert":
        thetas = config["rope_parameters"]
        writer.add_rope_freq_base(thetas["full_attention"]["rope_theta"])
        writer.add_float32("modern-bert.rope.freq_base_swa", thetas["sliding_attention"]["rope_theta"])
        writer.add_sliding_window(config["local_attention"])
        writer.add_sliding_window_pattern([kind == "sliding_attention" for kind in config["layer_types"]])
    for key, value in metadata.items():
        writer.add_uint32(f"{gguf.MODEL_ARCH_NAMES[arch]}.{key}", value)
    for hf_name, values in weights.items():
        bare = hf_name
        for prefix in ("bert.", "roberta.", "model."):
            bare = bare.removeprefix(prefix)
        if bare.startswith("pooler."):  # the converter leaves it out
            continue
        if config["model_type"] == "modernbert":
            bare = bare.replace("classifier.", "classifier.out_proj.")
        name = names.get_name(bare, try_suffixes=(".weight", ".bias"))
        assert name is not None, hf_name
        if bare.startswith("embeddings.position_embeddings"):
            values = values[offset:]
        writer.add_tensor(name, np.ascontiguousarray(values, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
