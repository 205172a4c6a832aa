"""The config keys of families that use layernorm_decoder.py, and their forward in NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..formats.config import read_sizes
from ..formats.config_reader import ConfigReader
from ..formats.hf_config import rope_scaling, shortest
from ..formats.rope_scaling import read_rope
from . import reference
from .decoder_config import TINY, read_rotary
from .family import Array, Weights
from .layernorm_decoder import NAMES

GELU_TANH = ("gelu_pytorch_tanh", "gelu_new", "gelu_fast")
TINY_LAYERNORM: dict[str, Any] = {key: value for key, value in TINY.items() if key not in ("rms_norm_eps", "head_dim")}
TINY_LAYERNORM |= {"hidden_size": 64, "layer_norm_eps": 1e-3}
_SAME = (
    *("hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads"),
    *("max_position_embeddings", "hidden_act"),
)


def read_layernorm_decoder(
    read: ConfigReader,
    *,
    acts: tuple[str, ...],
    qkv_bias: bool,
    out_bias: bool,
    ffn_bias: bool,
    rotary: float = 1.0,
    tied: bool = False,
    theta: float = 10000.0,
    windows: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The common keys. `acts`: names of the activation, of which the first is the default; `rotary`: the part of a head
    that RoPE rotates, and `theta` its base, where the config does not say (1: all of it, whatever it says);
    `windows`: what `read_window` returns."""
    sizes = read_sizes(read, own_head_dim=read.is_gguf, tied=tied)
    read.only("hidden_act", *acts)
    read.only("qk_layernorm", False)
    partial = read.is_gguf or rotary != 1
    if not partial:
        read.only("partial_rotary_factor", 1)
    rotary_dim = read_rotary(read, sizes["head_dim"], rotary)
    act = read.get("hidden_act", acts[0])
    return {
        **sizes,
        "layer_norm_epsilon": read.number("layer_norm_epsilon", 1e-5, most=1),
        "hidden_act": GELU_TANH[0] if act in GELU_TANH else act,
        "attention_bias": qkv_bias,
        "attention_output_bias": out_bias,
        "mlp_bias": ffn_bias,
        "rotary_dim": rotary_dim,
        **(windows or {"sliding_window": None, "layer_types": None}),
        **read_rope(read, rotary_dim, default_theta=theta, partial=partial),
    }


def write_layernorm_decoder(config: Mapping[str, Any], model_type: str) -> dict[str, Any]:
    own = {"model_type": model_type, **{key: config[key] for key in _SAME}}
    own |= {"layer_norm_eps": shortest(config["layer_norm_epsilon"]), "rope_theta": shortest(config["rope_theta"])}
    return own | {"rope_scaling": rope_scaling(config)}


def layernorm_settings(config: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Fields of models/config.py."""
    rotary = config["rotary_dim"] if config["rotary_dim"] != config["head_dim"] else 0
    return {"layer_norm": True, "rotary": rotary, **more}


# In NumPy --------------------------------------------------------------------------------------------------------


def gelu_exact(x: Array) -> Array:
    return np.asarray(0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))))


def _norm(x: Array, w: Weights, name: str, eps: float) -> Array:
    centred = x - x.mean(axis=-1, keepdims=True)
    scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
    return np.asarray(centred / scale * w[f"{name}.weight"] + w.get(f"{name}.bias", 0.0))


def _project(x: Array, w: Weights, name: str) -> Array:
    return np.asarray(x @ w[f"{name}.weight"].T + w.get(f"{name}.bias", 0.0))


def layernorm_decoder_in_numpy(
    config: dict[str, Any],
    w: Weights,
    ids: Array,
    block: int,
    *,
    names: Mapping[str, str] = NAMES,
    eps: str = "layer_norm_eps",
    act: Callable[[Array], Array] | None = None,
    parallel: Callable[[dict[str, Any]], bool] = lambda config: False,
    rotary: float = 1.0,
    theta: float = 10000.0,
    interleaved: bool = False,
    of_layer: Callable[[dict[str, Any], int], dict[str, Any]] = lambda config, i: config,
) -> Array:
    """`act`: of the feed-forward without a gate; `parallel`: attention and feed-forward have the same input, and one
    norm if the weights have no other; `rotary`, `theta`: where config.json does not say; `eps`: its key there."""
    heads, epsilon = config["num_attention_heads"], config[eps]
    kv_heads = config.get("num_key_value_heads") or heads
    usual = {"rope_theta": theta, "partial_rotary_factor": rotary}
    config = {**config, **{key: value for key, value in usual.items() if config.get(key) is None}}
    x = w[f"{names['embed']}.weight"][ids]
    for i in range(config["num_hidden_layers"]):
        c, at = of_layer(config, i), names["layer"].format(i)
        part = {key: at + name for key, name in names.items() if key not in ("embed", "norm", "head", "layer")}
        y = _norm(x, w, part["attention_norm"], epsilon)
        if "qkv" in part:  # grouped by head: q, k, v
            q, k, v = np.split(reference.split_heads(_project(y, w, part["qkv"]), heads), 3, axis=-1)
        else:
            q = reference.split_heads(_project(y, w, part["q"]), heads)
            k, v = (reference.split_heads(_project(y, w, part[key]), kv_heads) for key in "kv")
        if c.get("turns", True):
            angles = np.arange(len(ids))[:, None] * reference.frequencies(c, len(ids))
            q, k = (reference.rotated(z, angles, interleaved) for z in (q, k))
        attended = x + _project(reference.attention(q, k, v, c.get("sliding_window"), block), w, part["o"])
        if f"{part['ffn_norm']}.weight" in w:
            y = _norm(x if parallel(config) else attended, w, part["ffn_norm"], epsilon)
        h = _project(y, w, part["up"])
        h = act(h) if act is not None else reference.silu(_project(y, w, part["gate"])) * h
        x = attended + _project(h, w, part["down"])
    return _norm(x, w, names["norm"], epsilon)
