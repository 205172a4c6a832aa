"""One vocabulary of config keys for all families: Hugging Face's, checked and with nothing left to guess.

`normalised` gives: model_type (llama, qwen2, qwen3, gpt2), vocab_size, hidden_size, intermediate_size,
num_hidden_layers, num_attention_heads, num_key_value_heads, head_dim, max_position_embeddings, hidden_act,
tie_word_embeddings, attention_bias (q, k, v), attention_output_bias, mlp_bias, bos_token_id (or None),
eos_token_id (a list). With RoPE: rms_norm_eps, rope_theta, rope_scaling, sliding_window (or None).
gpt2: layer_norm_epsilon.

rope_scaling is None or has a rope_type: linear (factor), llama3 (factor, low_freq_factor, high_freq_factor,
original_max_position_embeddings), or factors (factors: head_dim / 2 numbers that divide the frequencies, which
is how GGUF files keep llama3's).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NoReturn

from .errors import FormatError, shown

FAMILIES = ("llama", "qwen2", "qwen3", "gpt2")
# Mistral is llama with a sliding window.
MODEL_TYPES = {"llama": "llama", "mistral": "llama", "qwen2": "qwen2", "qwen3": "qwen3", "gpt2": "gpt2"}
_GPT2_KEYS = {
    "n_embd": "hidden_size",
    "n_layer": "num_hidden_layers",
    "n_head": "num_attention_heads",
    "n_positions": "max_position_embeddings",
    "n_inner": "intermediate_size",
    "activation_function": "hidden_act",
}
_GELU_TANH = ("gelu_new", "gelu_pytorch_tanh", "gelu_fast")
# Far above any model there is; a value beyond them comes from a damaged file.
_MOST = {"vocab_size": 1 << 24, "num_hidden_layers": 1 << 12, "num_attention_heads": 1 << 12, "head_dim": 1 << 12}
_MOST |= {"hidden_size": 1 << 20, "intermediate_size": 1 << 22, "max_position_embeddings": 1 << 30}
_REQUIRED = object()


class _Reader:
    """Values of a config by key; a message names the key as its file spells it."""

    def __init__(self, raw: Mapping[str, Any], where: str, spelled: Mapping[str, str]) -> None:
        self.raw, self.where, self.spelled = raw, where, spelled

    def refuse(self, message: str) -> NoReturn:
        raise FormatError(f"{self.where}: {message}")

    def name(self, key: str) -> str:
        return self.spelled.get(key, key)

    def get(self, key: str, default: Any = _REQUIRED) -> Any:
        value = self.raw.get(key)  # null is as good as not there
        if value is None and default is _REQUIRED:
            self.refuse(f"lacks {self.name(key)}, without which the model cannot be built")
        return default if value is None else value

    def whole(self, key: str, default: Any = _REQUIRED, least: int = 1) -> int:
        value = self.get(key, default)
        most = _MOST.get(key, 1 << 30)
        if type(value) is not int or not least <= value <= most:
            self.refuse(f"{self.name(key)} is {shown(value)}, not a whole number from {least} to {most}")
        return value

    def number(self, key: str, default: Any = _REQUIRED, most: float = 1e15) -> float:
        value = self.get(key, default)
        if type(value) not in (int, float) or not 0 < value <= most:
            self.refuse(f"{self.name(key)} is {shown(value)}, not a number above 0 and up to {most:g}")
        return float(value)

    def flag(self, key: str, default: bool) -> bool:
        value = self.get(key, default)
        if not isinstance(value, bool):
            self.refuse(f"{self.name(key)} is {shown(value)}, not true or false")
        return value

    def only(self, key: str, *allowed: Any) -> None:
        """Refuse what would be computed wrongly: a key may be missing or have one of these values."""
        if (value := self.get(key, allowed[0])) not in allowed:
            choices = " or ".join(map(shown, allowed))
            self.refuse(f"{self.name(key)} is {shown(value)}; models are run only with {choices}")


def normalised(raw: Mapping[str, Any], where: str, spelled: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A config.json's contents (or a GGUF file's, under the same keys) as the keys listed above."""
    kind = raw.get("model_type")
    if not isinstance(kind, str) or kind not in MODEL_TYPES:
        known = ", ".join(MODEL_TYPES)
        raise FormatError(f"{where}: model_type is {shown(kind)}, which is not run here; there are {known}")
    if kind == "gpt2":
        spelled = {new: old for old, new in _GPT2_KEYS.items() if old in raw} | dict(spelled or {})
        raw = {_GPT2_KEYS.get(key, key): value for key, value in raw.items()}
    read = _Reader(raw, where, spelled or {})
    if raw.get("quantization_config") is not None:
        read.refuse("the model has a quantization_config, whose weights are not read: take the plain model or a GGUF")
    config = {"model_type": MODEL_TYPES[kind]} | _sizes(read, kind)
    config |= _gpt2(read) if kind == "gpt2" else _llama(read, kind, config)
    return config | _tokens(read, config["vocab_size"])


def _sizes(read: _Reader, kind: str) -> dict[str, Any]:
    hidden, heads = read.whole("hidden_size"), read.whole("num_attention_heads")
    if kind != "gpt2" and (read.raw.get("head_dim") is not None or kind == "qwen3"):
        head_dim = read.whole("head_dim", 128)  # Qwen3's is 128 where its config does not say
    elif hidden % heads:
        read.refuse(f"{read.name('hidden_size')} {hidden} is no multiple of {read.name('num_attention_heads')} {heads}")
    else:
        head_dim = hidden // heads
    kv_heads = heads if kind == "gpt2" else read.whole("num_key_value_heads", heads)
    if heads % kv_heads:
        read.refuse(
            f"{read.name('num_attention_heads')} {heads} is no multiple of "
            f"{read.name('num_key_value_heads')} {kv_heads}"
        )
    return {
        "vocab_size": read.whole("vocab_size"),
        "hidden_size": hidden,
        "intermediate_size": read.whole("intermediate_size", 4 * hidden if kind == "gpt2" else _REQUIRED),
        "num_hidden_layers": read.whole("num_hidden_layers"),
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "head_dim": head_dim,
        "max_position_embeddings": read.whole("max_position_embeddings"),
        "tie_word_embeddings": read.flag("tie_word_embeddings", kind == "gpt2"),
    }


