"""Qwen2-MoE and Qwen1.5-MoE: Qwen2 with experts, and one expert for all rows with its own gate."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from .. import reference
from ..decoder_config import TINY, layer_settings, read_decoder, read_optional_window, write_decoder
from ..decoder_config import write_optional_window as write_windows
from ..mixture import GGUF_KEYS, Mixture, read_experts, read_sparse_layers, with_experts
from ..reference_experts import mixture
from . import qwen2
from .qwen3moe import write_experts

SHARED = "shared_expert_intermediate_size"


def read_config(read: ConfigReader) -> dict[str, Any]:
    read.only("qkv_bias", True)
    sizes = {"norm_topk_prob": read.flag("norm_topk_prob", False), SHARED: read.whole(SHARED)}
    # Unlike in Qwen2, it is the first layers that have the window, and of these every other one.
    windows = read_optional_window(read, lambda i, first: i < first and i % 2 == 0)
    config = read_decoder(read, **windows, always_qkv_bias=True)
    return config | read_experts(read) | sizes | {"sparse_layers": read_sparse_layers(read)}


def settings(config: FileConfig) -> dict[str, Any]:
    sizes = (config["num_experts"], config["num_experts_per_tok"], config["moe_intermediate_size"])
    moe = Mixture(*sizes, norm=config["norm_topk_prob"], shared=config[SHARED], shared_gate=True)
    return with_experts(layer_settings(config), moe, config["num_hidden_layers"], config["sparse_layers"])


def write_config(config: FileConfig) -> dict[str, Any]:
    own = write_decoder(config, "qwen2_moe", always_qkv_bias=True) | write_windows(config)
    return own | write_experts(config) | {SHARED: config[SHARED]}


FAMILY = register(
    replace(
        qwen2.FAMILY,
        name="qwen2moe",
        model_types={"qwen2_moe": "Qwen2MoeForCausalLM"},
        gguf="qwen2moe",
        gguf_aliases=(),
        wrappers={},
        gguf_keys={**GGUF_KEYS, SHARED: "expert_shared_feed_forward_length"},
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        reference=partial(reference.decoder, experts=mixture),
        tiny={
            "model_type": "qwen2_moe",
            **TINY,
            **{"num_experts": 5, "num_experts_per_tok": 3, "moe_intermediate_size": 23, SHARED: 57},
            "mlp_only_layers": [0],
        },
        presets={},
    )
)
