"""Writes a model's config as GGUF metadata: the inverse of gguf_config.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from .errors import FormatError, shown
from .family import named
from .gguf_config import gguf_names
from .rope_scaling import llama3_factors, proportional_factors

_SLIDING = "sliding_attention"
_TOLERANCE = 1e-5  # GGUF files store numbers as f32


@dataclass(frozen=True)
class Field:
    """A value of a GGUF file's metadata, and its type in the file."""

    value: Any
    type: gguf.GGUFValueType
    inner: gguf.GGUFValueType | None = None  # the type of a list's values

    @classmethod
    def of(cls, value: Any) -> Field:
        """A field of the type that GGUF files usually have for such a value."""
        kinds = gguf.GGUFValueType
        if isinstance(value, list):
            return cls(value, kinds.ARRAY, kinds.BOOL if value and isinstance(value[0], bool) else None)
        for python, kind in ((bool, kinds.BOOL), (int, kinds.UINT32), (float, kinds.FLOAT32), (str, kinds.STRING)):
            if isinstance(value, python):
                return cls(value, kind)
        raise FormatError(f"{shown(value)} cannot be written to a GGUF file")


Fields = dict[str, Field]


def _pattern(config: Mapping[str, Any]) -> int | list[bool] | None:
    """Which layers have the sliding window: all but the last of each group of this size, or those in a list."""
    if not config.get("layer_types"):
        return None
    local = [kind == _SLIDING for kind in config["layer_types"]]
    period = local.index(False) + 1
    return period if local == [(i + 1) % period != 0 for i in range(len(local))] else local


def _scale(config: Mapping[str, Any]) -> float | None:
    scalar = config.get("query_pre_attn_scalar")
    return None if scalar in (None, config["head_dim"]) else float(scalar) ** -0.5


# Keys whose form in GGUF files differs from config.json's.
_DERIVED: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "sliding_window_pattern": _pattern,
    "attention_scale": _scale,
    "rope_local_base_freq": lambda config: config.get("local_rope_theta"),
}


def config_fields(config: Mapping[str, Any]) -> Fields:
    """The keys of a checkpoint's config under their GGUF names."""
    family = named(config["model_type"])
    values: dict[str, Any] = {}
    for key, name in gguf_names(family).items():
        value = _DERIVED[key](config) if key in _DERIVED and key not in config else config.get(key)
        if value is not None:
            values[name] = float(value) if key in ("rope_theta", *_DERIVED) and isinstance(value, float) else value
    if "rope_theta" in config:
        values["rope.dimension_count"] = config.get("rotary_dim", config["head_dim"])
        values["attention.value_length"] = config["head_dim"]
        values |= _scaling_values(config["rope_scaling"])
    else:
        values.pop("attention.key_length", None)
    values |= family.gguf_values(config)
    return {f"{family.gguf}.{name}": Field.of(value) for name, value in values.items()}


def _scaling_values(scaling: Mapping[str, Any] | None) -> dict[str, Any]:
    kind = (scaling or {}).get("rope_type")
    if scaling is None or kind in ("llama3", "factors", "dynamic", "proportional"):
        return {}  # a tensor, or no effect within the model's context
    at = "rope.scaling."
    original = {f"{at}original_context_length": scaling.get("original_max_position_embeddings")}
    if kind == "linear":
        return {f"{at}type": "linear", f"{at}factor": float(scaling["factor"])}
    if kind == "longrope":
        return {f"{at}attn_factor": float(scaling["attention_factor"]), **original}
    if kind == "yarn":
        betas = {f"{at}yarn_{name}": float(scaling[name]) for name in ("beta_fast", "beta_slow")}
        return {f"{at}type": "yarn", f"{at}factor": float(scaling["factor"]), **betas, **original}
    raise FormatError(f"RoPE scaling {shown(kind)} cannot be written to a GGUF file")


def rope_tensors(config: Mapping[str, Any]) -> dict[str, NDArray[np.float32]]:
    """RoPE's tensors in GGUF files: divisors of its frequencies."""
    scaling = config.get("rope_scaling") or {}
    kind = scaling.get("rope_type")
    if kind == "llama3":
        rotary = config.get("rotary_dim", config["head_dim"])
        return {"rope_freqs.weight": llama3_factors(scaling, config["rope_theta"], rotary).astype(np.float32)}
    if kind == "factors":
        return {"rope_freqs.weight": np.array(scaling["factors"], np.float32)}
    if kind == "proportional":
        return {"rope_freqs.weight": proportional_factors(scaling["partial_rotary_factor"], scaling["head_dim"])}
    if kind == "longrope":
        return {f"rope_factors_{name}.weight": np.array(scaling[f"{name}_factor"], np.float32) for name in _LENGTHS}
    return {}


_LENGTHS = ("long", "short")


def check_same(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Refuse a config that a GGUF file cannot express: reading the file must give the same config."""
    ignored = {"bos_token_id", "eos_token_id"}  # stored with the tokenizer's fields
    for key in sorted(before.keys() | after.keys()):
        if key in ignored:
            continue
        old, new = before.get(key), after.get(key)
        if key == "rope_scaling":
            old, new = _comparable(before), _comparable(after)
        if not _close(old, new):
            raise FormatError(
                f"a GGUF file of the architecture {named(before['model_type']).gguf!r} cannot express {key} = "
                f"{shown(before.get(key))}: it would be read as {shown(after.get(key))}; use the Hugging Face format"
            )


def _comparable(config: Mapping[str, Any]) -> Any:
    scaling = config.get("rope_scaling") or {}
    if scaling.get("rope_type") in ("llama3", "factors"):
        return rope_tensors(config)["rope_freqs.weight"].tolist()
    return None if scaling.get("rope_type") in (None, "dynamic") else dict(scaling)


def _close(old: Any, new: Any) -> bool:
    if isinstance(old, dict) and isinstance(new, dict):
        return old.keys() == new.keys() and all(_close(old[key], new[key]) for key in old)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(_close, old, new))
    if isinstance(old, float | int) and isinstance(new, float | int):
        return abs(old - new) <= _TOLERANCE * max(abs(old), abs(new))
    return bool(old == new)
