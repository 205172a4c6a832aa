"""Gemma (1): Llama with norms relative to 1, embeddings times sqrt(hidden_size), and GeGLU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from .. import reference
from ..config import Config
from ..decoder import Decoder, table
from ..decoder_config import TINY, read_decoder, write_decoder
from ..encoder_reference import exact_gelu
from ..family import Array, ModelFamily, Weights

GELU = ("gelu_pytorch_tanh", "gelu_new", "gelu_fast")  # its tanh form
EXACT = "gelu"  # but the first files of Gemma 1 say so and mean the tanh form
TINY_GEMMA: Mapping[str, Any] = {**TINY, "hidden_act": GELU[0], "head_dim": 24}


def read_common(read: ConfigReader, **more: Any) -> dict[str, Any]:
    """The keys that Gemma 1, 2 and 3 share."""
    read.only("use_bidirectional_attention", False)
    return read_decoder(read, default_head_dim=256, tied=True, **more)


def read_config(read: ConfigReader) -> dict[str, Any]:
    return read_common(read, acts=(*GELU, EXACT))


def settings(config: FileConfig) -> dict[str, Any]:
    act = "gelu_erf" if config["hidden_act"] == EXACT else "gelu"
    return {"act": act, "norm_less": 1.0, "embed_scale": config["hidden_size"] ** 0.5}


def write_config(config: FileConfig) -> dict[str, Any]:
    return write_decoder(config, "gemma") | {"attention_bias": config["attention_bias"]}


def gemma_in_numpy(**more: Any) -> Any:
    """The reference of Gemma 1, 2 and 3."""

    def forward(config: dict[str, Any], w: Weights, ids: Array, block: int) -> Array:
        act = exact_gelu if config.get("hidden_activation") == EXACT else reference.gelu
        how: dict[str, Any] = {"norm_plus": 1.0, "act": act, "embed_scale": lambda c: c["hidden_size"] ** 0.5, **more}
        return reference.decoder(config, w, ids, block, **how)

    return forward


FAMILY = register(
    ModelFamily(
        name="gemma",
        model_types={"gemma": "GemmaForCausalLM"},
        gguf="gemma",
        tied_by_default=True,
        tokenizer_class="GemmaTokenizer",
        read_config=read_config,
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
