"""The config keys of families with gated delta nets: reading them, writing them, and what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..formats.config_reader import ConfigReader
from ..formats.errors import shown
from ..kernels.states.delta_rule import MOST_KEY
from ..kernels.states.short_conv import MOST_TAPS
from .decoder_config import FULL
from .state_layers import DeltaNet

LINEAR = "linear_attention"  # values of layer_types
INTERVAL = 4  # default interval of layers with attention
# Config keys with transformers' defaults -> GGUF's keys.
SIZES = {
    "linear_conv_kernel_dim": (4, "ssm.conv_kernel"),
    "linear_key_head_dim": (128, "ssm.state_size"),
    "linear_num_key_heads": (16, "ssm.group_count"),
    "linear_num_value_heads": (32, "ssm.time_step_rank"),
}
INNER = "linear_inner_size"  # GGUF files store the size of all value heads together
GGUF_KEYS = {
    **{key: name for key, (_, name) in SIZES.items()},
    INNER: "ssm.inner_size",
    "full_attention_interval": "full_attention_interval",
    "rotary_dim": "rope.dimension_count",
    "num_nextn_predict_layers": "nextn_predict_layers",
}


def read_delta(read: ConfigReader) -> dict[str, Any]:
    """Read the sizes and the kind of each layer."""
    config = {key: read.whole(key, default) for key, (default, _) in SIZES.items()}
    k_heads, v_heads = config["linear_num_key_heads"], config["linear_num_value_heads"]
    if read.is_gguf:
        inner = read.whole(INNER)
        if inner % v_heads:
            read.refuse(f"{read.name(INNER)} is {inner}, which {v_heads} value heads do not divide")
        config["linear_value_head_dim"] = inner // v_heads
    else:
        config["linear_value_head_dim"] = read.whole("linear_value_head_dim", 128)
    if v_heads % k_heads or v_heads % 2:
        read.refuse(f"linear_num_value_heads is {v_heads}; it must be even, and a multiple of {k_heads} key heads")
    if config["linear_key_head_dim"] > MOST_KEY:
        read.refuse(f"unsupported linear_key_head_dim {config['linear_key_head_dim']}; supported: up to {MOST_KEY}")
    for key in ("linear_key_head_dim", "linear_value_head_dim"):
        if config[key] % 4:
            read.refuse(f"{key} is {config[key]}; it must be a multiple of 4")
    if not 2 <= config["linear_conv_kernel_dim"] <= MOST_TAPS:
        read.refuse(f"linear_conv_kernel_dim is {config['linear_conv_kernel_dim']}; supported: 2 to {MOST_TAPS}")
    return config | {"layer_types": _kinds(read)}


def _kinds(read: ConfigReader) -> list[str]:
    count, interval = read.whole("num_hidden_layers"), read.whole("full_attention_interval", INTERVAL)
    kinds = read.get("layer_types", [LINEAR if (i + 1) % interval else FULL for i in range(count)])
    if not isinstance(kinds, list) or len(kinds) != count or not {LINEAR, FULL}.issuperset(map(str, kinds)):
        read.refuse(f"layer_types is {shown(kinds)}, not a list of {LINEAR} or {FULL} for each of {count} layers")
    if FULL not in kinds:
        read.refuse("no layer has attention, which is unsupported")
    return kinds


def without_extra_layers(read: ConfigReader) -> ConfigReader:
    """The config without layers that predict further tokens, which GGUF files count and wgpt does not run."""
    extra = read.whole("num_nextn_predict_layers", 0, least=0) if read.is_gguf else 0
    count = {"num_hidden_layers": read.whole("num_hidden_layers") - extra}
    return read.changed(count)


def write_delta(config: Mapping[str, Any]) -> dict[str, Any]:
    return {key: config[key] for key in (*SIZES, "linear_value_head_dim", "layer_types")}


def delta_settings(config: Mapping[str, Any], grouped: bool = False) -> dict[str, Any]:
    """Fields of models/config.py; `grouped`: see DeltaNet."""
    sizes = (config["linear_conv_kernel_dim"], config["linear_num_key_heads"], config["linear_num_value_heads"])
    dims = (config["linear_key_head_dim"], config["linear_value_head_dim"])
    delta = {"state": DeltaNet(*sizes, *dims, tiled=config.get("linear_tiled", False), grouped=grouped)}
    rotary = config["rotary_dim"] if config["rotary_dim"] != config["head_dim"] else 0
    return {
        "qk_norm": True,
        "norm_less": 1.0,
        "gated_heads": True,
        "rotary": rotary,
        "per_layer": tuple(delta if kind == LINEAR else {} for kind in config["layer_types"]),
    }
