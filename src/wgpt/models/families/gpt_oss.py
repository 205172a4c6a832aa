"""gpt-oss: experts with biases and limited gates, attention sinks, biases, and a window in every other layer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import Row, register
from ...formats.hf_config import shortest
from .. import reference
from ..config import Config
from ..decoder import Decoder, table
from ..decoder_config import FULL, SLIDING, TINY, layer_settings, read_decoder, read_window, write_decoder, write_window
from ..family import ModelFamily
from ..mixture import GGUF_KEYS, Mixture, Names, read_experts
from ..reference_experts import clamped_mixture

THETA = 150000.0
ALPHA, LIMIT = 1.702, 7.0
NAMES = Names(
    router="mlp.router",
    gate_up="mlp.experts.gate_up_proj",
    all_down="mlp.experts.down_proj",
    interleaved=True,
    transposed=True,
)
YARN = {
    **{"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False},
    **{"attention_factor": 1.3465735902799727, "original_max_position_embeddings": 4096},
}


def kind_of(i: int) -> str:
    """The default kind of a layer."""
    return FULL if i % 2 else SLIDING


def read_config(read: ConfigReader) -> dict[str, Any]:
    read.only("attention_bias", True)
    read = read.changed({"attention_bias": True})
    if not read.is_gguf and read.get("rope_parameters", None) is None:
        read = read.changed({"rope_parameters": YARN})
    config = read_decoder(read, theta=THETA, eps=1e-5, **read_window(read, kind_of, default_window=128))
    if read.is_gguf and config["rope_scaling"] is not None:
        config["rope_scaling"]["truncate"] = False  # GGUF files do not say
    config["attention_output_bias"] = True
    limits = {"swiglu_alpha": read.number("swiglu_alpha", ALPHA), "swiglu_limit": read.number("swiglu_limit", LIMIT)}
    return config | read_experts(read, "num_local_experts", "intermediate_size") | limits


def mixture_of(experts: int, top: int, ffn: int, alpha: float = ALPHA, limit: float = LIMIT) -> Mixture:
    act = {"act": "clamped", "alpha": alpha, "limit": limit}
    return Mixture(experts, top, ffn, bias=True, act=act, names=NAMES)


def settings(config: FileConfig) -> dict[str, Any]:
    sizes = (config["num_experts"], config["num_experts_per_tok"], config["moe_intermediate_size"])
    moe = mixture_of(*sizes, config["swiglu_alpha"], config["swiglu_limit"])
    return {**layer_settings(config), "sinks": True, "mixture": moe}


def tensors(config: Config) -> Iterator[Row]:
    """GGUF files name the second norm after what comes before it."""
    for row in table(config):
        yield replace(row, gguf=f"blk.{row.layer}.post_attention_norm") if row.part == "ffn_norm" else row


def write_config(config: FileConfig) -> dict[str, Any]:
    experts = {"num_local_experts": config["num_experts"], "num_experts_per_tok": config["num_experts_per_tok"]}
    limits = {key: shortest(config[key]) for key in ("swiglu_alpha", "swiglu_limit")}
    own = write_decoder(config, "gpt_oss") | write_window(config)
    return own | experts | limits | {"attention_bias": True}


FAMILY = register(
    ModelFamily(
        name="gpt_oss",
        model_types={"gpt_oss": "GptOssForCausalLM"},
        gguf="gpt-oss",
        gguf_keys=GGUF_KEYS,
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        table=tensors,
        build=Decoder,
        reference=partial(reference.decoder, experts=clamped_mixture),
        tiny={
            "model_type": "gpt_oss",
            **TINY,
            **{"num_local_experts": 6, "num_experts_per_tok": 2, "attention_bias": True, "sliding_window": 9},
            **{"layer_types": [SLIDING, FULL], "swiglu_alpha": 1.702, "swiglu_limit": 0.7},
            "rope_scaling": {
                **{"rope_type": "yarn", "factor": 4.0, "beta_fast": 4.0, "truncate": False},
                "original_max_position_embeddings": 16,
            },
        },
        presets={
            "gpt-oss-20b": Config(
                *("gpt_oss", 201088, 2880, 2880, 24, 64, 8, 64, 131072, 1e-5),
                tied=False,
                qkv_bias=True,
                out_bias=True,
                theta=THETA,
                rope_scaling=YARN,
                window=128,
                sinks=True,
                mixture=mixture_of(32, 4, 2880),
                per_layer=tuple({"window": 0} if i % 2 else {} for i in range(24)),
            )
        },
    )
)
