"""Llama 2 and 3, SmolLM2; and Mistral and Ministral, which are Llama with sliding windows."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from .. import reference
from ..config import Config
from ..decoder import Decoder, table
from ..decoder_config import TINY, layer_settings, read_decoder, read_window, write_decoder, write_window
from ..family import ModelFamily
from ..mixture import GGUF_KEYS, Mixture, Names, read_experts
from ..reference_experts import mixture

BIASES = ("attention_bias", "mlp_bias")  # the keys of llama; others have no biases
WINDOWS = {"mistral": 4096, "ministral": 4096}  # where a config of these does not say
MIXTRAL = Names(
    router="block_sparse_moe.gate",
    gate="block_sparse_moe.experts.w1",
    up="block_sparse_moe.experts.w3",
    down="block_sparse_moe.experts.w2",
)
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 32.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}


def read_config(read: ConfigReader) -> dict[str, Any]:
    # Llama in transformers has no window; GGUF uses one name for both, and a window means Mistral.
    kind = "gguf" if read.is_gguf else read.raw["model_type"]
    by_layer = kind == "ministral"
    windows = read_window(read, default_window=WINDOWS.get(kind, 0), by_layer=by_layer) if kind != "llama" else {}
    unsaid: dict[str, Any] = {"theta": 1e6, "eps": 1e-5} if kind == "mixtral" else {}
    config = read_decoder(read, biases=BIASES if kind == "llama" else (), **windows, **unsaid)
    # GGUF has Mixtral under this name, too; files without experts may say that there are none.
    mixes = read.raw.get("num_experts") if read.is_gguf else read.raw["model_type"] == "mixtral"
    return config | read_experts(read, "num_local_experts", "intermediate_size") if mixes else config


def settings(config: FileConfig) -> dict[str, Any]:
    if "num_experts" not in config:
        return layer_settings(config)
    sizes = (config["num_experts"], config["num_experts_per_tok"], config["moe_intermediate_size"])
    return {**layer_settings(config), "mixture": Mixture(*sizes, names=MIXTRAL)}


def write_config(config: FileConfig) -> dict[str, Any]:
    if "num_experts" in config:
        experts = {"num_local_experts": config["num_experts"], "num_experts_per_tok": config["num_experts_per_tok"]}
        return write_decoder(config, "mixtral") | write_window(config) | experts
    if config["sliding_window"]:
        return write_decoder(config, "ministral" if config["layer_types"] else "mistral") | write_window(config)
    biases = {key: config[key] for key in ("attention_bias", "mlp_bias")}
    return write_decoder(config, "llama") | biases


FAMILY = register(
    ModelFamily(
        name="llama",
        model_types={
            **{"llama": "LlamaForCausalLM", "mistral": "MistralForCausalLM", "ministral": "MinistralForCausalLM"},
            "mixtral": "MixtralForCausalLM",
        },
        gguf="llama",
        wrappers={"mistral3": "mistral"},
        gguf_keys=GGUF_KEYS,
        interleaved=True,
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        table=table,
        build=Decoder,
        reference=partial(reference.decoder, experts=partial(mixture, norm=True)),
        tiny={"model_type": "llama", **TINY},
        presets={
            "smollm2-135m": Config("llama", 49152, 576, 1536, 30, 9, 3, 64, 8192, 1e-5, theta=1e5),
            "llama-3.2-1b": Config(
                "llama", 128256, 2048, 8192, 16, 32, 8, 64, 131072, 1e-5, theta=5e5, rope_scaling=LLAMA3
            ),
            "llama-3.1-8b": Config(
                *("llama", 128256, 4096, 14336, 32, 32, 8, 128, 131072, 1e-5),
                tied=False,
                theta=5e5,
                rope_scaling=LLAMA3 | {"factor": 8.0},
            ),
        },
    )
)
