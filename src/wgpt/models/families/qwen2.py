"""Qwen2 and Qwen2.5: Llama with biases on q, k and v, and a window that is off unless the config turns it on."""

from __future__ import annotations

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


def read_config(read: ConfigReader) -> dict[str, Any]:
    return read_decoder(read, **read_optional_window(read), always_qkv_bias=True)


def write_config(config: FileConfig) -> dict[str, Any]:
    return write_decoder(config, "qwen2", always_qkv_bias=True) | write_optional_window(config)


FAMILY = register(
    ModelFamily(
        name="qwen2",
        model_types={"qwen2": "Qwen2ForCausalLM"},
        gguf="qwen2",
        tokenizer_class="Qwen2Tokenizer",
        read_config=read_config,
        write_config=write_config,
        settings=layer_settings,
        table=table,
        build=Decoder,
        reference=reference.decoder,
        tiny={"model_type": "qwen2", **TINY},
        presets={
            "qwen2.5-1.5b": Config("qwen2", 151936, 1536, 8960, 28, 12, 2, 128, 32768, 1e-6, qkv_bias=True, theta=1e6)
        },
    )
)
