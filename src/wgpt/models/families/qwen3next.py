"""Qwen3-Next: Qwen3.5 with experts, one of them for all rows, and the projections of delta nets in two matrices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ..decoder_config import FULL, TINY
from ..delta_config import GGUF_KEYS as DELTA_KEYS
from ..delta_config import LINEAR, delta_settings, without_extra_layers
from ..family import Array, Weights
from ..mixture import GGUF_KEYS, Mixture, read_experts, read_sparse_layers, with_experts
from ..reference_experts import mixture
from . import qwen35
from .qwen2moe import SHARED
from .qwen3moe import write_experts


def read_config(read: ConfigReader) -> dict[str, Any]:
    config = qwen35.read_config(read)
    config.pop("linear_tiled", None)
    read = without_extra_layers(read)
    own = {"norm_topk_prob": read.flag("norm_topk_prob", True), SHARED: read.whole(SHARED)}
    return config | read_experts(read) | own | {"sparse_layers": read_sparse_layers(read)}


def write_config(config: FileConfig) -> dict[str, Any]:
    own = qwen35.write_config(config) | {"model_type": "qwen3_next"}
    return own | write_experts(config) | {SHARED: config[SHARED]}


def settings(config: FileConfig) -> dict[str, Any]:
    sizes = (config["num_experts"], config["num_experts_per_tok"], config["moe_intermediate_size"])
    moe = Mixture(*sizes, norm=config["norm_topk_prob"], shared=config[SHARED], shared_gate=True)
    layers = config["num_hidden_layers"]
    return with_experts(delta_settings(config, grouped=True), moe, layers, config["sparse_layers"])


def forward_in_numpy(config: dict[str, Any], w: Weights, ids: Array, block: int) -> Array:
    """That of Qwen3.5, with the projections apart."""
    heads, share = config["linear_num_key_heads"], config["linear_num_value_heads"] // config["linear_num_key_heads"]
    keys, values = config["linear_key_head_dim"], share * config["linear_value_head_dim"]
    apart: Weights = {}
    for name, weight in w.items():
        if "in_proj_" not in name:
            apart[name] = weight
            continue
        cuts = (keys, 2 * keys, 2 * keys + values) if "qkvz" in name else (share,)
        parts = np.split(weight.reshape(heads, -1, weight.shape[1]), cuts, axis=1)
        flat = [part.reshape(-1, weight.shape[1]) for part in parts]
        begin = name.split("in_proj_")[0] + "in_proj_"
        joined = (np.concatenate(flat[:3]), flat[3]) if "qkvz" in name else flat
        apart |= {
            f"{begin}{n}.weight": x for n, x in zip(("qkv", "z") if "qkvz" in name else "ba", joined, strict=True)
        }
    return qwen35.forward_in_numpy(config, apart, ids, block, experts=mixture)


FAMILY = register(
    replace(
        qwen35.FAMILY,
        name="qwen3next",
        model_types={"qwen3_next": "Qwen3NextForCausalLM"},
        wrappers={},
        gguf="qwen3next",
        gguf_keys={**DELTA_KEYS, **GGUF_KEYS, SHARED: "expert_shared_feed_forward_length"},
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        reference=forward_in_numpy,
        tiny={
            **TINY,
            **{"model_type": "qwen3_next", "head_dim": 32, "partial_rotary_factor": 0.25},
            **{"linear_conv_kernel_dim": 4, "linear_key_head_dim": 8, "linear_value_head_dim": 12},
            **{"linear_num_key_heads": 2, "linear_num_value_heads": 4, "layer_types": [LINEAR, FULL]},
            **{"num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 23, SHARED: 41},
            **{"norm_topk_prob": True, "mlp_only_layers": []},
        },
        presets={},
    )
)
