"""DeepSeek V2, V3 and R1, and GLM-4.7-Flash: latent attention, and a mixture of experts after the first layers, with
experts for all rows; the router may choose by sigmoids with a bias, among the best groups of experts."""

from __future__ import annotations

import math
from typing import Any

from ...formats.config_reader import ConfigReader
from ...formats.errors import shown
from ...formats.family import Config as FileConfig
from ...formats.family import register
from ...formats.hf_config import shortest
from ...formats.rope_scaling import read_rope, rope_object
from ..config import Latent
from ..decoder_config import TINY, read_decoder, write_decoder
from ..family import ModelFamily
from ..latent import LatentDecoder, tensors
from ..mixture import GGUF_KEYS as EXPERTS
from ..mixture import Mixture, Names, read_experts, with_experts
from ..reference_latent import latent_decoder

V2, V3, LITE = "deepseek_v2", "deepseek_v3", "glm4_moe_lite"
GATING = {1: "softmax", 2: "sigmoid"}  # the value in GGUF files
LAYERS_LITE = 47  # number of layers of the model whose first GGUF files do not say that it routes by sigmoids
NAMES = Names(shared="mlp.shared_experts")
SIZES = ("kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim")
GROUPS = ("n_group", "topk_group")
GGUF_KEYS = {
    **EXPERTS,
    **{"kv_lora_rank": "attention.kv_lora_rank", "q_lora_rank": "attention.q_lora_rank"},
    **{"v_head_dim": "attention.value_length_mla", "gguf_key": "attention.key_length_mla"},
    **{"gguf_value": "attention.value_length", "qk_rope_head_dim": "rope.dimension_count"},
    **{"n_shared_experts": "expert_shared_count", "routed_scaling_factor": "expert_weights_scale"},
    **{"norm_topk_prob": "expert_weights_norm", "scoring_func": "expert_gating_func"},
    **{"n_group": "expert_group_count", "topk_group": "expert_group_used_count"},
    **{"first_k_dense_replace": "leading_dense_block_count", "num_nextn_predict_layers": "nextn_predict_layers"},
    "mscale_all_dim": "rope.scaling.yarn_log_multiplier",
}


def read_config(read: ConfigReader) -> dict[str, Any]:
    kind = V3 if read.is_gguf else read.raw["model_type"]
    if read.is_gguf and read.raw.get("gguf_key") is None:
        read.refuse("the file was made by an older llama.cpp (it has no attention.key_length_mla): use a newer one")
    read.only("attention_bias", False)
    layers = read.whole("num_hidden_layers") - (
        read.whole("num_nextn_predict_layers", 0, least=0) if read.is_gguf else 0
    )
    rank, rotary = read.whole("kv_lora_rank", 512), read.whole("qk_rope_head_dim", 64)
    nope = (
        read.whole("gguf_key") - rotary
        if read.is_gguf
        else read.whole("qk_nope_head_dim", 192 if kind == LITE else 128)
    )
    values = read.whole("v_head_dim", 256 if kind == LITE else 128)
    if read.is_gguf:
        read.only("head_dim", rank + rotary)
        read.only("gguf_value", rank)
        read.only("num_key_value_heads", 1)
    else:
        read.only("head_dim", rotary)  # in transformers, head_dim is that of RoPE
    for key, size in zip(SIZES, (rank, nope, rotary, values), strict=True):
        if size < 8 or size % 8:
            read.refuse(f"{read.name(key)} is {size}; it must be a multiple of 8")
    same = {"head_dim": rank + rotary, "num_key_value_heads": 1, "num_hidden_layers": layers}
    rope, mscale = _rope(read, rotary)
    more: dict[str, Any] = {"biases": ("mlp_bias",) if kind == V2 else (), "eps": 1e-5 if kind == LITE else 1e-6}
    config = read_decoder(read.changed(same), rope=rope, partial_rope=True, **more)
    missing = {V2: 1536, V3: 1536, LITE: 768}[kind] if "q_lora_rank" not in read.raw else 0
    return config | {
        **dict(zip(SIZES, (rank, nope, rotary, values), strict=True)),
        "q_lora_rank": read.whole("q_lora_rank", 0 if read.is_gguf else missing, least=0),
        "rotary_dim": rotary,
        "rope_interleave": kind == V2 or read.flag("rope_interleave", True),
        "mscale_all_dim": mscale,
        **read_experts(read, "n_routed_experts"),
        **_routing(read, kind),
        "n_shared_experts": read.whole("n_shared_experts", 2 if kind == V2 else 1),
        "first_k_dense_replace": _dense(read, kind, layers),
    }


