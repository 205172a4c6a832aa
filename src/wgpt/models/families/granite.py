"""Granite 3 (dense), and GGUF files of Granite 4 (dense): Llama with four multipliers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ...formats.hf_config import shortest
from ..decoder_config import TINY, read_decoder, write_decoder
from . import llama

# Of the embeddings, of what each block adds, of the scores; and what divides the logits.
MULTIPLIERS = {
    "embedding_multiplier": "embedding_scale",
    "residual_multiplier": "residual_scale",
    "attention_multiplier": "attention.scale",
    "logits_scaling": "logit_scale",
}


def read_config(read: ConfigReader, biases: Sequence[str] = llama.BIASES) -> dict[str, Any]:
    if read.is_gguf:
        read.only("rope_finetuned", True)  # false: no RoPE
    return read_decoder(read, biases=biases) | {key: read.number(key, 1.0, most=1e6) for key in MULTIPLIERS}


def write_config(config: FileConfig) -> dict[str, Any]:
    biases = {key: config[key] for key in ("attention_bias", "mlp_bias")}
    return write_decoder(config, "granite") | biases | {key: shortest(config[key]) for key in MULTIPLIERS}


def settings(config: FileConfig) -> dict[str, Any]:
    return {
        "embed_scale": config["embedding_multiplier"],
        "residual_scale": config["residual_multiplier"],
        "attention_scale": config["attention_multiplier"],
        "logit_scale": 1 / config["logits_scaling"],
    }


FAMILY = register(
    replace(
        llama.FAMILY,
        name="granite",
        model_types={"granite": "GraniteForCausalLM"},
        gguf="granite",
        gguf_keys=MULTIPLIERS | {"rope_finetuned": "rope.scaling.finetuned"},
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        tiny={
            "model_type": "granite",
            **TINY,
            "embedding_multiplier": 3.0,
            "residual_multiplier": 0.4,
            "attention_multiplier": 0.2,
            "logits_scaling": 2.0,
        },
        presets={},
    )
)
