"""GPT-NeoX and Pythia: LayerNorm, RoPE of a quarter of a head, q, k and v of each head in turns, and a feed-forward
without a gate that usually starts from the same hidden states as attention."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.family import Config as FileConfig
from ...formats.family import Row, register
from .. import reference
from ..config import Config
from ..family import ModelFamily
from ..layernorm_config import (
    GELU_TANH,
    TINY_LAYERNORM,
    gelu_exact,
    layernorm_decoder_in_numpy,
    layernorm_settings,
    read_layernorm_decoder,
    write_layernorm_decoder,
)
from ..layernorm_decoder import LayerNormDecoder
from ..layernorm_decoder import table as layernorm_table

ROTARY = 0.25
NAMES = {
    **{"embed": "gpt_neox.embed_in", "norm": "gpt_neox.final_layer_norm", "head": "embed_out"},
    **{"layer": "gpt_neox.layers.{}.", "attention_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm"},
    **{"qkv": "attention.query_key_value", "o": "attention.dense"},
    **{"up": "mlp.dense_h_to_4h", "down": "mlp.dense_4h_to_h"},
}


def read_config(read: ConfigReader) -> dict[str, Any]:
    bias = read.is_gguf or read.flag("attention_bias", True)
    biases: dict[str, Any] = {"qkv_bias": bias, "out_bias": bias, "ffn_bias": True}
    config = read_layernorm_decoder(read, acts=("gelu", *GELU_TANH), **biases, rotary=ROTARY)
    return config | {"use_parallel_residual": read.flag("use_parallel_residual", True)}


def write_config(config: FileConfig) -> dict[str, Any]:
    own = write_layernorm_decoder(config, "gpt_neox")
    own |= {"rotary_pct": config["rotary_dim"] / config["head_dim"], "rotary_emb_base": own.pop("rope_theta")}
    return own | {key: config[key] for key in ("attention_bias", "use_parallel_residual")}


def settings(config: FileConfig) -> dict[str, Any]:
    act = "gelu" if config["hidden_act"] in GELU_TANH else "gelu_erf"
    more = {"norm_bias": True, "gated": False, "by_head": True, "act": act}
    return layernorm_settings(config, **more, parallel=config["use_parallel_residual"])


def table(config: Config) -> Iterator[Row]:
    return layernorm_table(config, NAMES)


def forward_in_numpy(config: dict[str, Any], *others: Any) -> Any:
    act = reference.gelu if config["hidden_act"] in GELU_TANH else gelu_exact
    rope = {"rope_theta": config.get("rotary_emb_base"), "partial_rotary_factor": config.get("rotary_pct")}
    config = {**{key: value for key, value in rope.items() if value is not None}, **config}
    parallel = lambda config: config.get("use_parallel_residual", True)
    return layernorm_decoder_in_numpy(config, *others, names=NAMES, act=act, parallel=parallel, rotary=ROTARY)


FAMILY = register(
    ModelFamily(
        name="gptneox",
        model_types={"gpt_neox": "GPTNeoXForCausalLM"},
        gguf="gptneox",
        gguf_keys={"rotary_dim": "rope.dimension_count", "use_parallel_residual": "use_parallel_residual"},
        config_names={
            **{"layer_norm_eps": "layer_norm_epsilon", "rotary_pct": "partial_rotary_factor"},
            "rotary_emb_base": "rope_theta",
        },
        prefix="gpt_neox.",
        embedding=NAMES["embed"],
        layer=NAMES["layer"],
        head=NAMES["head"],
        tokenizer_class="GPTNeoXTokenizer",
        without_effect=r"(gpt_neox\.)?layers\.\d+\.attention\.(bias|masked_bias)",  # the causal mask and its fill value
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        table=table,
        build=LayerNormDecoder,
        reference=forward_in_numpy,
        tiny={
            **{key: value for key, value in TINY_LAYERNORM.items() if key not in ("num_key_value_heads", "rope_theta")},
            **{"model_type": "gpt_neox", "hidden_act": "gelu", "rotary_pct": 0.5, "rotary_emb_base": 500.0},
            "tie_word_embeddings": False,
        },
    )
)
