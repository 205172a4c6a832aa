"""OLMoE: Llama with norms of all q heads together and all k heads, and experts whose weights do not add up to 1."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from .. import reference
from ..decoder_config import TINY, read_decoder, write_decoder
from ..mixture import GGUF_KEYS, Mixture, read_experts
from ..reference_experts import mixture
from . import llama


def read_config(read: ConfigReader) -> dict[str, Any]:
    read.only("clip_qkv", None)
    experts = read_experts(read, ffn="intermediate_size")
    return read_decoder(read, eps=1e-5) | experts | {"norm_topk_prob": read.flag("norm_topk_prob", False)}


def settings(config: FileConfig) -> dict[str, Any]:
    sizes = (config["num_experts"], config["num_experts_per_tok"], config["moe_intermediate_size"])
    return {"qk_row_norm": True, "mixture": Mixture(*sizes, norm=config["norm_topk_prob"])}


def write_config(config: FileConfig) -> dict[str, Any]:
    keys = ("attention_bias", "num_experts", "num_experts_per_tok", "norm_topk_prob")
    return write_decoder(config, "olmoe") | {key: config[key] for key in keys}


FAMILY = register(
    replace(
        llama.FAMILY,
        name="olmoe",
        model_types={"olmoe": "OlmoeForCausalLM"},
        gguf="olmoe",
        interleaved=False,
        gguf_keys=GGUF_KEYS,
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        reference=partial(reference.decoder, row_norm=True, experts=mixture),
        tiny={
            "model_type": "olmoe",
            **TINY,
            **{"head_dim": None, "hidden_size": 64, "num_experts": 7, "num_experts_per_tok": 3},
        },
        presets={},
    )
)
