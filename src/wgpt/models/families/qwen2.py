"""Qwen2 and Qwen2.5, and the text part of their VL models: Llama with biases on q, k and v, and a window that is off
unless the config turns it on."""

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

# The text parts, as configs call them; configs of 2024 and 2025 are not nested.
VL = {"qwen2_vl": "qwen2_vl_text", "qwen2_5_vl": "qwen2_5_vl_text"}


def for_text(read: ConfigReader) -> ConfigReader:
    """Drop M-RoPE's sections: it has positions in time, height and width, which are equal for text, so it is plain
    RoPE.
    """
    changed = {}
    for key in ("rope_parameters", "rope_scaling"):
        scaling = read.raw.get(key)
        if isinstance(scaling, dict) and "mrope_section" in scaling:
            kinds = {name: "default" for name in ("type", "rope_type") if scaling.get(name) == "mrope"}
            changed[key] = scaling | kinds
    return read.changed(changed)


def read_config(read: ConfigReader) -> dict[str, Any]:
    read = for_text(read)
    if read.is_gguf or read.raw["model_type"] == "qwen2":
        return read_decoder(read, **read_optional_window(read), always_qkv_bias=True)
    return read_decoder(read, **read_optional_window(read, first=80), always_qkv_bias=True, theta=1e6, eps=1e-5)


def write_config(config: FileConfig) -> dict[str, Any]:
    return write_decoder(config, "qwen2", always_qkv_bias=True) | write_optional_window(config)


FAMILY = register(
    ModelFamily(
        name="qwen2",
        model_types={
            "qwen2": "Qwen2ForCausalLM",
            **dict.fromkeys(("qwen2_vl", "qwen2_vl_text"), "Qwen2VLForConditionalGeneration"),
            **dict.fromkeys(("qwen2_5_vl", "qwen2_5_vl_text"), "Qwen2_5_VLForConditionalGeneration"),
        },
        wrappers=VL,
        gguf="qwen2",
        gguf_aliases=("qwen2vl",),
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
