"""Gemma (1): Llama with norms relative to 1, embeddings times sqrt(hidden_size), and GeGLU."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from .. import reference
from ..config import Config
from ..decoder import Decoder, table
from ..decoder_config import TINY, read_decoder, write_decoder
from ..family import ModelFamily

# GELU's tanh form. The first files say "gelu", and mean it, too.
GELU = ("gelu_pytorch_tanh", "gelu_new", "gelu")
TINY_GEMMA: Mapping[str, Any] = {**TINY, "hidden_act": GELU[0], "head_dim": 24}


def read_common(read: ConfigReader, **more: Any) -> dict[str, Any]:
    """The keys that Gemma 1, 2 and 3 share."""
    read.only("use_bidirectional_attention", False)
    read.only("hidden_activation", *GELU)
    return read_decoder(read, default_head_dim=256, acts=GELU, tied=True, **more)


def settings(config: FileConfig) -> dict[str, Any]:
    return {"act": "gelu", "norm_less": 1.0, "embed_scale": config["hidden_size"] ** 0.5}


def write_config(config: FileConfig) -> dict[str, Any]:
    return write_decoder(config, "gemma") | {"attention_bias": config["attention_bias"]}


def gemma_in_numpy(**more: Any) -> Any:
    """The reference of Gemma 1, 2 and 3."""
    return partial(
        reference.decoder, norm_plus=1.0, act=reference.gelu, embed_scale=lambda c: c["hidden_size"] ** 0.5, **more
    )


FAMILY = register(
    ModelFamily(
        name="gemma",
        model_types={"gemma": "GemmaForCausalLM"},
        gguf="gemma",
        tied_by_default=True,
        tokenizer_class="GemmaTokenizer",
        read_config=read_common,
        write_config=write_config,
        settings=settings,
        table=table,
        build=Decoder,
        reference=gemma_in_numpy(),
        tiny={"model_type": "gemma", **TINY_GEMMA},
        presets={
            "gemma-2b": Config(
                *("gemma", 256000, 2048, 16384, 18, 8, 1, 256, 8192, 1e-6),
                act="gelu",
                norm_less=1.0,
                embed_scale=2048**0.5,
            )
        },
    )
)
