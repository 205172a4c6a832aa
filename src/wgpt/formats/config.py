"""One vocabulary of config keys for all families: Hugging Face's, checked and with nothing left to guess.

`normalised` gives: model_type (the family's name), vocab_size, hidden_size, intermediate_size, num_hidden_layers,
num_attention_heads, num_key_value_heads, head_dim, max_position_embeddings, hidden_act, tie_word_embeddings,
attention_bias (q, k, v), attention_output_bias, mlp_bias, bos_token_id (or None), eos_token_id (a list); rms_norm_eps
or layer_norm_epsilon; with RoPE: rope_theta, rope_scaling, sliding_window (or None). A family may add further keys.

rope_scaling is None or has a rope_type: see rope_scaling.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .config_reader import REQUIRED, ConfigReader
from .errors import FormatError, shown
from .family import model_type_of, model_types

_FULL = "full_attention"  # in layer_types


def normalised(
    raw: Mapping[str, Any], where: str, spelled: Mapping[str, str] | None = None, is_gguf: bool = False
) -> dict[str, Any]:
    """A config.json's contents (or a GGUF file's, under the same keys) as the keys listed above."""
    kind, known = model_type_of(raw), model_types()
    if not isinstance(kind, str) or kind not in known:
        raise FormatError(f"{where}: unsupported model_type {shown(kind)}; supported: {', '.join(known)}")
    family = known[kind]
    values, names = (dict(raw), dict(spelled or {})) if is_gguf else _renamed(raw, family.config_names, where)
    read = ConfigReader(values, where, names, is_gguf)
    if raw.get("quantization_config") is not None:
        read.refuse("unsupported quantization_config: use the unquantised model or a GGUF file")
    config = {"model_type": family.name} | family.read_config(read)
    _check_shared(read, config)
    return config | _tokens(read, config["vocab_size"])


def _renamed(raw: Mapping[str, Any], own: Mapping[str, str], where: str) -> tuple[dict[str, Any], dict[str, str]]:
    """A config.json under the usual key names, and the original name of each key.

    `own`: see Family.config_names. A usual name is dropped if the family has another name for that setting, because it
    then means nothing.
    """
    values: dict[str, Any] = {}
    names: dict[str, str] = {}
    for key, value in raw.items():
        if key not in own and key in own.values():
            continue
        usual = own.get(key, key)
        if value is None and usual in values:
            continue
        if values.get(usual) is not None and values[usual] != value:
            raise FormatError(
                f"{where}: {names[usual]} is {shown(values[usual])} but {key} is {shown(value)}: remove one of them"
            )
        values[usual], names[usual] = value, key
    return values, {usual: name for usual, name in names.items() if usual != name}


def _check_shared(read: ConfigReader, config: Mapping[str, Any]) -> None:
    """Check keys that transformers' shared code reads in every config, whatever the family."""
    if read.is_gguf:
        return
    # null is allowed there and means false
    if config.get("causal", True) and (value := read.raw.get("is_causal", True)) is not True:
        read.refuse(f"unsupported is_causal {shown(value)}; supported: True")
    if "per_layer_config" not in read.asked and (value := read.get("per_layer_config", {})) != {}:
        read.refuse(f"unsupported per_layer_config {shown(value)}: layers of this family have the same sizes")
    unread = "layer_types" not in read.asked
    kinds, count = read.get("layer_types", None), config["num_hidden_layers"]
    if kinds is not None and (not isinstance(kinds, list) or len(kinds) != count):
        read.refuse(f"layer_types is {shown(kinds)}, not a list with a value for each of {count} layers")
    if unread and kinds is not None and set(map(str, kinds)) != {_FULL}:
        read.refuse(f"unsupported layer_types {shown(kinds)}; supported: {_FULL} in all layers")


# What families read alike -------------------------------------------------------------------------------------


def read_sizes(
    read: ConfigReader,
    *,
    own_head_dim: bool = True,
    default_head_dim: int | None = None,
    grouped: bool = True,
    ffn_over_hidden: int | None = None,
    tied: bool = False,
) -> dict[str, Any]:
    """Read the sizes. `own_head_dim`: the config may set head_dim; `grouped`: there may be fewer heads of k and v.
    Other arguments are defaults."""
    hidden, heads = read.whole("hidden_size"), read.whole("num_attention_heads")
    if own_head_dim and (read.raw.get("head_dim") is not None or default_head_dim is not None):
        head_dim = read.whole("head_dim", default_head_dim)
    elif hidden % heads:
        read.refuse(
            f"{read.name('hidden_size')} {hidden} is not a multiple of {read.name('num_attention_heads')} {heads}"
        )
    else:
        head_dim = hidden // heads
        read.only("head_dim", head_dim)
    kv_heads = read.whole("num_key_value_heads", heads) if grouped else heads
    if heads % kv_heads:
        read.refuse(
            f"{read.name('num_attention_heads')} {heads} is not a multiple of "
            f"{read.name('num_key_value_heads')} {kv_heads}"
        )
    return {
        "vocab_size": read.whole("vocab_size"),
        "hidden_size": hidden,
        "intermediate_size": read.whole("intermediate_size", ffn_over_hidden * hidden if ffn_over_hidden else REQUIRED),
        "num_hidden_layers": read.whole("num_hidden_layers"),
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "head_dim": head_dim,
        "max_position_embeddings": read.whole("max_position_embeddings"),
        "tie_word_embeddings": read.flag("tie_word_embeddings", tied),
    }


def _tokens(read: ConfigReader, vocab: int) -> dict[str, Any]:
    """Token ids without those outside the vocabulary, which the model can neither produce nor read."""
    ids = {}
    for key in ("bos_token_id", "eos_token_id"):
        tokens = read.get(key, [])
        tokens = tokens if isinstance(tokens, list) else [tokens]
        if not all(type(i) is int for i in tokens):
            read.refuse(f"{read.name(key)} is {shown(tokens)}, not a token id")
        ids[key] = list(dict.fromkeys(i for i in tokens if 0 <= i < vocab))
    return {"bos_token_id": next(iter(ids["bos_token_id"]), None), "eos_token_id": ids["eos_token_id"]}