def _rope(read: ConfigReader, rotary: int) -> tuple[dict[str, Any], float]:
    """rope_theta and rope_scaling, and the weight of yarn's factor in the scores, or 0."""
    _, scaling = rope_object(read)
    if read.is_gguf and scaling.get("rope_type") == "yarn":
        scale = 10 * read.number("mscale_all_dim") if read.raw.get("mscale_all_dim") else 0.0  # it is a tenth of it
        weights = {"mscale": scale, "mscale_all_dim": scale} if scale else {"attention_factor": 1.0}
        both = {key: value for key, value in scaling.items() if "mscale" not in key} | weights
        read = read.changed({"rope_scaling": both})
        scaling = both
    rope = read_rope(read, rotary, partial=True)
    weight = scaling.get("mscale_all_dim") if rope["rope_scaling"] is not None else None
    return rope, float(weight) if isinstance(weight, int | float) and weight else 0.0


def _routing(read: ConfigReader, kind: str) -> dict[str, Any]:
    """How experts are chosen and weighted."""
    if read.is_gguf:
        usual = 2 if read.whole("num_hidden_layers") == LAYERS_LITE else 1
        code = read.get("scoring_func", usual)
        if code not in GATING:
            read.refuse(f"unsupported {read.name('scoring_func')} {shown(code)}; supported: 1 (softmax), 2 (sigmoid)")
        score, norm, groups = GATING[code], read.flag("norm_topk_prob", False), (1, 1)
    else:
        score = "softmax" if kind == V2 else "sigmoid"
        read.only("scoring_func", score)
        norm, groups = read.flag("norm_topk_prob", kind != V2), (8, 4) if kind == V3 else (1, 1)
        if kind == V2:
            read.only("norm_topk_prob", False)
            read.only("topk_method", "greedy", "group_limited_greedy")
    if kind == V2 and read.get("topk_method", "greedy") == "greedy":
        sizes = {"n_group": 1, "topk_group": 1}
    else:
        sizes = {key: read.whole(key, usual) for key, usual in zip(GROUPS, groups, strict=True)}
    experts = read_experts(read, "n_routed_experts")
    if experts["num_experts"] % sizes["n_group"] or sizes["topk_group"] > sizes["n_group"]:
        read.refuse(f"{experts['num_experts']} experts cannot be in {sizes['n_group']} groups of {sizes['topk_group']}")
    share = experts["num_experts"] // sizes["n_group"]
    if experts["num_experts_per_tok"] > share * sizes["topk_group"] or (
        score == "sigmoid" and sizes["n_group"] > 1 and share < 2
    ):
        read.refuse(f"{read.name('n_group')} is {sizes['n_group']}: groups of {share} experts are too small")
    scale = read.number("routed_scaling_factor", {V2: 1.0, V3: 1.0 if read.is_gguf else 2.5, LITE: 1.8}[kind])
    return {**sizes, "scoring_func": score, "norm_topk_prob": norm, "routed_scaling_factor": scale}


def _dense(read: ConfigReader, kind: str, layers: int) -> int:
    """How many of the first layers have no experts."""
    read.only("moe_layer_freq", 1)
    kinds = read.get("mlp_layer_types", None) if kind == LITE else None
    if kinds is None:
        return min(
            read.whole("first_k_dense_replace", {V2: 0, V3: 0 if read.is_gguf else 3, LITE: 1}[kind], least=0), layers
        )
    count = kinds.count("dense") if isinstance(kinds, list) else -1
    if kinds != ["dense"] * count + ["sparse"] * (layers - count):
        read.refuse(f"mlp_layer_types is {shown(kinds)}; supported: dense ones, then sparse ones, of {layers} layers")
    return count


