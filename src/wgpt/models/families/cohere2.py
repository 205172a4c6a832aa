"""Command-R7B: Command-R with a window in three of four layers, and RoPE only there."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.errors import shown
from ...formats.family import Config as FileConfig
from ...formats.family import register
from .. import reference
from ..decoder_config import FULL, SLIDING, layer_settings, read_window, write_window
from ..layernorm_config import TINY_LAYERNORM, layernorm_decoder_in_numpy
from . import cohere

PERIOD = 4  # the last layer of each group of this size has neither window nor RoPE
THETA = 10000.0


def read_config(read: ConfigReader) -> dict[str, Any]:
    read.only("rotary_pct", 1)
    windows = read_window(read, lambda i: SLIDING if (i + 1) % _period(read) else FULL, default_window=4096)
    count = read.whole("num_hidden_layers")
    kinds = windows["layer_types"] or [SLIDING if windows["sliding_window"] else FULL] * count
    return cohere.read_config(read, THETA, windows=windows) | {
        "no_rope_layers": [int(kind == SLIDING) for kind in kinds]
    }


def _period(read: ConfigReader) -> int:
    """GGUF files may have a list of the layers with the window, which must be the usual ones."""
    pattern = read.get("sliding_window_pattern", PERIOD)
    if isinstance(pattern, list) and all(bool(local) == ((i + 1) % PERIOD != 0) for i, local in enumerate(pattern)):
        return PERIOD
    if type(pattern) is not int or pattern < 1:
        read.refuse(
            f"unsupported {read.name('sliding_window_pattern')} {shown(pattern)}; supported: a number of layers"
        )
    return pattern


def write_config(config: FileConfig) -> dict[str, Any]:
    own = {**cohere.write_config(config), "model_type": "cohere2", "sliding_window": None, **write_window(config)}
    return own | {"layer_types": [SLIDING if turns else FULL for turns in config["no_rope_layers"]]}


def layer_in_numpy(config: dict[str, Any], i: int) -> dict[str, Any]:
    c = reference.window_of_layer(config, i)
    return c | {"turns": c["sliding_window"] is not None}


FAMILY = register(
    replace(
        cohere.FAMILY,
        name="cohere2",
        model_types={"cohere2": "Cohere2ForCausalLM"},
        gguf="cohere2",
        gguf_keys={**cohere.FAMILY.gguf_keys, "sliding_window_pattern": "attention.sliding_window_pattern"},
        read_config=read_config,
        write_config=write_config,
        settings=lambda config: {**cohere.settings(config), **layer_settings(config)},
        reference=partial(
            layernorm_decoder_in_numpy,
            theta=THETA,
            interleaved=True,
            parallel=lambda config: True,
            of_layer=layer_in_numpy,
        ),
        tiny={
            **{"model_type": "cohere2", **TINY_LAYERNORM, "logit_scale": 0.5},
            **{"sliding_window": 9, "layer_types": [SLIDING, FULL]},
        },
    )
)
