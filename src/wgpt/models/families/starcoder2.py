"""StarCoder2: LayerNorm, RoPE, grouped queries, a feed-forward without a gate, biases, and a window."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import Row, register
from .. import reference
from ..config import Config
from ..decoder_config import layer_settings, read_window, write_window
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

NAMES = {**{key: name for key, name in USUAL.items() if key != "gate"}, "up": "mlp.c_fc", "down": "mlp.c_proj"}


def read_config(read: ConfigReader) -> dict[str, Any]:
    bias = read.flag("attention_bias" if read.is_gguf else "use_bias", True)
    biases: dict[str, Any] = {"qkv_bias": bias, "out_bias": bias, "ffn_bias": bias}
    return read_layernorm_decoder(read, acts=GELU_TANH, **biases, tied=True, windows=read_window(read, by_layer=False))


def write_config(config: FileConfig) -> dict[str, Any]:
    own = write_layernorm_decoder(config, "starcoder2") | write_window(config)
    return own | {"norm_epsilon": own.pop("layer_norm_eps"), "use_bias": config["attention_bias"]}


def table(config: Config) -> Iterator[Row]:
    return layernorm_table(config, NAMES)


FAMILY = register(
    ModelFamily(
        name="starcoder2",
        model_types={"starcoder2": "Starcoder2ForCausalLM"},
        gguf="starcoder2",
        config_names={"norm_epsilon": "layer_norm_epsilon"},
        tied_by_default=True,
        read_config=read_config,
        write_config=write_config,
        settings=lambda config: {
            **layernorm_settings(config, norm_bias=True, gated=False, act="gelu"),
            **layer_settings(config),
        },
        table=table,
        build=LayerNormDecoder,
        reference=partial(layernorm_decoder_in_numpy, names=NAMES, eps="norm_epsilon", act=reference.gelu),
        tiny={
            **{"model_type": "starcoder2", **TINY_LAYERNORM, "hidden_act": GELU_TANH[0]},
            **{"norm_epsilon": 1e-3, "sliding_window": 9},
        },
    )
)
