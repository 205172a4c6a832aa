"""Gemma 3, also the text part of models that read images: Gemma 2 with norms of the q and k heads, a window in five of
six layers, and two RoPE bases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.errors import shown
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ...formats.hf_config import rope_scaling, shortest
from ...formats.rope_scaling import read_rope
from .. import reference
from ..config import Config
from ..decoder_config import FULL, SLIDING, read_window
from . import gemma, gemma2

LAYERS_27B = 62
PERIOD = 6  # the last layer of each group of this size has no window
GLOBAL_THETA, LOCAL_THETA = 1e6, 1e4
# What the configs of 4B, 12B and 27B leave to transformers.
TEXT_DEFAULTS = {
    "vocab_size": 262208,
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "max_position_embeddings": 131072,
}


def read_config(read: ConfigReader) -> dict[str, Any]:
    windows = read_window(read, lambda i: SLIDING if _is_local(read, i) else FULL, default_window=4096)
    head_dim = read.whole("head_dim", 256)
    rope = read_rope(read, head_dim, default_theta=GLOBAL_THETA, kind_of_layer=FULL)
    config = gemma2.read_activated(read, rope=rope, **windows)
    # Its attention has no cap in transformers, even if attn_logit_softcapping is set.
    uncapped = read.changed({gemma2.CAPS[0]: None})
    more = gemma2.read_more(uncapped, config, LAYERS_27B, dict.fromkeys(gemma2.CAPS, 0.0))
    return config | more | {"local_rope_theta": _local_theta(read, head_dim)}


def _is_local(read: ConfigReader, i: int) -> bool:
    """GGUF files may have a list of the layers with the window."""
    period = read.get("sliding_window_pattern", PERIOD)
    if isinstance(period, list) and i < len(period):
        return bool(period[i])
    if type(period) is not int or period < 1:
        read.refuse(f"{read.name('sliding_window_pattern')} is {shown(period)}, not a number of layers")
    return (i + 1) % period != 0


def _local_theta(read: ConfigReader, head_dim: int) -> float:
    how: dict[str, Any] = {"kind_of_layer": SLIDING, "scaled": False, "theta": "rope_local_base_freq"}
    local = read_rope(read, head_dim, default_theta=LOCAL_THETA, **how)
    if local["rope_scaling"] is not None:
        read.refuse(f"unsupported RoPE scaling of {SLIDING} layers: {shown(local['rope_scaling'])}")
    return float(local["rope_theta"])


def write_config(config: FileConfig) -> dict[str, Any]:
    scaling = rope_scaling(config) or {"rope_type": "default"}
    own = gemma2.write_more(config, "gemma3_text")
    own["rope_parameters"] = {
        FULL: {**scaling, "rope_theta": own.pop("rope_theta")},
        SLIDING: {"rope_type": "default", "rope_theta": shortest(config["local_rope_theta"])},
    }
    own.pop("rope_scaling")
    return own


def layer_in_numpy(config: dict[str, Any], i: int) -> dict[str, Any]:
    """A layer's RoPE, in either format of config.json."""
    kind = config["layer_types"][i]
    if "rope_parameters" in config:
        return reference.window_of_layer(config, i) | {"rope_parameters": config["rope_parameters"][kind]}
    local = {"rope_theta": config["rope_local_base_freq"], "rope_scaling": None}
    return reference.window_of_layer(config, i) | (local if kind == SLIDING else {})


FAMILY = register(
    replace(
        gemma2.FAMILY,
        name="gemma3",
        model_types={"gemma3_text": "Gemma3ForCausalLM"},
        gguf="gemma3",
        wrappers={"gemma3": "gemma3_text"},
        text_defaults=TEXT_DEFAULTS,
        gguf_keys={
            **gemma2.GGUF_KEYS,
            "rope_local_base_freq": "rope.freq_base_swa",
            "sliding_window_pattern": "attention.sliding_window_pattern",
        },
        read_config=read_config,
        write_config=write_config,
        settings=lambda config: gemma2.settings(config) | {"qk_norm": True},
        reference=gemma.gemma_in_numpy(post_norms=True, qk_norm=True, of_layer=layer_in_numpy),
        tiny={
            "model_type": "gemma3_text",
            **gemma.TINY_GEMMA,
            "sliding_window": 9,
            "layer_types": [SLIDING, FULL],
            "query_pre_attn_scalar": 40,
            "rope_theta": 5000.0,
            "rope_local_base_freq": 300.0,
            "rope_scaling": {"rope_type": "linear", "factor": 2.0},
        },
        presets={
            "gemma-3-1b": Config(
                *("gemma3", 262144, 1152, 6912, 26, 4, 1, 256, 32768, 1e-6),
                theta=GLOBAL_THETA,
                window=512,
                act="gelu",
                norm_less=1.0,
                embed_scale=1152**0.5,
                post_norms=True,
                attention_scale=256**-0.5,
                qk_norm=True,
                per_layer=tuple({"window": 0} if i % 6 == 5 else {"theta": LOCAL_THETA} for i in range(26)),
            )
        },
    )
)
