"""Qwen3-MoE: Qwen3 with a mixture of experts in each layer, or in each but a few."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from .. import reference
from ..config import Config
from ..decoder_config import (
    OPTIONAL_WINDOW,
    TINY,
    layer_settings,
    read_decoder,
    read_window,
    write_decoder,
    write_window,
)
from ..mixture import GGUF_KEYS, Mixture, read_experts, read_sparse_layers, with_experts
from ..reference_experts import mixture
from . import qwen3


def read_config(read: ConfigReader) -> dict[str, Any]:
    # GGUF files do not say; all published models normalise.
    norm = {"norm_topk_prob": read.flag("norm_topk_prob", read.is_gguf)}
    windows = {}
    if read.flag("use_sliding_window", False):
        windows = read_window(read, default_window=OPTIONAL_WINDOW, by_layer=False)
    config = read_decoder(read, default_head_dim=128 if read.is_gguf else None, **windows)
    return config | read_experts(read) | norm | {"sparse_layers": read_sparse_layers(read)}


def settings(config: FileConfig) -> dict[str, Any]:
    sizes = (config["num_experts"], config["num_experts_per_tok"], config["moe_intermediate_size"])
    own = {"qk_norm": True, **layer_settings(config)}
    moe = Mixture(*sizes, norm=config["norm_topk_prob"])
    return with_experts(own, moe, config["num_hidden_layers"], config["sparse_layers"])


def write_experts(config: FileConfig) -> dict[str, Any]:
    """The keys of config.json that read_experts and read_sparse_layers read."""
    keys = ("num_experts", "num_experts_per_tok", "moe_intermediate_size", "norm_topk_prob")
    dense = [i for i in range(config["num_hidden_layers"]) if i not in config["sparse_layers"]]
    return {**{key: config[key] for key in keys}, "decoder_sparse_step": 1, "mlp_only_layers": dense}


def write_config(config: FileConfig) -> dict[str, Any]:
    own = write_decoder(config, "qwen3_moe") | {"attention_bias": config["attention_bias"]}
    windows = {"use_sliding_window": True, **write_window(config)} if config["sliding_window"] else {}
    return own | windows | write_experts(config)


FAMILY = register(
    replace(
        qwen3.FAMILY,
        name="qwen3moe",
        model_types={"qwen3_moe": "Qwen3MoeForCausalLM"},
        gguf="qwen3moe",
        gguf_aliases=(),
        wrappers={},
        gguf_keys=GGUF_KEYS,
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        reference=partial(reference.decoder, qk_norm=True, experts=mixture),
        tiny={
            "model_type": "qwen3_moe",
            **TINY,
            **{"num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 41, "norm_topk_prob": True},
            "mlp_only_layers": [],
        },
        presets={
            "qwen3-30b-a3b": Config(
                *("qwen3moe", 151936, 2048, 6144, 48, 32, 4, 128, 40960, 1e-6),
                tied=False,
                theta=1e6,
                qk_norm=True,
                mixture=Mixture(128, 8, 768),
            )
        },
    )
)