def write_config(config: FileConfig) -> dict[str, Any]:
    kind = V2 if config["scoring_func"] == "softmax" else V3
    own = write_decoder(config, kind)
    scaling = own["rope_scaling"]
    if scaling and config["mscale_all_dim"]:
        weights = dict.fromkeys(("mscale", "mscale_all_dim"), config["mscale_all_dim"])
        own["rope_scaling"] = {k: v for k, v in scaling.items() if k != "attention_factor"} | weights
    names = (*SIZES, *GROUPS, "num_experts_per_tok", "moe_intermediate_size", "n_shared_experts", "norm_topk_prob")
    return {
        **own,
        **{name: config[name] for name in names},
        "q_lora_rank": config["q_lora_rank"] or None,
        "n_routed_experts": config["num_experts"],
        "num_key_value_heads": config["num_attention_heads"],
        "head_dim": config["qk_rope_head_dim"],
        "first_k_dense_replace": config["first_k_dense_replace"],
        "routed_scaling_factor": shortest(config["routed_scaling_factor"]),
        "rope_interleave": config["rope_interleave"],
        "num_nextn_predict_layers": 0,
        **({"topk_method": "group_limited_greedy" if config["n_group"] > 1 else "greedy"} if kind == V2 else {}),
    }


def gguf_values(config: FileConfig) -> dict[str, Any]:
    codes = {score: code for code, score in GATING.items()}
    lora = {"attention.q_lora_rank": config["q_lora_rank"]} if config["q_lora_rank"] else {}
    mscale = config["mscale_all_dim"]
    return {
        **lora,
        **({"rope.scaling.yarn_log_multiplier": 0.1 * mscale} if mscale else {}),
        "attention.key_length_mla": config["qk_nope_head_dim"] + config["qk_rope_head_dim"],
        "attention.value_length": config["kv_lora_rank"],
        "expert_gating_func": codes[config["scoring_func"]],
        "expert_weights_scale": float(config["routed_scaling_factor"]),
    }


def settings(config: FileConfig) -> dict[str, Any]:
    rank, nope, rotary, values = (config[key] for key in SIZES)
    scaling, scale = config["rope_scaling"], (nope + rotary) ** -0.5
    if config["mscale_all_dim"] and scaling["factor"] > 1:
        scale *= (0.1 * config["mscale_all_dim"] * math.log(scaling["factor"]) + 1) ** 2
    sigmoid, count = config["scoring_func"] == "sigmoid", config["num_hidden_layers"]
    groups, best = config["n_group"], config["topk_group"]
    groups, best = (groups, best) if best < groups else (1, 1)  # choosing among all groups is no choice
    choice = {"score": config["scoring_func"], "scale": config["routed_scaling_factor"], "groups": groups}
    choice |= {"best_groups": best, "group_sum": 2 if sigmoid and groups > 1 else 1}
    moe = Mixture(
        *(config["num_experts"], config["num_experts_per_tok"], config["moe_intermediate_size"]),
        norm=config["norm_topk_prob"],
        shared=config["n_shared_experts"] * config["moe_intermediate_size"],
        choice_bias=sigmoid,
        choice=choice,
        names=NAMES,
    )
    own = {"latent": Latent(rank, config["q_lora_rank"], nope, values), "rotary": rotary, "attention_scale": scale}
    own["interleaved"] = config["rope_interleave"]
    return with_experts(own, moe, count, list(range(config["first_k_dense_replace"], count)))


FAMILY = register(
    ModelFamily(
        name="deepseek2",
        model_types={V3: "DeepseekV3ForCausalLM", V2: "DeepseekV2ForCausalLM", LITE: "Glm4MoeLiteForCausalLM"},
        gguf="deepseek2",
        gguf_keys=GGUF_KEYS,
        gguf_values=gguf_values,
        further_layers=True,
        read_config=read_config,
        write_config=write_config,
        settings=settings,
        table=tensors,
        build=LatentDecoder,
        reference=latent_decoder,
        tiny={
            "model_type": V3,
            **{key: value for key, value in TINY.items() if key not in ("head_dim", "num_key_value_heads")},
            **{"num_hidden_layers": 2, "num_key_value_heads": 4, "first_k_dense_replace": 1, "q_lora_rank": 23},
            **{"kv_lora_rank": 32, "qk_nope_head_dim": 16, "qk_rope_head_dim": 8, "v_head_dim": 24},
            **{"n_routed_experts": 8, "num_experts_per_tok": 4, "moe_intermediate_size": 21, "n_shared_experts": 2},
            **{"n_group": 4, "topk_group": 3, "routed_scaling_factor": 1.7, "norm_topk_prob": True},
            **{"hidden_size": 75, "intermediate_size": 85},
        },
    )
)
