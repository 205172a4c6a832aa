"""RoPE in a config: its base, and how it was scaled to a longer context.

rope_scaling is None or has a rope_type:
  linear     factor
  dynamic    factor, which has no effect within the model's context
  llama3     factor, low_freq_factor, high_freq_factor, original_max_position_embeddings
  yarn       factor, beta_fast, beta_slow, truncate, attention_factor, original_max_position_embeddings
  longrope   short_factor, long_factor (head_dim / 2 numbers that divide the frequencies of contexts up to and beyond
             original_max_position_embeddings), attention_factor
  factors    factors: head_dim / 2 numbers that divide the frequencies, which is how GGUF files store llama3's
  proportional   partial_rotary_factor: pairs beyond this share of a head of `head_dim` dimensions do not turn
attention_factor multiplies rotated queries and keys.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .config_reader import ConfigReader
from .errors import shown

# Angles are kept as fractions of a turn, so no pair may turn by a whole one (2 pi) from a position to the next. The
# fastest turns by 1 divided by its factor where theta is 1 or more.
LEAST_THETA, _LEAST_FACTOR = 1.0, 0.2
_ORIGINAL = "original_max_position_embeddings"


def rope_object(read: ConfigReader, kind_of_layer: str = "", scaled: bool = True) -> tuple[str, dict[str, Any]]:
    """What a config says about RoPE, and where: rope_scaling, or transformers 5's rope_parameters.

    As in transformers, a rope_scaling stands instead of rope_parameters, whose rope_theta then does not count either.
    But where rope_parameters has an object for each kind of layer (`kind_of_layer`: of these), it is added to that of
    the layers that are `scaled`.
    """
    objects = {key: read.get(key, None) or {} for key in ("rope_parameters", "rope_scaling")}
    for key, value in objects.items():
        if not isinstance(value, dict):
            read.refuse(f"{key} is {shown(value)}, not an object")
    parameters, scaling = objects["rope_parameters"], objects["rope_scaling"]
    if not kind_of_layer:
        key = "rope_scaling" if scaling else "rope_parameters"
        if nested := [name for name, value in objects[key].items() if isinstance(value, dict)]:
            read.refuse(f"unsupported {key}.{nested[0]}: this family has one RoPE for all layers")
        return key, objects[key]
    for name, value in parameters.items():
        if not isinstance(value, dict | None):
            read.refuse(f"rope_parameters.{name} is {shown(value)}, not an object with the RoPE of a kind of layer")
    own = parameters.get(kind_of_layer) or {}
    if scaled and "type" in scaling and "rope_type" not in scaling:
        read.refuse("rope_scaling has a type but no rope_type, which transformers would read as no scaling: rename it")
    return ("rope_scaling", {**own, **scaling}) if scaled and scaling else (f"rope_parameters.{kind_of_layer}", own)


def read_rope(
    read: ConfigReader,
    head_dim: int,
    *,
    default_theta: float = 10000.0,
    kind_of_layer: str = "",
    scaled: bool = True,
    theta: str = "rope_theta",
    also_longrope: tuple[str, ...] = (),
    partial: bool = False,
    original: int | None = None,
) -> dict[str, Any]:
    """rope_theta and rope_scaling. `kind_of_layer` and `scaled`: see rope_object; `theta`: the key that has the base if
    the object does not.

    `also_longrope`: other names of this scaling; `partial`: only a part of a head may be rotated, `head_dim` of it;
    `original`: the default of original_max_position_embeddings where it is one of the family's own keys.
    """
    key_of, scaling = rope_object(read, kind_of_layer, scaled)
    outside = read.get(_ORIGINAL, None if read.is_gguf else original)
    if scaling and outside is not None and not kind_of_layer:  # it overrides that of the scaling
        scaling = {**scaling, _ORIGINAL: outside}
    inner = ConfigReader(scaling, read.where, {key: f"{key_of}.{key}" for key in scaling})
    if not partial:
        inner.only("partial_rotary_factor", 1)
    if "rope_theta" in scaling:
        base = inner.number("rope_theta", least=LEAST_THETA)
    else:
        base = read.number(theta, default_theta, least=LEAST_THETA)
    kind = scaling.get("rope_type") or scaling.get("type") or "default"
    if not isinstance(kind, str):
        read.refuse(f"unsupported {key_of} type {shown(kind)}")
    if kind == "default":
        return {"rope_theta": base, "rope_scaling": None}
    if kind in also_longrope:
        kind = "longrope"
    readers = {"linear": _factor, "dynamic": _factor, "llama3": _llama3, "yarn": _yarn}
    if kind == "yarn" and base <= LEAST_THETA:
        read.refuse(f"rope_theta is {base:g}; yarn needs more than {LEAST_THETA:g}")
    if kind in readers:
        settings = readers[kind](read, inner)
    elif kind == "longrope":
        settings = _longrope(read, inner, head_dim // 2)
    elif kind == "factors" and read.is_gguf:
        settings = {"factors": _factors(read, "rope_factors", scaling.get("factors"), head_dim // 2)}
    else:
        known = ", ".join(("default", *readers, "longrope"))
        read.refuse(f"unsupported {key_of} type {shown(kind)}; supported: {known}")
    return {"rope_theta": base, "rope_scaling": {"rope_type": kind, **settings}}


def _factor(read: ConfigReader, inner: ConfigReader) -> dict[str, Any]:
    return {"factor": inner.number("factor", least=_LEAST_FACTOR)}


def _llama3(read: ConfigReader, inner: ConfigReader) -> dict[str, Any]:
    settings = _factor(read, inner) | {key: inner.number(key) for key in ("low_freq_factor", "high_freq_factor")}
    settings[_ORIGINAL] = inner.whole(_ORIGINAL)
    if settings["low_freq_factor"] >= settings["high_freq_factor"]:
        low, high = settings["low_freq_factor"], settings["high_freq_factor"]
        read.refuse(f"rope_scaling.low_freq_factor {low:g} must be below high_freq_factor {high:g}")
    return settings


def _yarn(read: ConfigReader, inner: ConfigReader) -> dict[str, Any]:
    original = inner.whole(_ORIGINAL, read.whole("max_position_embeddings"))
    factor = inner.number("factor", read.whole("max_position_embeddings") / original, least=_LEAST_FACTOR)
    usual = _mscale(factor)
    if inner.raw.get("mscale") and inner.raw.get("mscale_all_dim"):
        usual = _mscale(factor, inner.number("mscale")) / _mscale(factor, inner.number("mscale_all_dim"))
    return {
        "factor": factor,
        "beta_fast": inner.number("beta_fast", 32.0),
        "beta_slow": inner.number("beta_slow", 1.0),
        "truncate": inner.flag("truncate", True),
        "attention_factor": inner.number("attention_factor", usual, most=1e3),
        _ORIGINAL: original,
    }


def _mscale(factor: float, weight: float = 1.0) -> float:
    return 0.1 * weight * math.log(factor) + 1.0 if factor > 1 else 1.0


def _longrope(read: ConfigReader, inner: ConfigReader, pairs: int) -> dict[str, Any]:
    most = read.whole("max_position_embeddings")
    original = inner.whole(_ORIGINAL, most)
    factor = inner.number("factor", most / original, least=_LEAST_FACTOR)
    usual = math.sqrt(1 + math.log(factor) / math.log(original)) if factor > 1 and original > 1 else 1.0
    names = ("short_factor", "long_factor")
    return {
        **{key: _factors(read, f"rope_scaling.{key}", inner.raw.get(key), pairs) for key in names},
        "attention_factor": inner.number("attention_factor", usual, most=1e3),
        _ORIGINAL: original,
    }


def _factors(read: ConfigReader, key: str, factors: Any, count: int) -> list[float]:
    name = read.name(key)
    if not isinstance(factors, list) or len(factors) != count:
        read.refuse(f"{name} must have {count} values, half of head_dim, not {shown(factors)}")
    if not all(type(f) in (int, float) and math.isfinite(f) and f >= _LEAST_FACTOR for f in factors):
        read.refuse(f"{name} has a factor that is not finite or below {_LEAST_FACTOR:g}: {shown(factors)}")
    return [float(f) for f in factors]


NEVER = 1e30  # GGUF's divisor for a pair that does not rotate


def proportional_factors(share: float, head_dim: int) -> NDArray[np.float32]:
    """The divisors of the frequencies of such a RoPE in GGUF files."""
    turning = int(share * head_dim // 2)
    return np.array([1.0] * turning + [NEVER] * (head_dim // 2 - turning), np.float32)


def llama3_factors(scaling: Mapping[str, Any], theta: float, dim: int) -> NDArray[np.float64]:
    """The divisor of each frequency in llama3's scaling."""
    low, high = float(scaling["low_freq_factor"]), float(scaling["high_freq_factor"])
    plain = theta ** (-np.arange(0, dim, 2) / dim)
    turns = scaling[_ORIGINAL] * plain / (2 * math.pi)
    kept = np.clip((turns - low) / (high - low), 0.0, 1.0)
    return np.asarray(1 / (kept + (1 - kept) / float(scaling["factor"])))
