"""EXAONE 4: Llama with norms of the q and k heads and before the sums only. 32B has windows, and RoPE only there."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.errors import shown
from ...formats.family import Config as FileConfig
from ...formats.family import register
from .. import reference
from ..decoder import Decoder, table
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
from ..family import ModelFamily

PERIOD = 4  # the last layer of each group of this size has neither window nor RoPE
WINDOW = 4096


def read_config(read: ConfigReader) -> dict[str, Any]:
    no_window = not read.raw.get("sliding_window") and (read.is_gguf or "sliding_window" in read.raw)
    if no_window:
        return read_decoder(read, biases=(), eps=1e-5) | {"no_rope_layers": None}
    windows = read_window(read, lambda i: SLIDING if _is_local(read, i) else FULL, default_window=WINDOW)
    kinds = windows["layer_types"] or [SLIDING if windows["sliding_window"] else FULL] * read.whole("num_hidden_layers")
    if SLIDING not in kinds:
        read.refuse(f"sliding_window is {shown(read.raw.get('sliding_window'))}, but no layer has it")
    config = read_decoder(read, biases=(), eps=1e-5, **windows)
    return config | {"no_rope_layers": [int(kind == SLIDING) for kind in kinds]}


def _is_local(read: ConfigReader, i: int) -> bool:
    """A period, a string such as LLLG, or (GGUF) a list of the layers with the window."""
    pattern = read.get("sliding_window_pattern", PERIOD)
    if isinstance(pattern, list) and i < len(pattern):
        return bool(pattern[i])
    if isinstance(pattern, str) and pattern and {"L", "G"}.issuperset(pattern):
        return pattern[i % len(pattern)] == "L" and i + 1 < read.whole("num_hidden_layers")
    if type(pattern) is not int or pattern < 1:
        read.refuse(f"{read.name('sliding_window_pattern')} is {shown(pattern)}, neither a number nor Ls and Gs")
    return (i + 1) % pattern != 0


def write_config(config: FileConfig) -> dict[str, Any]:
    own = {"sliding_window": None, "sliding_window_pattern": None, **write_window(config)}
    if config["sliding_window"]:
        turns = config["no_rope_layers"]
        own["layer_types"] = [SLIDING if turn else FULL for turn in turns]
        own["sliding_window_pattern"] = PERIOD
    return write_decoder(config, "exaone4") | own


def layer_in_numpy(config: dict[str, Any], i: int) -> dict[str, Any]:
    c = reference.window_of_layer(config, i)
    return c | {"turns": config["sliding_window"] is None or c["sliding_window"] is not None}


FAMILY = register(
    ModelFamily(
        name="exaone4",
        model_types={"exaone4": "Exaone4ForCausalLM"},
        gguf="exaone4",
        gguf_keys={"sliding_window_pattern": "attention.sliding_window_pattern"},
        read_config=read_config,
        write_config=write_config,
        settings=lambda config: {
            **layer_settings(config),
            **{"pre_norms": False, "post_norms": True, "qk_norm": True},
        },
        table=table,
        build=Decoder,
        reference=partial(reference.decoder, pre_norms=False, post_norms=True, qk_norm=True, of_layer=layer_in_numpy),
        tiny={
            "model_type": "exaone4",
            **TINY,
            "sliding_window": 9,
            "layer_types": [SLIDING, FULL],
            "sliding_window_pattern": PERIOD,
        },
    )
)