def _gpt2(read: _Reader) -> dict[str, Any]:
    read.only("scale_attn_weights", True)
    read.only("scale_attn_by_inverse_layer_idx", False)
    read.only("add_cross_attention", False)
    read.only("hidden_act", *_GELU_TANH, "gelu")
    act = read.get("hidden_act", "gelu_new")
    return {
        "layer_norm_epsilon": read.number("layer_norm_epsilon", 1e-5, most=1),
        "hidden_act": "gelu_new" if act in _GELU_TANH else act,
        "attention_bias": True,
        "attention_output_bias": True,
        "mlp_bias": True,
    }


def _llama(read: _Reader, kind: str, sizes: dict[str, Any]) -> dict[str, Any]:
    read.only("hidden_act", "silu", "swish")
    read.only("partial_rotary_factor", 1)
    if sizes["head_dim"] % 2:
        read.refuse(f"head_dim is {sizes['head_dim']}; RoPE rotates pairs, so it must be even")
    bias = kind == "qwen2" or read.flag("attention_bias", False)
    return {
        "rms_norm_eps": read.number("rms_norm_eps", 1e-6, most=1),
        "hidden_act": "silu",
        "attention_bias": bias,
        "attention_output_bias": read.flag("attention_output_bias", bias and kind != "qwen2"),
        "mlp_bias": read.flag("mlp_bias", False),
        "sliding_window": _window(read, kind, sizes["num_hidden_layers"]),
        **_rope(read, sizes["head_dim"]),
    }


def _rope(read: _Reader, head_dim: int) -> dict[str, Any]:
    """rope_theta and rope_scaling, from their own keys or from transformers 5's rope_parameters."""
    scaling = read.get("rope_parameters", read.get("rope_scaling", {}))
    if not isinstance(scaling, dict):
        read.refuse(f"rope_scaling is {shown(scaling)}, not an object")
    inner = _Reader(scaling, read.where, {key: f"rope_scaling.{key}" for key in scaling})
    inner.only("partial_rotary_factor", 1)
    theta = (inner if "rope_theta" in scaling else read).number("rope_theta", 10000.0)
    kind = scaling.get("rope_type") or scaling.get("type") or "default"
    if kind == "default":
        return {"rope_theta": theta, "rope_scaling": None}
    if kind == "linear":
        found: dict[str, Any] = {"factor": inner.number("factor")}
    elif kind == "llama3":
        found = {key: inner.number(key) for key in ("factor", "low_freq_factor", "high_freq_factor")}
        found["original_max_position_embeddings"] = inner.whole("original_max_position_embeddings")
        if found["low_freq_factor"] >= found["high_freq_factor"]:
            low, high = found["low_freq_factor"], found["high_freq_factor"]
            read.refuse(f"rope_scaling.low_freq_factor {low:g} must be below high_freq_factor {high:g}")
    elif kind == "factors":
        found = {"factors": _factors(read, scaling.get("factors"), head_dim // 2)}
    else:
        read.refuse(f"rope_scaling is of type {shown(kind)}, which is not run here; there are default, linear, llama3")
    return {"rope_theta": theta, "rope_scaling": {"rope_type": kind, **found}}


def _factors(read: _Reader, factors: Any, count: int) -> list[float]:
    if not isinstance(factors, list) or len(factors) != count:
        read.refuse(f"{read.name('rope_factors')} has {shown(factors)}, not the {count} of half a head")
    if not all(isinstance(f, float) and math.isfinite(f) and f > 0 for f in factors):
        read.refuse(f"{read.name('rope_factors')} has a factor that is not above 0: {shown(factors)}")
    return factors


def _window(read: _Reader, kind: str, layers: int) -> int | None:
    """The window of every layer, or None. A window in some layers only is refused: it would compute wrongly."""
    if kind == "llama" or (kind != "mistral" and not read.flag("use_sliding_window", False)):
        return None
    window = read.whole("sliding_window", 0, least=0)
    if not window:
        return None
    kinds = read.get("layer_types", [])
    if not isinstance(kinds, list):
        read.refuse(f"layer_types is {shown(kinds)}, not a list")
    if kinds:
        sliding, layers = kinds.count("sliding_attention"), len(kinds)
    elif kind == "mistral":
        sliding = layers
    else:  # Qwen's first max_window_layers attend to everything
        sliding = layers - min(layers, read.whole("max_window_layers", 0, least=0))
    if sliding not in (0, layers):
        read.refuse(f"sliding_window {window} holds for {sliding} of {layers} layers; it is run only for all or none")
    return window if sliding else None


def _tokens(read: _Reader, vocab: int) -> dict[str, Any]:
    """Ids outside the vocabulary are left out: the model can never produce them, and must never be given them."""
    ids = {}
    for key in ("bos_token_id", "eos_token_id"):
        found = read.get(key, [])
        found = found if isinstance(found, list) else [found]
        if not all(type(i) is int for i in found):
            read.refuse(f"{read.name(key)} is {shown(found)}, not a token id")
        ids[key] = list(dict.fromkeys(i for i in found if 0 <= i < vocab))
    return {"bos_token_id": next(iter(ids["bos_token_id"]), None), "eos_token_id": ids["eos_token_id"]}
