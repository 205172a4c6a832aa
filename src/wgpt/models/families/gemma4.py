"""Gemma 4, also the text part of models that read images and sound: Gemma 3 with wider heads and one projection for
keys and values in layers without a window, norms of values, layers that use the keys and values of others, an input of
its own for each layer (E2B, E4B) or experts beside the feed-forward (26B-A4B), and a factor of each layer's result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...formats import FormatError
from ...formats.config_reader import ConfigReader
from ...formats.errors import shown
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ...formats.hf_config import shortest
from ...formats.rope_scaling import LEAST_THETA, NEVER
from ..decoder_config import FULL, SLIDING, read_decoder, write_decoder
from ..family import ModelFamily
from ..layer_inputs import LayerInputs, tensors
from ..layer_shapes import read_ffn, read_k_eq_v, read_kinds, read_shapes
from ..mixture import GGUF_KEYS as EXPERTS
from ..mixture import Mixture, Names, read_experts
from ..reference_layer_inputs import layer_inputs
from .gemma import GELU, TINY_GEMMA

VOCAB = 262144  # default rows of the table of per-layer inputs
GLOBAL_THETA, LOCAL_THETA = 1e6, 1e4
SHARE = 0.25  # the share of pairs that are rotated in a layer without a window
NAMES = Names(
    router="router.proj",
    gate="experts.gate_proj",
    up="experts.up_proj",
    down="experts.down_proj",
    gate_up="experts.gate_up_proj",
    all_down="experts.down_proj",
)
SIZES = tuple(EXPERTS)
GGUF_KEYS = {
    **{"head_dim": "attention.key_length_swa", "global_head_dim": "attention.key_length"},
    **{"gguf_v": "attention.value_length_swa", "gguf_global_v": "attention.value_length"},
    **{"gguf_rotary": "rope.dimension_count_swa", "gguf_global_rotary": "rope.dimension_count"},
    **{"num_key_value_heads": "attention.head_count_kv", "intermediate_size": "feed_forward_length"},
    **EXPERTS,
    "num_kv_shared_layers": "attention.shared_kv_layers",
    "hidden_size_per_layer_input": "embedding_length_per_layer_input",
    "rope_local_base_freq": "rope.freq_base_swa",
    "sliding_window_pattern": "attention.sliding_window_pattern",
    "final_logit_softcapping": "final_logit_softcapping",
}


def read_config(read: ConfigReader) -> dict[str, Any]:
    read.only("use_bidirectional_attention", "vision")  # attention over text is causal nevertheless
    read.only("hidden_activation", *GELU)
    read.only("attention_bias", False)
    kinds, shared = read_kinds(read), read.whole("num_kv_shared_layers", 0, least=0)
    own = kinds[: max(len(kinds) - shared, 0)]
    if missing := {*kinds[len(own) :]} - {*own}:
        read.refuse(f"{read.name('num_kv_shared_layers')} is {shared}, but no earlier layer is of {sorted(missing)[0]}")
    ffn, wide = read_ffn(read, len(own), len(kinds))
    shapes = read_shapes(read, kinds)
    head_dim, global_head_dim, kv_heads, global_kv_heads = shapes
    same = read.changed({"intermediate_size": ffn, "num_key_value_heads": kv_heads, "head_dim": head_dim})
    rope = _rope(read, global_head_dim)
    config = read_decoder(same, acts=GELU, tied=True, rope=rope, sliding_window=read.whole("sliding_window", 512))
    if config["num_attention_heads"] % global_kv_heads:
        heads = config["num_attention_heads"]
        read.refuse(
            f"{read.name('num_attention_heads')} {heads} is not a multiple of {global_kv_heads} key-value heads"
        )
    missing_inputs = read.is_gguf or "hidden_size_per_layer_input" in read.raw
    inputs = read.whole("hidden_size_per_layer_input", 0 if missing_inputs else 256, least=0)
    if inputs:
        rows = read.get("vocab_size_per_layer_input", config["vocab_size"] if read.is_gguf else VOCAB)
        if rows != config["vocab_size"]:
            name = read.name("vocab_size_per_layer_input")
            read.refuse(f"unsupported {name} {shown(rows)}; supported: {config['vocab_size']}")
    cap = read.raw.get("final_logit_softcapping")
    return config | {
        "layer_types": kinds,
        "global_head_dim": global_head_dim,
        "num_global_key_value_heads": global_kv_heads,
        "attention_k_eq_v": read_k_eq_v(read, [i for i, kind in enumerate(own) if kind == FULL]),
        "local_rope_theta": rope["local_rope_theta"],
        "num_kv_shared_layers": shared,
        "use_double_wide_mlp": wide,
        "hidden_size_per_layer_input": inputs,
        "final_logit_softcapping": cap and read.number("final_logit_softcapping"),
        **(read_experts(read) if _has_experts(read) else {}),
    }


def _has_experts(read: ConfigReader) -> bool:
    return read.get("num_experts", 0) != 0 if read.is_gguf else read.flag("enable_moe_block", False)


def _rope(read: ConfigReader, global_head_dim: int) -> dict[str, Any]:
    if read.is_gguf:
        share, scaling = 1.0, read.get("rope_scaling", None)
        if scaling is not None:
            factors = scaling.get("factors")
            turning = factors.count(1.0) if isinstance(factors, list) else -1
            if turning < 0 or [f > 0.5 * NEVER for f in factors] != [i >= turning for i in range(global_head_dim // 2)]:
                read.refuse(f"unsupported RoPE scaling {shown(scaling)} of a Gemma 4 file")
            share = 2 * turning / global_head_dim
        theta = read.number("rope_theta", GLOBAL_THETA, least=LEAST_THETA)
        local = read.number("rope_local_base_freq", LOCAL_THETA, least=LEAST_THETA)
    else:
        usual = {
            FULL: {"rope_type": "proportional", "partial_rotary_factor": SHARE, "rope_theta": GLOBAL_THETA},
            SLIDING: {"rope_type": "default", "rope_theta": LOCAL_THETA},
        }
        read.only("rope_scaling", {})
        parameters = read.get("rope_parameters", usual)
        if not isinstance(parameters, dict) or not all(isinstance(parameters.get(kind), dict) for kind in usual):
            read.refuse(f"rope_parameters is {shown(parameters)}, not an object for {FULL} and for {SLIDING}")
        full, other = (ConfigReader(parameters[kind], f"{read.where}: rope_parameters.{kind}") for kind in usual)
        full.only("factor", 1)
        other.only("partial_rotary_factor", 1)
        other.only("rope_type", "default")
        share = full.number("partial_rotary_factor", 1.0, most=1)
        turning = full.get("rope_type", "default")
        if turning != "proportional" and (turning, share) != ("default", 1):
            full.refuse(f"unsupported rope_type {shown(turning)}; supported: proportional")
        either = read.number("rope_theta", LOCAL_THETA, least=LEAST_THETA)
        theta, local = (each.number("rope_theta", either, least=LEAST_THETA) for each in (full, other))
    scaling = {"rope_type": "proportional", "partial_rotary_factor": share, "head_dim": global_head_dim}
    return {"rope_theta": theta, "rope_scaling": scaling, "local_rope_theta": local}


def write_config(config: FileConfig) -> dict[str, Any]:
    own = write_decoder(config, "gemma4_text")
    theta, scaling = own.pop("rope_theta"), own.pop("rope_scaling")
    if not config["attention_k_eq_v"] and config["num_global_key_value_heads"] != config["num_key_value_heads"]:
        raise FormatError(
            "a Gemma 4 config.json cannot express key-value heads of layers that have values of their own"
        )
    names = ("global_head_dim", "num_global_key_value_heads", "attention_k_eq_v", "num_kv_shared_layers", "layer_types")
    more = ("sliding_window", "use_double_wide_mlp", "hidden_size_per_layer_input", "attention_bias")
    return {
        **own,
        **{name: config[name] for name in (*names, *more)},
        "hidden_activation": config["hidden_act"],
        **_write_experts(config),
        "vocab_size_per_layer_input": config["vocab_size"],
        "final_logit_softcapping": config["final_logit_softcapping"] and shortest(config["final_logit_softcapping"]),
        "rope_parameters": {
            FULL: {**{k: v for k, v in scaling.items() if k != "head_dim"}, "rope_theta": theta},
            SLIDING: {"rope_type": "default", "rope_theta": shortest(config["local_rope_theta"])},
        },
    }


def _write_experts(config: FileConfig) -> dict[str, Any]:
    if "num_experts" not in config:
        return {"enable_moe_block": False}
    experts, top, ffn = (config[key] for key in SIZES)
    sizes = {"num_experts": experts, "top_k_experts": top, "moe_intermediate_size": ffn}
    return {"enable_moe_block": True, **sizes}


def gguf_values(config: FileConfig) -> dict[str, Any]:
    kinds, dim, global_dim = config["layer_types"], config["head_dim"], config["global_head_dim"]
    heads = {SLIDING: config["num_key_value_heads"], FULL: config["num_global_key_value_heads"]}
    ffn, own = config["intermediate_size"], len(kinds) - config["num_kv_shared_layers"]
    wide = config["use_double_wide_mlp"]
    return {
        **{"attention.value_length": global_dim, "attention.value_length_swa": dim},
        **{"rope.dimension_count": global_dim, "rope.dimension_count_swa": dim},
        "attention.head_count_kv": [heads[kind] for kind in kinds],
        "feed_forward_length": [ffn * (1 + (wide and i >= own)) for i in range(len(kinds))],
        "attention.sliding_window_pattern": [kind == SLIDING for kind in kinds],
    }


def settings(config: FileConfig) -> dict[str, Any]:
    kinds = config["layer_types"]
    own = len(kinds) - config["num_kv_shared_layers"]
    local = {"theta": config["local_rope_theta"], "rope_scaling": None}
    full = {"window": 0, "head_dim": config["global_head_dim"], "kv_heads": config["num_global_key_value_heads"]}
    full["v_is_k"] = config["attention_k_eq_v"]
    wide = {"ffn": 2 * config["intermediate_size"]} if config["use_double_wide_mlp"] else {}
    layers: list[Mapping[str, Any]] = []
    for i, kind in enumerate(kinds):
        last = max((j for j in range(own) if kinds[j] == kind), default=0)
        layers.append((local if kind == SLIDING else full) | ({"kv_layer": last, **wide} if i >= own else {}))
    moe = None
    if "num_experts" in config:
        experts, top, ffn = (config[key] for key in SIZES)
        moe = Mixture(experts, top, ffn, beside=True, act={"act": "geglu"}, names=NAMES)
    return {
        "mixture": moe,
        **{"act": "gelu", "embed_scale": config["hidden_size"] ** 0.5, "post_norms": True, "qk_norm": True},
        **{"attention_scale": 1.0, "logit_cap": config["final_logit_softcapping"] or 0.0, "v_norm": True},
        "per_layer_input": config["hidden_size_per_layer_input"],
        "per_layer": tuple(layers),
    }


FAMILY = register(
    ModelFamily(
        name="gemma4",
        model_types={"gemma4_text": "Gemma4ForCausalLM"},
        gguf="gemma4",
        gguf_keys=GGUF_KEYS,
        gguf_values=gguf_values,
        wrappers={"gemma4": "gemma4_text"},
        config_names={"top_k_experts": "num_experts_per_tok"},
        tied_by_default=True,
        # Files also contain the unused projections of layers that share keys and values.
        without_effect=r"model\.layers\.\d+\.self_attn\.(k_proj|v_proj|k_norm)\.weight",
        without_effect_gguf=r"blk\.\d+\.attn_(k|v|k_norm)\.weight",
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        table=tensors,
        build=LayerInputs,
        reference=layer_inputs,
        tiny={
            "model_type": "gemma4_text",
            **{key: value for key, value in TINY_GEMMA.items() if key != "rope_theta"},
            **{"num_hidden_layers": 4, "layer_types": [SLIDING, FULL, SLIDING, FULL], "sliding_window": 9},
            **{"global_head_dim": 32, "num_global_key_value_heads": 1, "attention_k_eq_v": True},
            **{"num_kv_shared_layers": 2, "use_double_wide_mlp": True, "final_logit_softcapping": 4.0},
            **{"hidden_size_per_layer_input": 19, "vocab_size_per_layer_input": 61},
            "rope_parameters": {
                FULL: {"rope_type": "proportional", "partial_rotary_factor": 0.5, "rope_theta": 5000.0},
                SLIDING: {"rope_type": "default", "rope_theta": 300.0},
            },
        },
    )
)
