"""OLMo 2 and 3: Llama with norms only before the sums, and of all q heads together and all k heads. 3 has windows."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.errors import shown
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ...formats.hf_config import rope_scaling, shortest
from ...formats.rope_scaling import read_rope
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

PERIOD = 4  # of OLMo 3: the last layer of each group of this size has no window
WINDOW = 4096
EPS = 1e-5  # where the config does not say
THETA = 500000.0  # of OLMo 3, where the config does not say


def read_config(read: ConfigReader) -> dict[str, Any]:
    if read.raw["model_type"] == "olmo2" and not (read.is_gguf and read.raw.get("sliding_window")):
        return read_decoder(read, eps=EPS) | {"local_rope_theta": None}
    windows = read_window(read, lambda i: SLIDING if _is_local(read, i) else FULL, default_window=WINDOW)
    head_dim = read.whole("hidden_size") // read.whole("num_attention_heads")
    rope = read_rope(read, head_dim, default_theta=THETA, kind_of_layer=FULL)
    # Only the layers without the window are scaled.
    return read_decoder(read, rope=rope, eps=EPS, **windows) | {"local_rope_theta": _local_theta(read, head_dim, rope)}


def _is_local(read: ConfigReader, i: int) -> bool:
    """GGUF files have a list of the layers with the window."""
    layers = read.get("sliding_window_pattern", [])
    return bool(layers[i]) if isinstance(layers, list) and i < len(layers) else (i + 1) % PERIOD != 0


def _local_theta(read: ConfigReader, head_dim: int, rope: dict[str, Any]) -> float:
    if read.is_gguf:
        return float(rope["rope_theta"])
    # transformers gives a rope_theta outside of rope_parameters to the layers without the window only.
    inside = read.changed({"rope_theta": None})
    local = read_rope(inside, head_dim, default_theta=THETA, kind_of_layer=SLIDING, scaled=False)
    if local["rope_scaling"] is not None:
        read.refuse(f"unsupported RoPE scaling of {SLIDING} layers: {shown(local['rope_scaling'])}")
    return float(local["rope_theta"])


def write_config(config: FileConfig) -> dict[str, Any]:
    bias = {"attention_bias": config["attention_bias"]}
    if config["local_rope_theta"] is None:
        return write_decoder(config, "olmo2") | bias
    own = write_decoder(config, "olmo3") | bias | {"sliding_window": None} | write_window(config)
    scaling = rope_scaling(config) or {"rope_type": "default"}
    own["rope_parameters"] = {
        FULL: {**scaling, "rope_theta": own.pop("rope_theta")},
        SLIDING: {"rope_type": "default", "rope_theta": shortest(config["local_rope_theta"])},
    }
    own.pop("rope_scaling")
    return own


def layer_in_numpy(config: dict[str, Any], i: int) -> dict[str, Any]:
    c = reference.window_of_layer(config, i)
    if config["model_type"] == "olmo2":
        return c
    return c | {"rope_parameters": config["rope_parameters"][config["layer_types"][i]]}


FAMILY = register(
    ModelFamily(
        name="olmo2",
        model_types={"olmo2": "Olmo2ForCausalLM", "olmo3": "Olmo3ForCausalLM"},
        gguf="olmo2",
        gguf_keys={"sliding_window_pattern": "attention.sliding_window_pattern"},
        read_config=read_config,
        write_config=write_config,
        settings=lambda config: {
            **layer_settings(config),
            "pre_norms": False,
            "post_norms": True,
            "qk_row_norm": True,
        },
        table=table,
        build=Decoder,
        reference=partial(reference.decoder, pre_norms=False, post_norms=True, row_norm=True, of_layer=layer_in_numpy),
        tiny={
            "model_type": "olmo3",
            **TINY,
            "head_dim": None,
            "hidden_size": 64,
            "sliding_window": 9,
            "layer_types": [SLIDING, FULL],
            "rope_parameters": {
                SLIDING: {"rope_type": "default", "rope_theta": 500.0},
                FULL: {
                    **{"rope_type": "yarn", "rope_theta": 500.0, "factor": 4.0, "beta_fast": 4.0},
                    "original_max_position_embeddings": 16,
                },
            },
        },
    )
)
