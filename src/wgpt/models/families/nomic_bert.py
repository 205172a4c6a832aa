"""Nomic BERT (nomic-embed-text): BERT with RoPE, SwiGLU and no biases but those of its norms."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from ...formats.config import read_sizes
from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ...formats.hf_config import shortest
from ...formats.rope_scaling import read_rope
from ..config import Config
from ..encoder import Encoder, EncoderFamily, table_of
from ..encoder_config import EncoderSettings
from ..encoder_reference import attention, layernorm, project
from ..family import Array, Weights
from ..reference import silu

_LAYER = "encoder.layers.{}."
NAMES = {
    "embed": ("embeddings.word_embeddings", "token_embd"),
    "types": ("embeddings.token_type_embeddings", "token_types"),
    "embed_norm": ("emb_ln", "token_embd_norm"),
    "qkv": (f"{_LAYER}attn.Wqkv", "blk.{}.attn_qkv"),
    "o": (f"{_LAYER}attn.out_proj", "blk.{}.attn_output"),
    "attention_norm": (f"{_LAYER}norm1", "blk.{}.attn_output_norm"),
    "gate": (f"{_LAYER}mlp.fc12", "blk.{}.ffn_gate"),
    "up": (f"{_LAYER}mlp.fc11", "blk.{}.ffn_up"),
    "down": (f"{_LAYER}mlp.fc2", "blk.{}.ffn_down"),
    "ffn_norm": (f"{_LAYER}norm2", "blk.{}.layer_output_norm"),
}
# The settings' names in the model's own files; transformers 5 writes the usual names, except layer_norm_eps.
_OWN_NAMES = {
    "n_embd": "hidden_size",
    "n_layer": "num_hidden_layers",
    "n_head": "num_attention_heads",
    "n_inner": "intermediate_size",
    "n_positions": "max_position_embeddings",
    "rotary_emb_base": "rope_theta",
}
CONFIG_NAMES = {
    **_OWN_NAMES,
    **{name: name for name in (*_OWN_NAMES.values(), "layer_norm_epsilon")},
    "layer_norm_eps": "layer_norm_epsilon",
}
_THETA = 1000.0
_WITHOUT = ("qkv_proj_bias", "mlp_fc1_bias", "mlp_fc2_bias", "prenorm", "parallel_block", "use_rms_norm", "causal")


def read_config(read: ConfigReader) -> dict[str, Any]:
    sizes = read_sizes(read, own_head_dim=False, grouped=False, tied=True)
    for key in (*_WITHOUT, "rotary_emb_interleaved"):
        read.only(key, False)
    read.only("rotary_emb_fraction", 1.0)
    read.only("num_experts", 0)
    for key in ("hidden_act", "activation_function"):  # two names of SwiGLU, in new and old files
        read.only(key, "silu", "swiglu")
    rope = read_rope(read, sizes["head_dim"], default_theta=_THETA)
    if rope["rope_scaling"] is not None:
        read.refuse("RoPE scaling is unsupported for this family")
    # Beyond the trained positions, its own code rotates differently.
    trained = read.whole("max_trained_positions", sizes["max_position_embeddings"])
    return {
        **sizes,
        "max_position_embeddings": min(sizes["max_position_embeddings"], trained),
        "type_vocab_size": read.whole("type_vocab_size", 2),
        "layer_norm_epsilon": read.number("layer_norm_epsilon", 1e-12, most=1),
        "hidden_act": "silu",
        "attention_bias": False,
        "attention_output_bias": False,
        "mlp_bias": False,
        "rope_theta": rope["rope_theta"],
        "causal": False,
    }


def write_config(config: FileConfig) -> dict[str, Any]:
    same = ("hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "max_position_embeddings")
    own = {key: config[key] for key in (*same, "hidden_act", "type_vocab_size")}
    rope = {"rope_parameters": {"rope_type": "default", "rope_theta": shortest(config["rope_theta"])}}
    return {"model_type": "nomic_bert", **own, "layer_norm_eps": shortest(config["layer_norm_epsilon"]), **rope}


def settings(config: FileConfig) -> Mapping[str, Any]:
    return {"encoder": EncoderSettings(types=config["type_vocab_size"], gated=True), "pre_norms": False}


def forward_in_numpy(config: dict[str, Any], w: Weights, ids: Array, block: int) -> Array:
    eps, heads = config["layer_norm_eps"], config["num_attention_heads"]
    theta = config["rope_parameters"]["rope_theta"]
    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.token_type_embeddings.weight"][0]
    x = layernorm(x, w, "emb_ln", eps)
    for i in range(config["num_hidden_layers"]):
        here = f"encoder.layers.{i}"
        q, k, v = np.split(project(x, w, f"{here}.attn.Wqkv"), 3, axis=-1)
        x = x + project(attention(q, k, v, heads, theta), w, f"{here}.attn.out_proj")
        x = layernorm(x, w, f"{here}.norm1", eps)
        y = silu(project(x, w, f"{here}.mlp.fc12")) * project(x, w, f"{here}.mlp.fc11")
        x = layernorm(x + project(y, w, f"{here}.mlp.fc2"), w, f"{here}.norm2", eps)
    return x


FAMILY = register(
    EncoderFamily(
        name="nomic_bert",
        model_types={"nomic_bert": "NomicBertModel"},
        gguf="nomic-bert",
        config_names=CONFIG_NAMES,
        tied_by_default=True,
        embedding="embeddings.word_embeddings",
        layer=_LAYER,
        without_effect=r"pooler\..*|cls\.predictions\..*",
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        table=table_of(NAMES),
        build=partial(Encoder, names=NAMES),
        reference=forward_in_numpy,
        tiny={
            "model_type": "nomic_bert",
            "hidden_size": 48,
            "num_hidden_layers": 2,
            "num_attention_heads": 3,
            "intermediate_size": 75,
            "hidden_act": "silu",
            "max_position_embeddings": 64,
            "type_vocab_size": 2,
            "layer_norm_eps": 1e-3,
            "rope_parameters": {"rope_type": "default", "rope_theta": 500.0},
            "vocab_size": 61,
        },
        presets={
            "nomic-embed-text": Config(
                *("nomic_bert", 30528, 768, 3072, 12, 12, 12, 64, 2048, 1e-12),
                theta=_THETA,
                pre_norms=False,
                encoder=EncoderSettings(types=2, gated=True),
            )
        },
    )
)
