"""LFM2-MoE: LFM2 with experts after the first layers, which are chosen by sigmoids with a bias."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ...formats.hf_config import shortest
from ..mixture import GGUF_KEYS, Mixture, Names, read_experts, with_experts
from ..reference_experts import sigmoid_mixture
from . import lfm2

SIGMOID = 2  # in GGUF files
SIZES = tuple(GGUF_KEYS)
NAMES = Names(
    router="feed_forward.gate",
    gate="feed_forward.experts.w1",
    up="feed_forward.experts.w3",
    down="feed_forward.experts.w2",
    choice_bias="feed_forward.expert_bias",
)


def read_config(read: ConfigReader) -> dict[str, Any]:
    read.only("use_expert_bias", True)
    if read.is_gguf:
        read.only("gguf_gating", SIGMOID)
    layers = read.whole("num_hidden_layers")
    config = lfm2.read_config(read.changed({"block_auto_adjust_ff_dim": False, "block_ff_dim": None}))
    return config | {
        **read_experts(read),
        "num_dense_layers": min(read.whole("num_dense_layers", 0 if read.is_gguf else 2, least=0), layers),
        "norm_topk_prob": read.flag("norm_topk_prob", True),
        "routed_scaling_factor": read.number("routed_scaling_factor", 1.0),
    }


def write_config(config: FileConfig) -> dict[str, Any]:
    own = lfm2.write_config(config) | {"model_type": "lfm2_moe", "use_expert_bias": True}
    own.pop("block_auto_adjust_ff_dim")
    scale = {"routed_scaling_factor": shortest(config["routed_scaling_factor"])}
    return own | {key: config[key] for key in (*SIZES, "num_dense_layers", "norm_topk_prob")} | scale


def gguf_values(config: FileConfig) -> dict[str, Any]:
    scale = {"expert_weights_scale": float(config["routed_scaling_factor"])}
    return lfm2.gguf_values(config) | {"expert_gating_func": SIGMOID, **scale}


def settings(config: FileConfig) -> dict[str, Any]:
    experts, top, ffn = (config[key] for key in SIZES)
    choice = {"score": "sigmoid", "scale": config["routed_scaling_factor"]}
    norm = config["norm_topk_prob"]
    moe = Mixture(experts, top, ffn, norm=norm, choice_bias=True, choice=choice, names=NAMES)
    layers = config["num_hidden_layers"]
    return with_experts(lfm2.settings(config), moe, layers, list(range(config["num_dense_layers"], layers)))


FAMILY = register(
    replace(
        lfm2.FAMILY,
        name="lfm2moe",
        model_types={"lfm2_moe": "Lfm2MoeForCausalLM"},
        gguf="lfm2moe",
        gguf_keys={
            **lfm2.FAMILY.gguf_keys,
            **GGUF_KEYS,
            **{"num_dense_layers": "leading_dense_block_count", "gguf_gating": "expert_gating_func"},
            **{"norm_topk_prob": "expert_weights_norm", "routed_scaling_factor": "expert_weights_scale"},
        },
        gguf_values=gguf_values,
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        reference=partial(lfm2.forward_in_numpy, experts=sigmoid_mixture),
        tiny={
            **{key: value for key, value in lfm2.FAMILY.tiny.items() if key != "block_auto_adjust_ff_dim"},
            **{"model_type": "lfm2_moe", "num_dense_layers": 1, "num_experts": 5, "num_experts_per_tok": 4},
            **{"moe_intermediate_size": 23, "norm_topk_prob": True, "routed_scaling_factor": 1.5},
        },
        presets={},
    )
)
