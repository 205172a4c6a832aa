"""Gemma 2: Gemma with norms after attention and feed-forward, soft caps, and a window in every other layer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ...formats.hf_config import shortest
from ..decoder_config import FULL, SLIDING, layer_settings, read_window, write_decoder, write_window
from . import gemma

CAPS = ("attn_logit_softcapping", "final_logit_softcapping")
GGUF_KEYS = {**dict(zip(CAPS, CAPS, strict=True)), "attention_scale": "attention.scale"}
# The model whose GGUF files do not say that its scores are divided by the root of hidden_size / heads, by its layers.
LAYERS_27B = 46


def read_more(read: ConfigReader, config: dict[str, Any], layers_27b: int, caps: dict[str, float]) -> dict[str, Any]:
    """The keys that Gemma 2 and 3 share. `caps`: their values if the config does not have the keys."""
    share = config["hidden_size"] // config["num_attention_heads"]
    gguf_scalar = share if config["num_hidden_layers"] == layers_27b else config["head_dim"]
    scalar = read.number("query_pre_attn_scalar", gguf_scalar if read.is_gguf else 256)
    if read.is_gguf and read.raw.get("attention_scale") is not None:
        scalar = read.number("attention_scale") ** -2
    none = [key for key in CAPS if key in read.raw and read.raw[key] is None and not read.is_gguf]
    read_caps = {key: read.number(key, caps[key]) if caps[key] or read.raw.get(key) else None for key in CAPS}
    return {"query_pre_attn_scalar": scalar, **read_caps, **dict.fromkeys(none)}


def read_activated(read: ConfigReader, **more: Any) -> dict[str, Any]:
    """The keys that Gemma 1, 2 and 3 share, with the activation that Gemma 2 and 3 call hidden_activation."""
    key = "hidden_activation"
    act = read.get(key, gemma.GELU[0])
    named = read.changed({"hidden_act": act}, {"hidden_act": key})
    config = gemma.read_common(named, acts=(*gemma.GELU, gemma.EXACT), **more)
    return config | ({"hidden_act": act} if act == gemma.EXACT else {})


def read_config(read: ConfigReader) -> dict[str, Any]:
    windows = read_window(read, lambda i: FULL if i % 2 else SLIDING, default_window=4096)
    config = read_activated(read, **windows)
    return config | read_more(read, config, LAYERS_27B, {CAPS[0]: 50.0, CAPS[1]: 30.0})


def write_more(config: FileConfig, model_type: str) -> dict[str, Any]:
    """The common keys of Gemma 2's and 3's config.json."""
    caps = {key: config[key] and shortest(config[key]) for key in CAPS}
    return {
        **write_decoder(config, model_type),
        "hidden_activation": config["hidden_act"],
        "attention_bias": config["attention_bias"],
        "query_pre_attn_scalar": round(config["query_pre_attn_scalar"]),
        **caps,
        "sliding_window": None,
        **write_window(config),
    }


def settings(config: FileConfig) -> dict[str, Any]:
    return {
        **gemma.settings(config),
        **layer_settings(config),
        "post_norms": True,
        "attention_scale": config["query_pre_attn_scalar"] ** -0.5,
        "attention_cap": config[CAPS[0]] or 0.0,
        "logit_cap": config[CAPS[1]] or 0.0,
    }


FAMILY = register(
    replace(
        gemma.FAMILY,
        name="gemma2",
        model_types={"gemma2": "Gemma2ForCausalLM"},
        gguf="gemma2",
        gguf_keys=GGUF_KEYS,
        read_config=read_config,
        write_config=lambda config: write_more(config, "gemma2"),
        settings=settings,
        reference=gemma.gemma_in_numpy(post_norms=True),
        tiny={
            "model_type": "gemma2",
            **gemma.TINY_GEMMA,
            "sliding_window": 9,
            "layer_types": [SLIDING, FULL],
            "query_pre_attn_scalar": 40,
            "attn_logit_softcapping": 3.0,
            "final_logit_softcapping": 4.0,
        },
        presets={},
    )
)
