"""Ministral 3, and GGUF files of Mistral Small 3: Llama with queries that grow with their position."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ...formats.hf_config import shortest
from ...formats.rope_scaling import rope_object
from .. import reference
from ..decoder_config import TINY, layer_settings, read_decoder, read_window, write_decoder, write_window
from . import llama

GROWTH = "llama_4_scaling_beta"
THETA = 1e6
YARN = {
    **{"rope_type": "yarn", "rope_theta": THETA, "factor": 16.0, "original_max_position_embeddings": 16384},
    **{"beta_fast": 32.0, "beta_slow": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0, GROWTH: 0.1},
}


def read_config(read: ConfigReader) -> dict[str, Any]:
    if not read.is_gguf and read.get("rope_parameters", None) is None and read.get("rope_scaling", None) is None:
        read = read.changed({"rope_parameters": YARN})
    config = read_decoder(read, biases=(), eps=1e-5, default_head_dim=128, **read_window(read, by_layer=False))
    key, scaling = rope_object(read)
    inner = read if read.is_gguf else ConfigReader(scaling, read.where, {GROWTH: f"{key}.{GROWTH}"})
    growth = 0.0 if inner.get(GROWTH, *((0.0,) if read.is_gguf else ())) == 0 else inner.number(GROWTH, most=10)
    if growth and (config["rope_scaling"] or {}).get("rope_type") != "yarn":
        read.refuse(f"{inner.name(GROWTH)} needs RoPE scaling of type yarn, which says where queries begin to grow")
    return config | {"query_growth": growth}


def write_config(config: FileConfig) -> dict[str, Any]:
    own = write_decoder(config, "ministral3") | {"sliding_window": None} | write_window(config)
    growth = {GROWTH: shortest(config["query_growth"])}
    # Where queries begin to grow must be there even if they do not grow.
    plain = {"rope_type": "default", "original_max_position_embeddings": config["max_position_embeddings"]}
    own["rope_parameters"] = {**(own.pop("rope_scaling") or plain), "rope_theta": own.pop("rope_theta"), **growth}
    return own


def settings(config: FileConfig) -> dict[str, Any]:
    growth, scaling = config["query_growth"], config["rope_scaling"]
    after = {"growth": (growth, scaling["original_max_position_embeddings"])} if growth else {}
    return {**layer_settings(config), **after}


def growth_in_numpy(config: dict[str, Any]) -> tuple[float, int]:
    rope = config["rope_parameters"]
    return rope[GROWTH], rope["original_max_position_embeddings"]


FAMILY = register(
    replace(
        llama.FAMILY,
        name="ministral3",
        model_types={"ministral3": "Ministral3ForCausalLM"},
        wrappers={"mistral3": "ministral3"},
        gguf="mistral3",
        gguf_keys={GROWTH: "attention.temperature_scale", "mscale_all_dim": "rope.scaling.yarn_log_multiplier"},
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        reference=partial(reference.decoder, growth=growth_in_numpy),
        tiny={
            "model_type": "ministral3",
            **{key: value for key, value in TINY.items() if key != "rope_theta"},
            "rope_parameters": YARN | {"rope_theta": 500.0, "factor": 4.0, "original_max_position_embeddings": 12},
        },
        presets={},
    )
)
