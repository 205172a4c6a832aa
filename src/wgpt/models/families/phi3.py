"""Phi-3, 3.5, 4 and 4-mini: Llama with q, k and v in one matrix, gate and up in another, and longrope."""

from __future__ import annotations

from typing import Any

from ...formats.config import read_sizes
from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ...formats.rope_scaling import read_rope
from .. import reference
from ..decoder import Decoder, table
from ..decoder_config import TINY, layer_settings, read_decoder, read_rotary, read_window, write_decoder, write_window
from ..family import ModelFamily

ORIGINAL = 4096  # positions before scaling, where the config does not say
SHORT, LONG = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.7, 2.0], [1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0]


def read_config(read: ConfigReader) -> dict[str, Any]:
    rotary = read_rotary(read, read_sizes(read)["head_dim"])
    rope = read_rope(read, rotary, also_longrope=("su", "yarn"), partial=True, original=ORIGINAL)
    if rope["rope_scaling"] is not None and rope["rope_scaling"]["rope_type"] != "longrope":
        read.refuse(f"unsupported RoPE scaling {rope['rope_scaling']['rope_type']}; supported: longrope")
    windows = read_window(read, by_layer=False)
    return read_decoder(read, biases=(), rope=rope, partial_rope=True, eps=1e-5, **windows) | {"rotary_dim": rotary}


def settings(config: FileConfig) -> dict[str, Any]:
    rotary = config["rotary_dim"] if config["rotary_dim"] != config["head_dim"] else 0
    return {"fused": True, "rotary": rotary, **layer_settings(config)}


def write_config(config: FileConfig) -> dict[str, Any]:
    own = write_decoder(config, "phi3") | write_window(config)
    share = config["rotary_dim"] / own.pop("head_dim")  # which is hidden_size / num_attention_heads
    if share != 1:
        own["partial_rotary_factor"] = share
    if own["rope_scaling"] is not None:
        own["original_max_position_embeddings"] = own["rope_scaling"]["original_max_position_embeddings"]
    return own


FAMILY = register(
    ModelFamily(
        name="phi3",
        model_types={"phi3": "Phi3ForCausalLM"},
        gguf="phi3",
        gguf_keys={"rotary_dim": "rope.dimension_count"},
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        table=table,
        build=Decoder,
        reference=reference.decoder,
        tiny={
            "model_type": "phi3",
            **TINY,
            "head_dim": None,
            "hidden_size": 96,
            "partial_rotary_factor": 0.67,
            "rope_scaling": {"type": "longrope", "short_factor": SHORT, "long_factor": LONG},
            "original_max_position_embeddings": 64,
        },
    )
)
