"""StableLM and StableLM 2: Llama with LayerNorm, and RoPE of a quarter of a head."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ..family import ModelFamily
from ..layernorm_config import (
    TINY_LAYERNORM,
    layernorm_decoder_in_numpy,
    layernorm_settings,
    read_layernorm_decoder,
    write_layernorm_decoder,
)
from ..layernorm_decoder import LayerNormDecoder, table

ROTARY = 0.25


def read_config(read: ConfigReader) -> dict[str, Any]:
    bias = read.flag("attention_bias" if read.is_gguf else "use_qkv_bias", False)
    biases: dict[str, Any] = {"qkv_bias": bias, "out_bias": False, "ffn_bias": False}
    # Many GGUF files say true of models that are not: what counts there is whether the feed-forward has a norm.
    parallel = not read.flag("ffn_norm", True) if read.is_gguf else read.flag("use_parallel_residual", False)
    config = read_layernorm_decoder(read, acts=("silu",), **biases, rotary=ROTARY)
    return config | {"use_parallel_residual": parallel}


def write_config(config: FileConfig) -> dict[str, Any]:
    share = {"partial_rotary_factor": config["rotary_dim"] / config["head_dim"]}
    more = {"use_qkv_bias": config["attention_bias"], "use_parallel_residual": config["use_parallel_residual"]}
    return write_layernorm_decoder(config, "stablelm") | share | more


def settings(config: FileConfig) -> dict[str, Any]:
    parallel = config["use_parallel_residual"]
    return layernorm_settings(config, norm_bias=True, parallel=parallel, one_norm=parallel)


FAMILY = register(
    ModelFamily(
        name="stablelm",
        model_types={"stablelm": "StableLmForCausalLM"},
        gguf="stablelm",
        gguf_keys={"rotary_dim": "rope.dimension_count"},
        config_names={"layer_norm_eps": "layer_norm_epsilon"},
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        table=table,
        build=LayerNormDecoder,
        reference=partial(
            layernorm_decoder_in_numpy,
            rotary=ROTARY,
            parallel=lambda config: config.get("use_parallel_residual", False),
        ),
        tiny={"model_type": "stablelm", **TINY_LAYERNORM, "use_qkv_bias": True, "partial_rotary_factor": 0.5},
    )
)
