"""Command-R: attention and feed-forward start from one LayerNorm without a shift, RoPE turns neighbours, and logits
have a factor."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ...formats.hf_config import shortest
from ..family import ModelFamily
from ..layernorm_config import (
    TINY_LAYERNORM,
    layernorm_decoder_in_numpy,
    layernorm_settings,
    read_layernorm_decoder,
    write_layernorm_decoder,
)
from ..layernorm_decoder import LayerNormDecoder, table

THETA = 500000.0
LOGIT_SCALE = 0.0625


def read_config(read: ConfigReader, theta: float = THETA, **more: Any) -> dict[str, Any]:
    read.only("use_qk_norm", False)
    bias = read.flag("attention_bias", False)
    biases: dict[str, Any] = {"qkv_bias": bias, "out_bias": bias, "ffn_bias": False}
    config = read_layernorm_decoder(read, acts=("silu",), **biases, tied=True, theta=theta, **more)
    return config | {"logit_scale": read.number("logit_scale", LOGIT_SCALE, most=1e6)}


def write_config(config: FileConfig) -> dict[str, Any]:
    own = {"attention_bias": config["attention_bias"], "logit_scale": shortest(config["logit_scale"])}
    return write_layernorm_decoder(config, "cohere") | own


def settings(config: FileConfig) -> dict[str, Any]:
    layout = {"parallel": True, "one_norm": True, "interleaved": True}
    return layernorm_settings(config, **layout, logit_scale=config["logit_scale"])


FAMILY = register(
    ModelFamily(
        name="cohere",
        model_types={"cohere": "CohereForCausalLM"},
        gguf="command-r",
        gguf_keys={"logit_scale": "logit_scale", "rotary_dim": "rope.dimension_count"},
        config_names={"layer_norm_eps": "layer_norm_epsilon"},
        tied_by_default=True,
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        table=table,
        build=LayerNormDecoder,
        reference=partial(layernorm_decoder_in_numpy, theta=THETA, interleaved=True, parallel=lambda config: True),
        tiny={"model_type": "cohere", **TINY_LAYERNORM, "logit_scale": 0.5},
    )
)
