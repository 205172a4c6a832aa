"""Granite 4 (dense): Granite with gate and up in one matrix, and with or without RoPE.

GGUF files of these models are Granite's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.errors import shown
from ...formats.family import Config as FileConfig
from ...formats.family import Row, register
from .. import reference
from ..config import Config
from ..decoder import table as decoder_table
from ..decoder_config import TINY, read_decoder, write_decoder
from ..family import Array, Weights
from . import granite

ATTENTION = ("attention", "full_attention")
NAMES = {"mlp.gate_up_proj": "shared_mlp.input_linear", "mlp.down_proj": "shared_mlp.output_linear"}


def read_config(read: ConfigReader) -> dict[str, Any]:
    kinds = read.get("layer_types", ["mamba"])
    if not isinstance(kinds, list) or not set(ATTENTION).issuperset(map(str, kinds)):
        others = sorted({str(kind) for kind in kinds} - set(ATTENTION)) if isinstance(kinds, list) else kinds
        read.refuse(f"unsupported layer_types {shown(others)}; supported: {ATTENTION[0]} in all layers")
    if experts := read.whole("num_local_experts", 8, least=0):
        read.refuse(f"unsupported num_local_experts {experts}; supported: 0")
    read.only("position_embedding_type", None, "rope", "nope")
    ffn = {"intermediate_size": read.get("shared_intermediate_size", 1024)}
    inner = read.changed({**ffn, "layer_types": None}, {"intermediate_size": "shared_intermediate_size"})
    config = read_decoder(inner) | {key: read.number(key, 1.0, most=1e6) for key in granite.MULTIPLIERS}
    return config | {"rope": read.get("position_embedding_type", "") == "rope"}


def write_config(config: FileConfig) -> dict[str, Any]:
    own = write_decoder(config, "granitemoehybrid") | {"attention_bias": config["attention_bias"]}
    own |= {"shared_intermediate_size": own["intermediate_size"], "num_local_experts": 0}
    own |= {key: config[key] for key in granite.MULTIPLIERS}
    own["layer_types"] = [ATTENTION[0]] * config["num_hidden_layers"]
    return own | {"position_embedding_type": "rope" if config["rope"] else None}


def settings(config: FileConfig) -> dict[str, Any]:
    return {**granite.settings(config), "fused_ffn": True, "rope": config["rope"]}


def table(config: Config) -> Iterator[Row]:
    for row in decoder_table(config):
        name = row.name
        for usual, own in NAMES.items():
            name = name.replace(usual, own)
        yield replace(row, name=name)


def forward_in_numpy(config: dict[str, Any], w: Weights, ids: Array, block: int) -> Array:
    """The decoder's, with the usual names."""
    for usual, own in NAMES.items():
        w = {name.replace(own, usual): value for name, value in w.items()}
    usual_config = config | {"intermediate_size": config["shared_intermediate_size"], "layer_types": None}
    usual_config["turns"] = config["position_embedding_type"] == "rope"
    return reference.decoder(usual_config, w, ids, block)


FAMILY = register(
    replace(
        granite.FAMILY,
        name="granite4",
        model_types={"granitemoehybrid": "GraniteMoeHybridForCausalLM"},
        gguf="",
        gguf_keys={},
        config_names={"layers_block_type": "layer_types", "layer_types": "layer_types"},
        interleaved=False,
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        table=table,
        reference=forward_in_numpy,
        tiny={
            "model_type": "granitemoehybrid",
            **TINY,
            **{"shared_intermediate_size": 77, "num_local_experts": 0, "position_embedding_type": "rope"},
            **{"embedding_multiplier": 3.0, "residual_multiplier": 0.4, "attention_multiplier": 0.2},
            "logits_scaling": 2.0,
            "layer_types": ["attention"] * 2,
        },
        presets={},
    )
)
