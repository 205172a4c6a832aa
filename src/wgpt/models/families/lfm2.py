"""LFM2 and LFM2.5: gated short convolutions in most layers, attention with norms of the q and k heads in the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.errors import shown
from ...formats.family import Config as FileConfig
from ...formats.family import Row, register
from ...formats.rope_scaling import read_rope
from .. import reference
from ..config import Config
from ..decoder import Decoder
from ..decoder import table as decoder_table
from ..decoder_config import FULL, TINY, read_decoder, write_decoder
from ..family import Array, ModelFamily, Weights
from ..reference_states import short_convolution
from ..state_layers import ShortConv

CONV = "conv"  # in layer_types
# Names of the decoder's tensors, by part: Hugging Face's and, where it differs, GGUF's.
NAMES = {
    "norm": ("model.embedding_norm", "token_embd_norm"),
    "attention_norm": ("operator_norm",),
    "ffn_norm": ("ffn_norm",),
    "q_norm": ("self_attn.q_layernorm",),
    "k_norm": ("self_attn.k_layernorm",),
    "o": ("self_attn.out_proj",),
    "gate": ("feed_forward.w1",),
    "up": ("feed_forward.w3",),
    "down": ("feed_forward.w2",),
}


def read_config(read: ConfigReader) -> dict[str, Any]:
    read.only("conv_bias", False)
    own: dict[str, Any] = {}
    spelled: dict[str, str] = {}
    kinds = read_kinds(read)
    if read.is_gguf:
        each = read.get("num_key_value_heads")
        own["num_key_value_heads"] = max(each) if isinstance(each, list) else each
    else:
        own |= {"rms_norm_eps": read.get("norm_eps", 1e-5), "intermediate_size": _ffn(read)}
        own["tie_word_embeddings"] = read.get("tie_embedding", read.get("tie_word_embeddings", True))
        spelled = {"rms_norm_eps": "norm_eps", "tie_word_embeddings": "tie_embedding"}
    inner = read.changed({**own, "layer_types": None}, spelled)
    head_dim = inner.whole("head_dim", inner.whole("hidden_size") // inner.whole("num_attention_heads"))
    config = read_decoder(inner, biases=(), tied=True, rope=read_rope(inner, head_dim, default_theta=1e6))
    if config["hidden_size"] % 4:
        read.refuse(f"hidden_size is {config['hidden_size']}; convolutions need a multiple of 4")
    return config | {"layer_types": kinds, "conv_L_cache": read.whole("conv_L_cache", 3, least=2)}


def read_kinds(read: ConfigReader) -> list[str]:
    """The kind of each layer. In GGUF files, those with convolutions have no key-value heads."""
    count = read.whole("num_hidden_layers")
    if read.is_gguf:
        heads = read.get("num_key_value_heads")
        each = heads if isinstance(heads, list) else [heads] * count
        kinds = [FULL if n else CONV for n in each]
        if len({n for n in each if n}) > 1:
            read.refuse(f"{read.name('num_key_value_heads')} is {shown(each)}; those above 0 must be the same")
    else:
        attending = read.get("full_attn_idxs", list(range(count)))
        if not isinstance(attending, list):
            read.refuse(f"full_attn_idxs is {shown(attending)}, not a list of layers")
        kinds = read.get("layer_types", [FULL if i in attending else CONV for i in range(count)])
    if not isinstance(kinds, list) or len(kinds) != count or not {CONV, FULL}.issuperset(map(str, kinds)):
        read.refuse(f"layer_types is {shown(kinds)}, not a list of {CONV} or {FULL} for each of {count} layers")
    if FULL not in kinds:
        read.refuse("no layer has attention, which is unsupported")
    return kinds


def _ffn(read: ConfigReader) -> int:
    """The size of the feed-forward: two thirds of the config's number, rounded up, unless the config disables that."""
    key = "block_ff_dim" if read.raw.get("block_ff_dim") is not None else "intermediate_size"
    size = read.whole(key)
    if not read.flag("block_auto_adjust_ff_dim", True):
        return size
    size, multiple = int(2 * size / 3), read.whole("block_multiple_of", 256)
    size = int(read.number("block_ffn_dim_multiplier", 1.0) * size)
    return multiple * -(-size // multiple)


def write_config(config: FileConfig) -> dict[str, Any]:
    own = write_decoder(config, "lfm2")
    more = {key: config[key] for key in ("layer_types", "conv_L_cache")}
    return own | more | {"norm_eps": own.pop("rms_norm_eps"), "block_auto_adjust_ff_dim": False}


def settings(config: FileConfig) -> dict[str, Any]:
    conv = {"state": ShortConv(config["conv_L_cache"])}
    return {"qk_norm": True, "per_layer": tuple(conv if kind == CONV else {} for kind in config["layer_types"])}


def table(config: Config) -> Iterator[Row]:
    for row in decoder_table(config):
        if row.part not in NAMES:
            yield row
            continue
        name, *gguf = NAMES[row.part]
        own = name if row.layer is None else f"model.layers.{row.layer}.{name}"
        yield replace(row, name=own, gguf=gguf[0] if gguf else row.gguf)


def gguf_values(config: FileConfig) -> dict[str, Any]:
    heads = config["num_key_value_heads"]
    return {"attention.head_count_kv": [heads if kind == FULL else 0 for kind in config["layer_types"]]}


def forward_in_numpy(
    config: dict[str, Any], w: Weights, ids: Array, block: int, experts: reference.Experts | None = None
) -> Array:
    """The decoder's, with the usual names."""
    names = {
        **{"embedding_norm": "norm", "operator_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm"},
        **{"self_attn.out_proj": "self_attn.o_proj", "q_layernorm": "q_norm", "k_layernorm": "k_norm"},
        **{"feed_forward.w1": "mlp.gate_proj", "feed_forward.w3": "mlp.up_proj", "feed_forward.w2": "mlp.down_proj"},
    }
    for own, usual in names.items():
        w = {name.replace(f".{own}.", f".{usual}."): value for name, value in w.items()}
    usual_config = config | {"rms_norm_eps": config["norm_eps"], "layer_types": None}
    return reference.decoder(usual_config, w, ids, block, qk_norm=True, state=short_convolution, experts=experts)


FAMILY = register(
    ModelFamily(
        name="lfm2",
        model_types={"lfm2": "Lfm2ForCausalLM"},
        gguf="lfm2",
        gguf_keys={"num_key_value_heads": "attention.head_count_kv", "conv_L_cache": "shortconv.l_cache"},
        gguf_values=gguf_values,
        tied_by_default=True,
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        table=table,
        build=Decoder,
        reference=forward_in_numpy,
        tiny={
            **{key: value for key, value in TINY.items() if key not in ("rms_norm_eps", "hidden_act")},
            **{"model_type": "lfm2", "norm_eps": 1e-3, "block_auto_adjust_ff_dim": False, "conv_L_cache": 3},
            **{"hidden_size": 60, "layer_types": [CONV, FULL]},
        },
        presets={
            "lfm2-1.2b": Config(
                *("lfm2", 65536, 2048, 8192, 16, 32, 8, 64, 128000, 1e-5),
                theta=1e6,
                qk_norm=True,
                per_layer=tuple({} if i in (2, 5, 8, 10, 12, 14) else {"state": ShortConv(3)} for i in range(16)),
            )
        },
    )
)
