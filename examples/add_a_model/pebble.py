"""Pebble: Llama with two settings changed. Every other layer sees only a window, and turns by a RoPE base of its own.

Import this file and wgpt loads, runs, fine-tunes and merges models whose config.json says `"model_type": "pebble"`, and
GGUF files whose architecture is `pebble`. There are none: the family is made up. docs/add-a-model.md explains it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from wgpt.formats.config_reader import ConfigReader
from wgpt.formats.family import Config
from wgpt.formats.hf_config import shortest
from wgpt.formats.rope_scaling import LEAST_THETA
from wgpt.models import reference, register
from wgpt.models.decoder_config import TINY, read_decoder, write_decoder
from wgpt.models.families.llama import FAMILY as LLAMA


def read_config(read: ConfigReader) -> dict[str, Any]:
    """The keys of config.json, checked. A key that changes the result must be read or refused, never ignored."""
    read.only("window_every", 2)
    return {
        **read_decoder(read, sliding_window=read.whole("sliding_window")),
        "local_rope_theta": read.number("local_rope_theta", 10000.0, least=LEAST_THETA),
    }


def write_config(config: Config) -> dict[str, Any]:
    """The way back, for `wgpt merge` of a GGUF file."""
    return {
        **write_decoder(config, "pebble"),
        "sliding_window": config["sliding_window"],
        "local_rope_theta": shortest(config["local_rope_theta"]),
    }


def settings(config: Config) -> dict[str, Any]:
    """Fields of models/config.py that differ from layer to layer: layers 0, 2, 4, ... are local."""
    local = {"theta": config["local_rope_theta"]}
    whole = {"window": 0}
    return {"per_layer": tuple(whole if i % 2 else local for i in range(config["num_hidden_layers"]))}


def layer_in_numpy(config: dict[str, Any], i: int) -> dict[str, Any]:
    """The same once more for the reference, out of config.json's own keys: it must not share our mistakes."""
    return config | ({"sliding_window": None} if i % 2 else {"rope_theta": config["local_rope_theta"]})


FAMILY = register(
    replace(
        LLAMA,
        name="pebble",
        model_types={"pebble": "PebbleForCausalLM"},
        gguf="pebble",
        gguf_keys={"local_rope_theta": "rope.freq_base_swa"},
        interleaved=False,  # its GGUF files keep the rows of q and k as Hugging Face does
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        reference=partial(reference.decoder, of_layer=layer_in_numpy),
        tiny={"model_type": "pebble", **TINY, "sliding_window": 7, "local_rope_theta": 30.0},
        presets={},
    )
)
