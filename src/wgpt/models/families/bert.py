"""BERT, RoBERTa and XLM-RoBERTa (which number positions differently): bge, e5, MiniLM and others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...formats.config import read_sizes
from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ...formats.hf_config import shortest
from ..config import Config
from ..encoder import Encoder, EncoderFamily, table_of
from ..encoder_config import GELU, EncoderSettings, read_gelu, read_labels, written_labels
from ..encoder_reference import attention, exact_gelu, layernorm, project
from ..family import Array, Weights
from ..reference import gelu

_SAME = ("hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "hidden_act")
_LAYER = "encoder.layer.{}."
_BASE = {
    "embed": ("embeddings.word_embeddings", "token_embd"),
    "positions": ("embeddings.position_embeddings", "position_embd"),
    "types": ("embeddings.token_type_embeddings", "token_types"),
    "embed_norm": ("embeddings.LayerNorm", "token_embd_norm"),
    "q": (f"{_LAYER}attention.self.query", "blk.{}.attn_q"),
    "k": (f"{_LAYER}attention.self.key", "blk.{}.attn_k"),
    "v": (f"{_LAYER}attention.self.value", "blk.{}.attn_v"),
    "o": (f"{_LAYER}attention.output.dense", "blk.{}.attn_output"),
    "attention_norm": (f"{_LAYER}attention.output.LayerNorm", "blk.{}.attn_output_norm"),
    "up": (f"{_LAYER}intermediate.dense", "blk.{}.ffn_up"),
    "down": (f"{_LAYER}output.dense", "blk.{}.ffn_down"),
    "ffn_norm": (f"{_LAYER}output.LayerNorm", "blk.{}.layer_output_norm"),
}
NAMES = _BASE | {
    "pooler": ("pooler.dense", "pooler"),
    "dense": ("classifier.dense", "cls"),
    "classifier": ("classifier.out_proj", "cls.output"),
}
POOLER_NAMES = NAMES | {"classifier": ("classifier", "classifier")}  # BERT's, whose head begins with its pooler


def read_config(read: ConfigReader) -> dict[str, Any]:
    sizes = read_sizes(read, own_head_dim=False, grouped=False, tied=True)
    read.only("position_embedding_type", "absolute")
    read.only("is_decoder", False)
    read.only("add_cross_attention", False)
    # RoBERTa's first position is the row after the padding token's. GGUF files omit the rows before it.
    offset = 0 if read.is_gguf or read.raw["model_type"] == "bert" else read.whole("pad_token_id", 1, least=0) + 1
    context = sizes["max_position_embeddings"] - offset
    if context < 1:
        read.refuse(f"max_position_embeddings is {context + offset}, but the first position is {offset}")
    return {
        **sizes,
        "max_position_embeddings": context,
        "position_offset": offset,
        "type_vocab_size": read.whole("type_vocab_size", 2),
        "layer_norm_epsilon": read.number("layer_norm_epsilon", 1e-12, most=1),
        "hidden_act": read_gelu(read),
        "attention_bias": True,
        "attention_output_bias": True,
        "mlp_bias": True,
        "causal": False,
        "num_labels": read_labels(read),
        "classifier_head": "dense" if offset or read.is_gguf else "pooler",
    }


def write_config(config: FileConfig) -> dict[str, Any]:
    offset = config["position_offset"]
    kind = "roberta" if offset or config["classifier_head"] == "dense" else "bert"
    own = {key: config[key] for key in _SAME} | {"type_vocab_size": config["type_vocab_size"]}
    positions = {"max_position_embeddings": config["max_position_embeddings"] + offset}
    padding = {"pad_token_id": offset - 1} if offset else {}
    eps = {"layer_norm_eps": shortest(config["layer_norm_epsilon"])}
    classes = written_labels(config, "Roberta" if kind == "roberta" else "Bert")
    return {"model_type": kind, **own, **positions, **padding, **eps, **classes}


def settings(config: FileConfig) -> Mapping[str, Any]:
    offset = config["position_offset"]
    encoder = EncoderSettings(
        positions=config["max_position_embeddings"] + offset,
        offset=offset,
        types=config["type_vocab_size"],
        labels=config["num_labels"],
        head=config["classifier_head"],
    )
    return {"encoder": encoder, "rope": False, "pre_norms": False, "act": GELU[config["hidden_act"]]}


def names(config: Config) -> Mapping[str, tuple[str, str]]:
    return POOLER_NAMES if config.encoder is not None and config.encoder.head == "pooler" else NAMES


def forward_in_numpy(
    config: dict[str, Any], weights: Weights, ids: Array, block: int, types: Array | None = None
) -> Array:
    """Of token types 0, unless they are given."""
    w = {name.removeprefix("bert.").removeprefix("roberta."): value for name, value in weights.items()}
    eps, heads = config["layer_norm_eps"], config["num_attention_heads"]
    act = exact_gelu if config["hidden_act"] == "gelu" else gelu
    first = 0 if config["model_type"] == "bert" else config["pad_token_id"] + 1
    x = w["embeddings.word_embeddings.weight"][ids]
    x = x + w["embeddings.position_embeddings.weight"][first : first + len(ids)]
    x = x + w["embeddings.token_type_embeddings.weight"][np.zeros_like(ids) if types is None else types]
    x = layernorm(x, w, "embeddings.LayerNorm", eps)
    for i in range(config["num_hidden_layers"]):
        here = f"encoder.layer.{i}"
        q, k, v = (project(x, w, f"{here}.attention.self.{name}") for name in ("query", "key", "value"))
        y = project(attention(q, k, v, heads), w, f"{here}.attention.output.dense")
        x = layernorm(x + y, w, f"{here}.attention.output.LayerNorm", eps)
        y = project(act(project(x, w, f"{here}.intermediate.dense")), w, f"{here}.output.dense")
        x = layernorm(x + y, w, f"{here}.output.LayerNorm", eps)
    return x


FAMILY = register(
    EncoderFamily(
        name="bert",
        model_types={
            "bert": "BertModel",
            "roberta": "RobertaModel",
            "xlm-roberta": "XLMRobertaModel",
            "camembert": "CamembertModel",
        },
        gguf="bert",
        config_names={"layer_norm_eps": "layer_norm_epsilon"},
        tied_by_default=True,
        prefixes=("bert.", "roberta."),
        embedding="embeddings.word_embeddings",
        layer=_LAYER,
        # Heads for pre-training, and a pooler that only classifiers use.
        without_effect=r"((bert|roberta)\.)?pooler\..*|cls\.(predictions|seq_relationship)\..*|lm_head\..*"
        r"|((bert|roberta)\.)?embeddings\.token_type_ids",
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        table=lambda config: table_of(names(config))(config),
        build=lambda config, source, steps: Encoder(config, source, steps, names=names(config)),
        reference=forward_in_numpy,
        tiny={
            "model_type": "bert",
            "hidden_size": 48,
            "num_hidden_layers": 2,
            "num_attention_heads": 3,
            "intermediate_size": 75,
            "hidden_act": "gelu",
            "max_position_embeddings": 64,
            "type_vocab_size": 2,
            "layer_norm_eps": 1e-3,
            "vocab_size": 61,
        },
        presets={
            "bert-base": Config(
                *("bert", 30522, 768, 3072, 12, 12, 12, 64, 512, 1e-12),
                qkv_bias=True,
                out_bias=True,
                ffn_bias=True,
                rope=False,
                pre_norms=False,
                act="gelu_erf",
                encoder=EncoderSettings(positions=512, types=2, head="pooler"),
            )
        },
    )
)
