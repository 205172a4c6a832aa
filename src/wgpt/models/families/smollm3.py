"""SmolLM3: Llama without RoPE in every fourth layer."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.errors import shown
from ...formats.family import Config as FileConfig
from ...formats.family import register
from .. import reference
from ..config import Config
from ..decoder_config import (
    FULL,
    SLIDING,
    TINY,
    layer_settings,
    read_decoder,
    read_window,
    write_decoder,
    write_window,
)
from . import llama

INTERVAL = 4  # GGUF files do not have it


def read_config(read: ConfigReader) -> dict[str, Any]:
    count, interval = read.whole("num_hidden_layers"), read.whole("no_rope_layer_interval", INTERVAL)
    rope = read.get("no_rope_layers", [int((i + 1) % interval != 0) for i in range(count)])
    if not isinstance(rope, list) or len(rope) != count or not {0, 1}.issuperset(rope):
        read.refuse(f"no_rope_layers is {shown(rope)}, not a list of 0 or 1 for each of {count} layers")
    windows = {}
    if read.flag("use_sliding_window", False):
        windows = read_window(read, lambda i: FULL if rope[i] else SLIDING)
    return read_decoder(read, tied=True, theta=2e6, biases=llama.BIASES, **windows) | {"no_rope_layers": rope}


def write_config(config: FileConfig) -> dict[str, Any]:
    more = {key: config[key] for key in ("attention_bias", "mlp_bias", "no_rope_layers")}
    windows = write_window(config)
    return write_decoder(config, "smollm3") | more | ({"use_sliding_window": True, **windows} if windows else {})


def layer_in_numpy(config: dict[str, Any], i: int) -> dict[str, Any]:
    return reference.window_of_layer(config, i) | {"turns": bool(config["no_rope_layers"][i])}


FAMILY = register(
    replace(
        llama.FAMILY,
        name="smollm3",
        model_types={"smollm3": "SmolLM3ForCausalLM"},
        gguf="smollm3",
        tied_by_default=True,
        read_config=read_config,
        write_config=write_config,
        settings=layer_settings,
        reference=partial(reference.decoder, of_layer=layer_in_numpy),
        tiny={"model_type": "smollm3", **TINY, "no_rope_layers": [1, 0]},
        presets={
            "smollm3-3b": Config(
                *("smollm3", 128256, 2048, 11008, 36, 16, 4, 128, 65536, 1e-6),
                theta=5e6,
                per_layer=tuple({"rope": False} if i % INTERVAL == INTERVAL - 1 else {} for i in range(36)),
            )
        },
    )
)
