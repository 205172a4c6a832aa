"""The config keys of families that use decoder.py: reading them from config.json, and writing them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..formats import FormatError
from ..formats.config import read_rope, read_sizes
from ..formats.config_reader import ConfigReader
from ..formats.errors import shown
from ..formats.hf_config import rope_scaling, shortest

_SAME = (
    *("hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads"),
    *("head_dim", "max_position_embeddings", "hidden_act"),
)
# All sizes differ, so that none can be mistaken for another; eps is large enough to matter.
TINY: dict[str, Any] = {
    "hidden_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "intermediate_size": 80,
    "hidden_act": "silu",
    "max_position_embeddings": 64,
    "rms_norm_eps": 1e-3,
    "rope_theta": 500.0,
    "tie_word_embeddings": True,
    "vocab_size": 64,
}


def read_decoder(
    read: ConfigReader, *, window: int | None, default_head_dim: int | None = None, always_qkv_bias: bool = False
) -> dict[str, Any]:
    """`always_qkv_bias`: q, k and v always have biases, and o has none."""
    sizes = read_sizes(read, default_head_dim=default_head_dim)
    read.only("hidden_act", "silu", "swish")
    read.only("partial_rotary_factor", 1)
    if sizes["head_dim"] % 2:
        read.refuse(f"head_dim is {sizes['head_dim']}; RoPE rotates pairs, so it must be even")
    bias = always_qkv_bias or read.flag("attention_bias", False)
    return {
        **sizes,
        "rms_norm_eps": read.number("rms_norm_eps", 1e-6, most=1),
        "hidden_act": "silu",
        "attention_bias": bias,
        "attention_output_bias": read.flag("attention_output_bias", bias and not always_qkv_bias),
        "mlp_bias": read.flag("mlp_bias", False),
        "sliding_window": window,
        **read_rope(read, sizes["head_dim"]),
    }


def read_window(read: ConfigReader, first_layers_full: bool = False) -> int | None:
    """The window of every layer, or None. Refuses a window in only some layers, which is not supported.

    `first_layers_full`: without layer_types, the first max_window_layers layers have no window.
    """
    window = read.whole("sliding_window", 0, least=0)
    if not window:
        return None
    layers = read.whole("num_hidden_layers")
    kinds = read.get("layer_types", [])
    if not isinstance(kinds, list):
        read.refuse(f"layer_types is {shown(kinds)}, not a list")
    sliding = layers
    if kinds:
        sliding, layers = kinds.count("sliding_attention"), len(kinds)
    elif first_layers_full:
        sliding = layers - min(layers, read.whole("max_window_layers", 0, least=0))
    if sliding not in (0, layers):
        read.refuse(f"sliding_window {window} applies to {sliding} of {layers} layers; supported: all or none")
    return window if sliding else None


def read_optional_window(read: ConfigReader) -> int | None:
    """The window of families where use_sliding_window enables it."""
    return read_window(read, first_layers_full=True) if read.flag("use_sliding_window", False) else None


def write_decoder(config: Mapping[str, Any], model_type: str, always_qkv_bias: bool = False) -> dict[str, Any]:
    """The common keys of config.json."""
    bias, out_bias = config["attention_bias"], config["attention_output_bias"]
    if out_bias != (bias and not always_qkv_bias):
        raise FormatError(f"a {model_type} config.json cannot express biases in {'q, k, v' if bias else 'o'} only")
    numbers = {key: shortest(config[key]) for key in ("rms_norm_eps", "rope_theta")}
    same = {key: config[key] for key in _SAME}
    return {"model_type": model_type, **same, "rope_scaling": rope_scaling(config), **numbers}


def write_optional_window(config: Mapping[str, Any]) -> dict[str, Any]:
    """The keys that read_optional_window reads."""
    window = config["sliding_window"]
    return {"use_sliding_window": True, "sliding_window": window, "max_window_layers": 0} if window else {}
