"""ModernBERT: norms before the blocks, RoPE with two thetas, GeGLU, a window on both sides in most layers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from ...formats.config import read_sizes
from ...formats.config_reader import ConfigReader
from ...formats.errors import shown
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ...formats.hf_config import shortest
from ...formats.rope_scaling import read_rope
from ..config import Config
from ..decoder_config import FULL, SLIDING
from ..encoder import Encoder, EncoderFamily, table_of
from ..encoder_config import GELU, EncoderSettings, read_gelu, read_labels, written_labels
from ..encoder_reference import attention, exact_gelu, layernorm, project
from ..family import Array, Weights
from ..reference import gelu

_LAYER = "layers.{}."
NAMES = {
    "embed": ("embeddings.tok_embeddings", "token_embd"),
    "embed_norm": ("embeddings.norm", "token_embd_norm"),
    "attention_norm": (f"{_LAYER}attn_norm", "blk.{}.attn_norm"),
    "qkv": (f"{_LAYER}attn.Wqkv", "blk.{}.attn_qkv"),
    "o": (f"{_LAYER}attn.Wo", "blk.{}.attn_output"),
    "ffn_norm": (f"{_LAYER}mlp_norm", "blk.{}.ffn_norm"),
    "gate_up": (f"{_LAYER}mlp.Wi", "blk.{}.ffn_up"),
    "down": (f"{_LAYER}mlp.Wo", "blk.{}.ffn_down"),
    "norm": ("final_norm", "output_norm"),
    "dense": ("head.dense", "cls"),
    "head_norm": ("head.norm", "cls.norm"),
    "classifier": ("classifier", "cls.output"),
}
_THETAS = {FULL: 160_000.0, SLIDING: 10_000.0}
_EVERY = 3  # the first layer of each group of this size has no window


def read_config(read: ConfigReader) -> dict[str, Any]:
    sizes = read_sizes(read, own_head_dim=False, grouped=False, tied=True)
    layers = sizes["num_hidden_layers"]
    types = read.get("layer_types", None)
    if types is None:
        every = read.get("global_attn_every_n_layers", _EVERY)
        if isinstance(every, list):  # in GGUF files: whether each layer has the window
            types = [SLIDING if windowed else FULL for windowed in every]
        else:
            every = read.whole("global_attn_every_n_layers", _EVERY)
            types = [SLIDING if i % every else FULL for i in range(layers)]
    if not isinstance(types, list) or len(types) != layers or not set(types) <= {FULL, SLIDING}:
        read.refuse(f"layer_types is {shown(types)}, not {FULL} or {SLIDING} for each of {layers} layers")
    window = read.whole("local_attention", 128)
    if not read.is_gguf:  # another name of half of it
        read.only("sliding_window", window // 2)
    labels = read_labels(read)
    if labels:
        read.only("classifier_pooling", "cls", "mean")
        read.only("classifier_activation", "gelu")
    return {
        **sizes,
        "layer_norm_epsilon": read.number("layer_norm_epsilon", 1e-5, most=1),
        "hidden_act": read_gelu(read),
        "norm_bias": read.flag("norm_bias", False),
        "attention_bias": (bias := not read.is_gguf and read.flag("attention_bias", False)),
        "attention_output_bias": bias,
        "mlp_bias": not read.is_gguf and read.flag("mlp_bias", False),
        "local_attention": window,
        "layer_types": types,
        "thetas": {kind: _theta(read, sizes["head_dim"], kind) for kind in (FULL, SLIDING)},
        "causal": False,
        "num_labels": labels,
        "classifier_pooling": read.get("classifier_pooling", "mean" if read.is_gguf else "cls"),  # as llama.cpp
        "classifier_bias": read.flag("classifier_bias", False),
    }


def _theta(read: ConfigReader, head_dim: int, kind: str) -> float:
    """Of layers of this kind, as transformers 5 or its predecessor writes it."""
    older = "global_rope_theta" if kind == FULL else "local_rope_theta"
    rope = read_rope(read, head_dim, default_theta=_THETAS[kind], kind_of_layer=kind, theta=older)
    if rope["rope_scaling"] is not None:
        read.refuse("RoPE scaling is unsupported for this family")
    return float(rope["rope_theta"])


def write_config(config: FileConfig) -> dict[str, Any]:
    same = ("hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "max_position_embeddings")
    more = ("norm_bias", "attention_bias", "mlp_bias", "local_attention", "layer_types")
    own = {key: config[key] for key in (*same, *more, "classifier_pooling", "classifier_bias")}
    thetas = {kind: {"rope_type": "default", "rope_theta": shortest(t)} for kind, t in config["thetas"].items()}
    act = {"hidden_activation": config["hidden_act"], "norm_eps": shortest(config["layer_norm_epsilon"])}
    classes = written_labels(config, "ModernBert")
    return {"model_type": "modernbert", **own, **act, "rope_parameters": thetas, **classes}


def settings(config: FileConfig) -> Mapping[str, Any]:
    encoder = EncoderSettings(
        gated=True,
        norm_bias=config["norm_bias"],
        labels=config["num_labels"],
        dense_bias=config["classifier_bias"],
        pooling=config["classifier_pooling"],
    )
    window = {FULL: 0, SLIDING: config["local_attention"] // 2}
    layers = tuple({"window": window[kind], "theta": config["thetas"][kind]} for kind in config["layer_types"])
    return {"encoder": encoder, "act": GELU[config["hidden_act"]], "per_layer": layers}


def forward_in_numpy(config: dict[str, Any], weights: Weights, ids: Array, block: int) -> Array:
    w = {name.removeprefix("model."): value for name, value in weights.items()}
    eps, heads = config["norm_eps"], config["num_attention_heads"]
    act = exact_gelu if config["hidden_activation"] == "gelu" else gelu
    x = layernorm(w["embeddings.tok_embeddings.weight"][ids], w, "embeddings.norm", eps)
    for i, kind in enumerate(config["layer_types"]):
        here, most = f"layers.{i}", config["local_attention"] // 2 if kind == SLIDING else None
        y = layernorm(x, w, f"{here}.attn_norm", eps) if i else x
        q, k, v = np.split(project(y, w, f"{here}.attn.Wqkv"), 3, axis=-1)
        theta = config["rope_parameters"][kind]["rope_theta"]
        x = x + project(attention(q, k, v, heads, theta, most), w, f"{here}.attn.Wo")
        inner, gate = np.split(project(layernorm(x, w, f"{here}.mlp_norm", eps), w, f"{here}.mlp.Wi"), 2, axis=-1)
        x = x + project(act(inner) * gate, w, f"{here}.mlp.Wo")
    return layernorm(x, w, "final_norm", eps)


FAMILY = register(
    EncoderFamily(
        name="modernbert",
        model_types={"modernbert": "ModernBertModel"},
        gguf="modern-bert",
        config_names={"norm_eps": "layer_norm_epsilon", "hidden_activation": "hidden_act"},
        gguf_keys={
            "local_attention": "attention.sliding_window",
            "global_attn_every_n_layers": "attention.sliding_window_pattern",
            "global_rope_theta": "rope.freq_base",
            "local_rope_theta": "rope.freq_base_swa",
        },
        tied_by_default=True,
        prefixes=("model.",),
        embedding="embeddings.tok_embeddings",
        layer=_LAYER,
        without_effect=r"head\..*|decoder\..*",  # of the task that it was pre-trained with
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        table=table_of(NAMES),
        build=partial(Encoder, names=NAMES),
        reference=forward_in_numpy,
        tiny={
            "model_type": "modernbert",
            "hidden_size": 48,
            "num_hidden_layers": 2,
            "num_attention_heads": 3,
            "intermediate_size": 75,
            "hidden_activation": "gelu",
            "max_position_embeddings": 64,
            "local_attention": 12,
            "layer_types": [FULL, SLIDING],
            "norm_eps": 1e-3,
            "rope_parameters": {
                FULL: {"rope_type": "default", "rope_theta": 500.0},
                SLIDING: {"rope_type": "default", "rope_theta": 50.0},
            },
            "vocab_size": 61,
        },
        presets={
            "modernbert-base": Config(
                *("modernbert", 50368, 768, 1152, 22, 12, 12, 64, 8192, 1e-5),
                act="gelu_erf",
                encoder=EncoderSettings(gated=True, norm_bias=False, dense_bias=False),
                per_layer=tuple(
                    {"window": 64 if i % _EVERY else 0, "theta": _THETAS[SLIDING if i % _EVERY else FULL]}
                    for i in range(22)
                ),
            )
        },
    )
)
