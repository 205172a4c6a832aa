"""The config keys of families that use decoder.py: reading them from config.json, and writing them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..formats import FormatError
from ..formats.config import read_sizes
from ..formats.config_reader import ConfigReader
from ..formats.errors import shown
from ..formats.hf_config import rope_scaling, shortest
from ..formats.rope_scaling import read_rope, rope_object

_SAME = (
    *("hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads"),
    *("head_dim", "max_position_embeddings", "hidden_act"),
)
# All sizes differ, so that none can be mistaken for another, and are odd where they can be: no vector or tile divides
# them. eps is large enough to matter.
TINY: dict[str, Any] = {
    "hidden_size": 63,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "intermediate_size": 75,
    "hidden_act": "silu",
    "max_position_embeddings": 64,
    "rms_norm_eps": 1e-3,
    "rope_theta": 500.0,
    "tie_word_embeddings": True,
    "vocab_size": 61,
}


def read_decoder(
    read: ConfigReader,
    *,
    sliding_window: int | None = None,
    layer_types: list[str] | None = None,
    default_head_dim: int | None = None,
    always_qkv_bias: bool = False,
    biases: Sequence[str] = ("attention_bias",),
    acts: Sequence[str] = ("silu", "swish"),
    tied: bool = False,
    rope: Mapping[str, Any] | None = None,
    partial_rope: bool = False,
    theta: float = 10000.0,
    eps: float = 1e-6,
) -> dict[str, Any]:
    """`sliding_window` and `layer_types`: what `read_window` returns. `rope`: rope_theta and rope_scaling, if read.
    `partial_rope`: the family reads partial_rotary_factor.

    `always_qkv_bias`: q, k and v always have biases, and o has none. `biases`: the keys of config.json that say which
    matrices have some. `acts`: the names of the gate's activation, of which the first is the default. Where the config
    does not say: `tied`: whether the head is tied; `theta`: the base of RoPE; `eps`: that of norms.
    """
    sizes = read_sizes(read, default_head_dim=default_head_dim, tied=tied)
    read.only("hidden_act", *acts)
    if not partial_rope:
        read.only("partial_rotary_factor", 1)
    if sizes["head_dim"] % 2:
        read.refuse(f"head_dim is {sizes['head_dim']}; RoPE rotates pairs, so it must be even")
    keys = ("attention_bias", "attention_output_bias", "mlp_bias") if read.is_gguf else biases
    bias = always_qkv_bias or ("attention_bias" in keys and read.flag("attention_bias", False))
    out_bias = bias and not always_qkv_bias
    if "attention_output_bias" in keys:
        out_bias = read.flag("attention_output_bias", out_bias)
    return {
        **sizes,
        "rms_norm_eps": read.number("rms_norm_eps", eps, most=1),
        "hidden_act": acts[0],
        "attention_bias": bias,
        "attention_output_bias": out_bias,
        "mlp_bias": "mlp_bias" in keys and read.flag("mlp_bias", False),
        "sliding_window": sliding_window,
        "layer_types": layer_types,
        **(read_rope(read, sizes["head_dim"], default_theta=theta) if rope is None else rope),
    }


def read_rotary(read: ConfigReader, head_dim: int, default: float = 1.0, multiple: int = 2) -> int:
    """How many of a head's dimensions are rotated: as GGUF files say (rotary_dim), or a fraction of them.

    `multiple`: of what it must be one. Pairs of neighbours need 8.
    """
    own = rope_object(read)[1].get("partial_rotary_factor")
    share = ConfigReader({"partial_rotary_factor": own}, read.where) if own is not None else read
    rotary = int(head_dim * share.number("partial_rotary_factor", default, most=1))
    if read.is_gguf:
        rotary = read.whole("rotary_dim", rotary, least=0)
    if rotary % multiple or not multiple <= rotary <= head_dim:
        read.refuse(f"RoPE rotates {rotary} of {head_dim} dimensions of a head; it must be a multiple of {multiple}")
    return rotary


# Layers ----------------------------------------------------------------------------------------------------------

SLIDING, FULL = "sliding_attention", "full_attention"  # values of layer_types: with the window, without it
OPTIONAL_WINDOW = 4096  # the window if use_sliding_window is true and the config has none


def read_window(
    read: ConfigReader,
    default: Callable[[int], str] = lambda i: SLIDING,
    default_window: int = 0,
    by_layer: bool = True,
) -> dict[str, Any]:
    """`sliding_window`, the window or None; and `layer_types` if only some layers have it, else None.

    `default`: the kind of the i-th layer if the config has no layer_types; `default_window`: if it has no window at
    all (null is no window); `by_layer`: layer_types counts, otherwise all layers have the window in transformers.
    """
    missing = "sliding_window" not in read.raw or read.is_gguf
    window = read.whole("sliding_window", default_window if missing else 0, least=0)
    count = read.whole("num_hidden_layers")
    kinds = read.get("layer_types", [default(i) for i in range(count)])
    if not isinstance(kinds, list) or len(kinds) != count or not {SLIDING, FULL}.issuperset(map(str, kinds)):
        read.refuse(f"layer_types is {shown(kinds)}, not a list of {SLIDING} or {FULL} for each of {count} layers")
    if not (by_layer or read.is_gguf) and set(kinds) != {SLIDING} and (window or set(kinds) != {FULL}):
        read.refuse(f"layer_types is {shown(kinds)}, but the window is that of all layers: remove layer_types")
    if not window or SLIDING not in kinds:
        return {"sliding_window": None, "layer_types": None}
    return {"sliding_window": window, "layer_types": kinds if FULL in kinds else None}


def read_optional_window(
    read: ConfigReader, has_window: Callable[[int, int], bool] = lambda i, first: i >= first, first: int = 28
) -> dict[str, Any]:
    """As read_window, for families where use_sliding_window enables the window. `has_window`: whether the i-th layer
    has it, from max_window_layers, if the config has no layer_types; `first`: the default of max_window_layers."""
    if not read.flag("use_sliding_window", False):
        kinds = read.get("layer_types", [FULL])
        if not isinstance(kinds, list) or any(kind != FULL for kind in kinds):
            read.refuse(f"layer_types is {shown(kinds)}, but use_sliding_window is false: supported: {FULL} in all")
        return {"sliding_window": None, "layer_types": None}
    first = read.whole("max_window_layers", first, least=0)
    return read_window(read, lambda i: SLIDING if has_window(i, first) else FULL, default_window=OPTIONAL_WINDOW)


def layer_settings(config: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of models/config.py that differ between layers. Layers with the window may have another RoPE; those with a
    zero in no_rope_layers have none."""
    theta, count = config.get("local_rope_theta"), config["num_hidden_layers"]
    local = {} if theta is None else {"theta": theta, "rope_scaling": None}
    kinds = config["layer_types"] or [SLIDING if config["sliding_window"] else FULL] * count
    rope = config.get("no_rope_layers") or [1] * count
    layers = tuple(
        (local if kind == SLIDING else {"window": 0}) | ({} if turns else {"rope": False})
        for kind, turns in zip(kinds, rope, strict=True)
    )
    usual: tuple[dict[str, Any], ...] = ({}, {"window": config["sliding_window"] or 0})
    return {"per_layer": layers} if any(layer not in usual for layer in layers) else {}


def write_window(config: Mapping[str, Any]) -> dict[str, Any]:
    """Write the keys that read_window reads."""
    if not config["sliding_window"]:
        return {}
    kinds = {"layer_types": config["layer_types"]} if config["layer_types"] else {}
    return {"sliding_window": config["sliding_window"], **kinds}


def write_optional_window(config: Mapping[str, Any]) -> dict[str, Any]:
    """Write the keys that read_optional_window reads."""
    return {"use_sliding_window": True, "max_window_layers": 0, **write_window(config)} if write_window(config) else {}


def write_decoder(config: Mapping[str, Any], model_type: str, always_qkv_bias: bool = False) -> dict[str, Any]:
    """Write the common keys of config.json."""
    bias, out_bias = config["attention_bias"], config["attention_output_bias"]
    if out_bias != (bias and not always_qkv_bias):
        raise FormatError(f"a {model_type} config.json cannot express biases in {'q, k, v' if bias else 'o'} only")
    numbers = {key: shortest(config[key]) for key in ("rms_norm_eps", "rope_theta")}
    same = {key: config[key] for key in _SAME}
    return {"model_type": model_type, **same, "rope_scaling": rope_scaling(config), **numbers}
