"""A config.json for a model that came without one, as transformers reads it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from .errors import FormatError

_ARCHITECTURES = {"llama": "Llama", "mistral": "Mistral", "qwen2": "Qwen2", "qwen3": "Qwen3", "gpt2": "GPT2"}
TORCH_NAMES = {"f32": "float32", "f16": "float16", "bf16": "bfloat16"}
# GGUF files keep llama3's scaling only as its effect. These are the scalings that models were published with.
_LLAMA3 = [
    {"rope_type": "llama3", "factor": factor, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
    | {"original_max_position_embeddings": 8192}
    for factor in (8.0, 32.0, 16.0, 4.0)
]


def hf_config(config: Mapping[str, Any], dtype: str) -> dict[str, Any]:
    """From the keys of formats/config.py; `dtype` is that of the weights."""
    kind = config["model_type"]
    if kind == "llama" and config["sliding_window"]:
        kind = "mistral"
    ends = config["eos_token_id"]
    common = {
        "architectures": [f"{_ARCHITECTURES[kind]}{'LMHeadModel' if kind == 'gpt2' else 'ForCausalLM'}"],
        "model_type": kind,
        "vocab_size": config["vocab_size"],
        "tie_word_embeddings": config["tie_word_embeddings"],
        "bos_token_id": config["bos_token_id"],
        "eos_token_id": ends[0] if len(ends) == 1 else ends or None,
        "torch_dtype": TORCH_NAMES[dtype],
    }
    return common | (_gpt2(config) if kind == "gpt2" else _llama(config, kind))


def _gpt2(config: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "n_embd": config["hidden_size"],
        "n_layer": config["num_hidden_layers"],
        "n_head": config["num_attention_heads"],
        "n_positions": config["max_position_embeddings"],
        "n_ctx": config["max_position_embeddings"],
        "n_inner": config["intermediate_size"],
        "activation_function": config["hidden_act"],
        "layer_norm_epsilon": _short(config["layer_norm_epsilon"]),
    }


def _llama(config: Mapping[str, Any], kind: str) -> dict[str, Any]:
    same = (
        *("hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads"),
        *("head_dim", "max_position_embeddings", "hidden_act"),
    )
    found = {key: config[key] for key in same} | {"rope_scaling": _scaling(config)}
    found |= {key: _short(config[key]) for key in ("rms_norm_eps", "rope_theta")}
    bias, out_bias = config["attention_bias"], config["attention_output_bias"]
    if out_bias != (bias and kind != "qwen2"):
        raise FormatError(f"a {kind} model with biases in {'q, k, v' if bias else 'o'} only has no config.json")
    if kind in ("llama", "qwen3"):
        found["attention_bias"] = bias
    if kind == "llama":
        found["mlp_bias"] = config["mlp_bias"]
    if kind == "mistral":
        found["sliding_window"] = config["sliding_window"]
    elif kind != "llama" and config["sliding_window"]:
        found |= {"use_sliding_window": True, "sliding_window": config["sliding_window"], "max_window_layers": 0}
    return found


def _short(value: float) -> float:
    """GGUF keeps f32, which makes 9.999999747378752e-06 of 1e-05."""
    return float(str(np.float32(value)))


def _scaling(config: Mapping[str, Any]) -> dict[str, Any] | None:
    scaling = config["rope_scaling"]
    if scaling is None or scaling["rope_type"] != "factors":
        return None if scaling is None else dict(scaling)
    dim = config["head_dim"]
    plain = config["rope_theta"] ** (-np.arange(0, dim, 2) / dim)
    for known in _LLAMA3:
        turns = known["original_max_position_embeddings"] * plain / (2 * math.pi)
        kept = np.clip((turns - 1) / 3, 0.0, 1.0)
        if np.allclose(1 / (kept + (1 - kept) / known["factor"]), scaling["factors"], rtol=1e-4):
            return known
    raise FormatError(
        "the GGUF file stretches RoPE in a way that has no name in a config.json: take the model's own Hugging Face "
        "folder instead"
    )
