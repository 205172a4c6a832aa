"""Phi-1, 1.5 and 2: LayerNorm for attention and feed-forward together, RoPE of a part of a head, a feed-forward without
a gate, biases everywhere, also of the head."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import Row, register
from .. import reference
from ..config import Config
from ..family import ModelFamily
from ..layernorm_config import (
    GELU_TANH,
    TINY_LAYERNORM,
    layernorm_decoder_in_numpy,
    layernorm_settings,
    read_layernorm_decoder,
    write_layernorm_decoder,
)
from ..layernorm_decoder import NAMES as USUAL
from ..layernorm_decoder import LayerNormDecoder
from ..layernorm_decoder import table as layernorm_table

ROTARY = 0.5
NAMES = {
    **{key: name for key, name in USUAL.items() if key != "gate"},
    **{"norm": "model.final_layernorm", "o": "self_attn.dense", "up": "mlp.fc1", "down": "mlp.fc2"},
}


def read_config(read: ConfigReader) -> dict[str, Any]:
    if read.get("tie_word_embeddings", False):
        read.refuse("unsupported tie_word_embeddings True; supported: False")
    biases: dict[str, Any] = {"qkv_bias": True, "out_bias": True, "ffn_bias": True}
    return read_layernorm_decoder(read, acts=("gelu_new", *GELU_TANH), **biases, rotary=ROTARY)


def write_config(config: FileConfig) -> dict[str, Any]:
    own = write_layernorm_decoder(config, "phi")
    return own | {"partial_rotary_factor": config["rotary_dim"] / config["head_dim"]}


def settings(config: FileConfig) -> dict[str, Any]:
    more = {"norm_bias": True, "gated": False, "act": "gelu", "head_bias": True}
    return layernorm_settings(config, **more, parallel=True, one_norm=True)


def table(config: Config) -> Iterator[Row]:
    return layernorm_table(config, NAMES)


FAMILY = register(
    ModelFamily(
        name="phi",
        model_types={"phi": "PhiForCausalLM"},
        gguf="phi2",
        gguf_keys={"rotary_dim": "rope.dimension_count"},
        config_names={"layer_norm_eps": "layer_norm_epsilon"},
        tokenizer_class="CodeGenTokenizer",
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        table=table,
        build=LayerNormDecoder,
        reference=partial(
            layernorm_decoder_in_numpy, names=NAMES, act=reference.gelu, parallel=lambda config: True, rotary=ROTARY
        ),
        tiny={
            **{"model_type": "phi", **TINY_LAYERNORM, "hidden_act": "gelu_new", "tie_word_embeddings": False},
            "partial_rotary_factor": 0.5,
        },
    )
)
