"""Qwen3, and the text part of Qwen3-VL: Llama with norms of the q and k heads, and an independent head_dim."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from .. import reference
from ..config import Config
from ..decoder import Decoder, table
from ..decoder_config import (
    TINY,
    layer_settings,
    read_decoder,
    read_optional_window,
    write_decoder,
    write_optional_window,
)
from ..family import ModelFamily
from . import qwen2


def read_config(read: ConfigReader) -> dict[str, Any]:
    read = qwen2.for_text(read)
    if read.is_gguf or read.raw["model_type"] != "qwen3_vl_text":
        return read_decoder(read, **read_optional_window(read), default_head_dim=128)
    return read_decoder(read, default_head_dim=128, theta=5e5)  # it has no window


def write_config(config: FileConfig) -> dict[str, Any]:
    own = {"attention_bias": config["attention_bias"]}
    return write_decoder(config, "qwen3") | own | write_optional_window(config)


FAMILY = register(
    ModelFamily(
        name="qwen3",
        model_types={"qwen3": "Qwen3ForCausalLM", "qwen3_vl_text": "Qwen3VLForConditionalGeneration"},
        wrappers={"qwen3_vl": "qwen3_vl_text"},
        gguf="qwen3",
        gguf_aliases=("qwen3vl",),
        tokenizer_class="Qwen2Tokenizer",
        read_config=read_config,
        write_config=write_config,
        settings=lambda config: {"qk_norm": True, **layer_settings(config)},
        table=table,
        build=Decoder,
        reference=partial(reference.decoder, qk_norm=True),
        tiny={"model_type": "qwen3", **TINY},
        presets={"qwen3-4b": Config("qwen3", 151936, 2560, 9728, 36, 32, 8, 128, 40960, 1e-6, theta=1e6, qk_norm=True)},
    )
)
