"""Settings of encoders: models with bidirectional attention that embed or classify texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..formats.config_reader import ConfigReader
from ..formats.errors import shown

_CLASSIFIES = "ForSequenceClassification"  # the suffix of such a model's name in `architectures`
_USUAL_LABELS = 2  # transformers' default number of labels
# GELU as config.json calls it -> Config.act
GELU = {"gelu": "gelu_erf", "gelu_new": "gelu", "gelu_pytorch_tanh": "gelu", "gelu_fast": "gelu"}


@dataclass(frozen=True)
class EncoderSettings:
    """Settings of an encoder; those that decoders have, too, are in Config."""

    positions: int = 0  # rows of the table of learned positions; 0: no table
    offset: int = 0  # the row of the first position
    types: int = 0  # rows of the table of token types; 0: no table
    gated: bool = False  # SwiGLU or GeGLU; otherwise GELU without a gate
    norm_bias: bool = True
    labels: int = 0  # labels of the classification head; 0: no head
    dense_bias: bool = True  # whether the head's first layer has a bias
    head: str = "dense"  # name of the head's first layer: its own "dense", or BERT's "pooler"
    dense: int = 0  # width between two dense layers after pooling; 0: no such layers
    pooling: str = "cls"  # the head's input: the first hidden state, or the mean


def read_labels(read: ConfigReader) -> int:
    """The number of a classifier's labels; 0 for other models."""
    names = read.get("architectures", [])
    if not isinstance(names, list):
        read.refuse(f"architectures is {shown(names)}, not a list of names")
    if not read.is_gguf and not any(str(name).endswith(_CLASSIFIES) for name in names):
        return 0
    labels = read.get("id2label", None)
    if read.is_gguf or labels is None:
        return read.whole("num_labels", 0 if read.is_gguf else _USUAL_LABELS, least=0)
    if not isinstance(labels, dict) or not labels:
        read.refuse(f"{read.name('id2label')} is not an object with the names of labels")
    return len(labels)


def read_gelu(read: ConfigReader, key: str = "hidden_act") -> str:
    """Exact GELU or its tanh form, under one name for each."""
    read.only(key, *GELU)
    return "gelu" if GELU[read.get(key, "gelu")] == "gelu_erf" else "gelu_new"


def written_labels(config: Mapping[str, Any], model: str) -> dict[str, Any]:
    """The config.json keys of a classifier; `model` is the beginning of the class name."""
    if not config["num_labels"]:
        return {"architectures": [f"{model}Model"]}
    return {"architectures": [f"{model}{_CLASSIFIES}"], "num_labels": config["num_labels"]}
