"""Qwen3.5-MoE (text): Qwen3.5 with experts in all layers, one of them for all rows, with a gate."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ..decoder_config import FULL
from ..delta_config import GGUF_KEYS as DELTA_KEYS
from ..delta_config import LINEAR, delta_settings
from ..family import Array, Weights
from ..mixture import GGUF_KEYS, Mixture, Names, read_experts
from ..reference_experts import mixture
from . import qwen35
from .qwen2moe import SHARED

NAMES = Names(gate_up="mlp.experts.gate_up_proj", all_down="mlp.experts.down_proj")
SIZES = tuple(GGUF_KEYS)


def read_config(read: ConfigReader) -> dict[str, Any]:
    """All layers have experts, so no file has the size of a dense feed-forward."""
    experts = read_experts(read)
    config = qwen35.read_config(read.changed({"intermediate_size": experts["moe_intermediate_size"]}))
    return config | experts | {SHARED: read.whole(SHARED)}


def write_config(config: FileConfig) -> dict[str, Any]:
    own = qwen35.write_config(config) | {"model_type": "qwen3_5_moe_text"}
    own.pop("intermediate_size")
    return own | {key: config[key] for key in (*SIZES, SHARED)}


def settings(config: FileConfig) -> dict[str, Any]:
    experts, top, ffn = (config[key] for key in SIZES)
    moe = Mixture(experts, top, ffn, shared=config[SHARED], shared_gate=True, names=NAMES)
    return delta_settings(config) | {"mixture": moe}


def forward_in_numpy(config: dict[str, Any], w: Weights, ids: Array, block: int) -> Array:
    """Qwen3.5's forward; the weights of a row's experts always add up to 1."""
    config = config | {"norm_topk_prob": True, "intermediate_size": config["moe_intermediate_size"]}
    return qwen35.forward_in_numpy(config, w, ids, block, experts=mixture)


FAMILY = register(
    replace(
        qwen35.FAMILY,
        name="qwen35moe",
        model_types={"qwen3_5_moe_text": "Qwen3_5MoeForCausalLM"},
        wrappers={"qwen3_5_moe": "qwen3_5_moe_text"},
        gguf="qwen35moe",
        gguf_keys={**DELTA_KEYS, **GGUF_KEYS, SHARED: "expert_shared_feed_forward_length"},
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        reference=forward_in_numpy,
        tiny={
            **{key: value for key, value in qwen35.FAMILY.tiny.items() if key != "intermediate_size"},
            **{"model_type": "qwen3_5_moe_text", "layer_types": [LINEAR, FULL]},
            **{"num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 23, SHARED: 41},
        },
        presets={},
    )
)
