"""EmbeddingGemma: Gemma 3 with attention in both directions, whose pooled hidden states two dense layers turn into
vectors. Its configs are Gemma 3's with use_bidirectional_attention."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ..bidirectional import Bidirectional, table
from ..config import Config
from ..encoder_config import EncoderSettings
from ..family import Array, Weights
from . import gemma, gemma3

BIDIRECTIONAL = "use_bidirectional_attention"
_numpy = gemma.gemma_in_numpy(post_norms=True, qk_norm=True, of_layer=gemma3.layer_in_numpy, bidirectional=True)


def read_config(read: ConfigReader) -> dict[str, Any]:
    """A file's window counts both sides."""
    config = gemma3.read_config(read.changed({BIDIRECTIONAL: False, "dense_features": None}))
    window = config["sliding_window"]
    if window is not None and window < 2:
        read.refuse(f"{read.name('sliding_window')} is {window}; it must be at least 2")
    dense = {"dense_features": read.whole("dense_features", 0, least=0)}
    return config | {"sliding_window": window and window // 2, "causal": False} | dense


def write_config(config: FileConfig) -> dict[str, Any]:
    window = config["sliding_window"]
    own = gemma3.write_config({**config, "sliding_window": window and 2 * window})
    return own | {BIDIRECTIONAL: True, "architectures": ["Gemma3TextModel"]}


def gguf_values(config: FileConfig) -> dict[str, Any]:
    dense, hidden = config["dense_features"], config["hidden_size"]
    sizes = {"dense_2_feat_in": hidden, "dense_2_feat_out": dense, "dense_3_feat_in": dense, "dense_3_feat_out": hidden}
    window = {"attention.sliding_window": 2 * config["sliding_window"]} if config["sliding_window"] else {}
    return window | (sizes if dense else {})


def settings(config: FileConfig) -> dict[str, Any]:
    return {**gemma3.FAMILY.settings(config), "encoder": EncoderSettings(gated=True, dense=config["dense_features"])}


def forward_in_numpy(config: dict[str, Any], w: Weights, ids: Array, block: int) -> Array:
    named = {name if name.startswith("model.") else f"model.{name}": value for name, value in w.items()}
    return _numpy({**config, "sliding_window": config["sliding_window"] // 2}, named, ids, block)


FAMILY = register(
    replace(
        gemma3.FAMILY,
        name="gemma_embedding",
        model_types={"gemma_embedding": "Gemma3TextModel"},
        variant_of=next(iter(gemma3.FAMILY.model_types)),
        is_variant=lambda raw: raw.get(BIDIRECTIONAL) is True,
        dense_modules=True,
        gguf="gemma-embedding",
        gguf_values=gguf_values,
        wrappers={},
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        table=table,
        build=Bidirectional,
        reference=forward_in_numpy,
        tiny={**gemma3.FAMILY.tiny, "model_type": "gemma_embedding", "sliding_window": 18},
        presets={
            "embeddinggemma-300m": Config(
                *("gemma_embedding", 262144, 768, 1152, 24, 3, 1, 256, 2048, 1e-6),
                theta=gemma3.GLOBAL_THETA,
                window=256,
                act="gelu",
                norm_less=1.0,
                embed_scale=768**0.5,
                post_norms=True,
                attention_scale=256**-0.5,
                qk_norm=True,
                encoder=EncoderSettings(gated=True, dense=3072),
                per_layer=tuple({"window": 0} if i % 6 == 5 else {"theta": gemma3.LOCAL_THETA} for i in range(24)),
            )
        },
    )
)
