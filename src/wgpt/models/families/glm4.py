"""GLM-4: Llama with norms before the sums, too, gate and up in one matrix, and RoPE of neighbours in half of a head."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import Row, register
from ...formats.rope_scaling import read_rope
from .. import reference
from ..config import Config
from ..decoder import Decoder
from ..decoder import table as decoder_table
from ..decoder_config import TINY, read_decoder, read_rotary, write_decoder
from ..family import Array, ModelFamily, Weights

# Its names of norms, in the order in which they can be renamed back.
NAMES = {
    "ffn_norm": ("post_attention_layernorm", "pre_feedforward_layernorm"),
    "attention_post_norm": ("post_self_attn_layernorm", "post_attention_layernorm"),
    "ffn_post_norm": ("post_mlp_layernorm", "post_feedforward_layernorm"),
}


EPS = 1.5625e-07  # where the config does not say


def read_config(read: ConfigReader) -> dict[str, Any]:
    read.only("num_nextn_predict_layers", 0)
    head_dim = read.whole("head_dim", 128)
    rotary = read_rotary(read, head_dim, 0.5, multiple=8)
    read = read.changed({"attention_bias": read.flag("attention_bias", True)})
    rope = read_rope(read, rotary, partial=True)
    config = read_decoder(read, default_head_dim=128, rope=rope, partial_rope=True, eps=EPS)
    return config | {"attention_output_bias": False, "rotary_dim": rotary}


def write_config(config: FileConfig) -> dict[str, Any]:
    own = write_decoder({**config, "attention_output_bias": config["attention_bias"]}, "glm4")
    share = {"partial_rotary_factor": config["rotary_dim"] / config["head_dim"]}
    return own | share | {"attention_bias": config["attention_bias"]}


def settings(config: FileConfig) -> dict[str, Any]:
    rotary = config["rotary_dim"] if config["rotary_dim"] != config["head_dim"] else 0
    return {"fused_ffn": True, "post_norms": True, "interleaved": True, "rotary": rotary}


def table(config: Config) -> Iterator[Row]:
    for row in decoder_table(config):
        named = row.part in NAMES
        yield replace(row, name=f"model.layers.{row.layer}.{NAMES[row.part][0]}") if named else row


def forward_in_numpy(config: dict[str, Any], w: Weights, ids: Array, block: int) -> Array:
    """The decoder's, with the usual names."""
    for own, usual in NAMES.values():
        w = {name.replace(own, usual): value for name, value in w.items()}
    share = {**config, **reference.rope_of(config)}.get("partial_rotary_factor", 0.5)
    config = config | {"partial_rotary_factor": share}
    return reference.decoder(config, w, ids, block, post_norms=True, interleaved=True)


FAMILY = register(
    ModelFamily(
        name="glm4",
        model_types={"glm4": "Glm4ForCausalLM"},
        gguf="glm4",
        gguf_keys={"rotary_dim": "rope.dimension_count", "num_nextn_predict_layers": "nextn_predict_layers"},
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        table=table,
        build=Decoder,
        reference=forward_in_numpy,
        tiny={"model_type": "glm4", **TINY, "attention_bias": True, "partial_rotary_factor": 0.5},
    )
)
