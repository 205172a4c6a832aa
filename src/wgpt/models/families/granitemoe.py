"""Granite-MoE: Granite with experts, all of a layer in one tensor."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from .. import reference
from ..mixture import GGUF_KEYS, Mixture, Names, read_experts
from ..reference_experts import mixture
from . import granite

NAMES = Names(
    router="block_sparse_moe.router.layer",
    gate="block_sparse_moe.experts.gate_proj",
    up="block_sparse_moe.experts.up_proj",
    down="block_sparse_moe.experts.down_proj",
    gate_up="block_sparse_moe.input_linear.weight",
    all_down="block_sparse_moe.output_linear.weight",
)


def read_config(read: ConfigReader) -> dict[str, Any]:
    read.only("shared_intermediate_size", 0)
    return granite.read_config(read, ("attention_bias",)) | read_experts(read, "num_local_experts", "intermediate_size")


def settings(config: FileConfig) -> dict[str, Any]:
    sizes = (config["num_experts"], config["num_experts_per_tok"], config["moe_intermediate_size"])
    return {**granite.settings(config), "mixture": Mixture(*sizes, names=NAMES)}


def write_config(config: FileConfig) -> dict[str, Any]:
    experts = {"num_local_experts": config["num_experts"], "num_experts_per_tok": config["num_experts_per_tok"]}
    return granite.write_config(config) | {"model_type": "granitemoe"} | experts


FAMILY = register(
    replace(
        granite.FAMILY,
        name="granitemoe",
        model_types={"granitemoe": "GraniteMoeForCausalLM"},
        gguf="granitemoe",
        gguf_keys={**granite.MULTIPLIERS, **GGUF_KEYS},
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        reference=partial(reference.decoder, experts=partial(mixture, norm=True)),
        tiny={
            **granite.FAMILY.tiny,
            **{"model_type": "granitemoe", "num_local_experts": 6, "num_experts_per_tok": 3},
        },
    )
)
