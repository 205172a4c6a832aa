"""Qwen3.5 (text): gated delta nets in three layers of four, attention with gates in the others."""

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
from ..decoder_config import FULL, TINY, read_decoder, read_rotary, write_decoder
from ..delta_config import GGUF_KEYS, LINEAR, delta_settings, read_delta, without_extra_layers, write_delta
from ..family import Array, ModelFamily, Weights
from ..reference_states import delta_net
from ..state_layers import DeltaNet
from . import qwen2

SHARE = 0.25  # of a head's dimensions that are rotated


def read_config(read: ConfigReader) -> dict[str, Any]:
    extra = read.get("num_nextn_predict_layers", 0)
    read = without_extra_layers(qwen2.for_text(read))
    head_dim = read.whole("head_dim", 256)
    rotary, delta = read_rotary(read, head_dim, SHARE), read_delta(read)
    plain = read.changed({"layer_types": None})
    rope = read_rope(plain, rotary, partial=True)
    config = read_decoder(plain, default_head_dim=256, rope=rope, partial_rope=True)
    # GGUF files have the value heads in another order; their further layers are left aside.
    own = {"linear_tiled": True, "num_nextn_predict_layers": extra} if read.is_gguf else {}
    return config | delta | {"rotary_dim": rotary} | own


def write_config(config: FileConfig) -> dict[str, Any]:
    own = write_decoder(config, "qwen3_5_text") | write_delta(config)
    share = {"partial_rotary_factor": config["rotary_dim"] / config["head_dim"]}
    return own | share | {"attention_bias": config["attention_bias"]}


def table(config: Config) -> Iterator[Row]:
    """GGUF files name the second norm after what comes before it."""
    for row in decoder_table(config):
        yield replace(row, gguf=f"blk.{row.layer}.post_attention_norm") if row.part == "ffn_norm" else row


def forward_in_numpy(
    config: dict[str, Any], w: Weights, ids: Array, block: int, experts: reference.Experts | None = None
) -> Array:
    share = {**config, **reference.rope_of(config)}.get("partial_rotary_factor", SHARE)
    usual = config | {"partial_rotary_factor": share, "layer_types": None}
    how: dict[str, Any] = {"qk_norm": True, "norm_plus": 1.0, "gated_heads": True, "state": delta_net}
    return reference.decoder(usual, w, ids, block, experts=experts, **how)


FAMILY = register(
    ModelFamily(
        name="qwen35",
        model_types={"qwen3_5_text": "Qwen3_5ForCausalLM"},
        wrappers={"qwen3_5": "qwen3_5_text"},
        gguf="qwen35",
        gguf_keys=GGUF_KEYS,
        gguf_written=False,
        tokenizer_class="Qwen2Tokenizer",
        without_effect=r"(model\.)?mtp\..*",  # layers that guess further tokens
        read_config=read_config,
        write_config=write_config,
        settings=delta_settings,
        table=table,
        build=Decoder,
        reference=forward_in_numpy,
        tiny={
            **TINY,
            **{"model_type": "qwen3_5_text", "head_dim": 32, "partial_rotary_factor": 0.25},
            **{"linear_conv_kernel_dim": 4, "linear_key_head_dim": 8, "linear_value_head_dim": 12},
            **{"linear_num_key_heads": 2, "linear_num_value_heads": 4, "layer_types": [LINEAR, FULL]},
        },
        presets={
            "qwen3.5-4b": Config(
                *("qwen35", 248320, 2560, 9216, 32, 16, 4, 256, 262144, 1e-6),
                theta=1e7,
                rotary=64,
                qk_norm=True,
                norm_less=1.0,
                gated_heads=True,
                per_layer=tuple({} if i % 4 == 3 else {"state": DeltaNet(4, 16, 32, 128, 128)} for i in range(32)),
            )
        },
    )
)
