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


def normalised(
    raw: Mapping[str, Any], where: str, spelled: Mapping[str, str] | None = None, is_gguf: bool = False
) -> dict[str, Any]:
    """A config.json's contents (or a GGUF file's, under the same keys) as the keys listed above."""
    kind, known = model_type_of(raw), model_types()
    if not isinstance(kind, str) or kind not in known:
        raise FormatError(f"{where}: unsupported model_type {shown(kind)}; supported: {', '.join(known)}")
    family = known[kind]
    spelled = {usual: own for own, usual in family.config_names.items() if own in raw} | dict(spelled or {})
    read = ConfigReader({family.config_names.get(k, k): value for k, value in raw.items()}, where, spelled, is_gguf)
    if raw.get("quantization_config") is not None:
        read.refuse("unsupported quantization_config: use the unquantised model or a GGUF file")
    config = {"model_type": family.name} | family.read_config(read)
    return config | _tokens(read, config["vocab_size"])


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
    """`own_head_dim`: the config may name one; `grouped`: fewer heads of k and v. The others: where it does not say."""
    hidden, heads = read.whole("hidden_size"), read.whole("num_attention_heads")
    if own_head_dim and (read.raw.get("head_dim") is not None or default_head_dim is not None):
        head_dim = read.whole("head_dim", default_head_dim)
    elif hidden % heads:
        read.refuse(
            f"{read.name('hidden_size')} {hidden} is not a multiple of {read.name('num_attention_heads')} {heads}"
        )
    else:
        head_dim = hidden // heads
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
    """Ids outside the vocabulary are dropped: the model can neither produce nor read them."""
    ids = {}
    for key in ("bos_token_id", "eos_token_id"):
        tokens = read.get(key, [])
        tokens = tokens if isinstance(tokens, list) else [tokens]
        if not all(type(i) is int for i in tokens):
            read.refuse(f"{read.name(key)} is {shown(tokens)}, not a token id")
        ids[key] = list(dict.fromkeys(i for i in tokens if 0 <= i < vocab))
    return {"bos_token_id": next(iter(ids["bos_token_id"]), None), "eos_token_id": ids["eos_token_id"]}
