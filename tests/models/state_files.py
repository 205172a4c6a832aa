"""Models whose layers have states as GGUF files, as llama.cpp's converter makes them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from wgpt.models.reference import Config, Weights

from .expert_files import stacked
from .gguf_maker import write_gguf


def write_states(path: Path, config: Config, weights: Weights) -> None:
    delta = {"qwen3_5_text": _qwen35, "qwen3_5_moe_text": _qwen35, "qwen3_next": _qwen3next}
    {"lfm2": _lfm2, "lfm2_moe": _lfm2, **delta}[config["model_type"]](path, config, weights)


def _lfm2(path: Path, config: Config, weights: Weights) -> None:
    kinds, heads = config["layer_types"], config["num_key_value_heads"]
    changed = {
        "num_key_value_heads": [heads if kind == "full_attention" else 0 for kind in kinds],
        "intermediate_size": weights["model.layers.0.feed_forward.w1.weight"].shape[0],
        "rms_norm_eps": config["norm_eps"],
    }
    flat = {name: w[:, 0] if name.endswith("conv.conv.weight") else w for name, w in stacked(weights).items()}
    flat = {name.replace("expert_bias", "expert_bias.bias"): w for name, w in flat.items()}
    # The gguf package knows stacked experts without "model.".
    flat = {name.removeprefix("model.") if ".experts." in name else name: w for name, w in flat.items()}
    metadata = {"shortconv.l_cache": config["conv_L_cache"], **expert_metadata(config)}
    if "num_experts" in config:
        metadata |= {"leading_dense_block_count": config["num_dense_layers"], "expert_gating_func": 2}
        metadata["expert_weights_scale"] = config["routed_scaling_factor"]
    write_gguf(path, config | changed, flat, metadata=metadata)


def _qwen35(path: Path, config: Config, weights: Weights) -> None:
    """Value heads in tiles: the first of each key head, then the second of each."""
    k_heads, v_heads, v_dim = (
        config[f"linear_{key}"] for key in ("num_key_heads", "num_value_heads", "value_head_dim")
    )
    tiles = np.arange(v_heads).reshape(k_heads, -1).T.reshape(-1)
    rows = (tiles[:, None] * v_dim + np.arange(v_dim)).reshape(-1)
    keys = 2 * k_heads * config["linear_key_head_dim"]
    qkv = np.concatenate([np.arange(keys), keys + rows])
    orders = {"in_proj_qkv.weight": qkv, "conv1d.weight": qkv, "in_proj_z.weight": rows, "in_proj_b.weight": tiles}
    orders |= {"in_proj_a.weight": tiles, "A_log": tiles, "dt_bias": tiles}
    stored: Weights = {}
    for name, w in stacked(weights).items():
        part = name.split("linear_attn.")[-1]
        if "linear_attn." in name and part in orders:
            w = w[orders[part]]
        if part == "out_proj.weight":
            w = w[:, rows]
        if name.endswith("norm.weight") and "linear_attn" not in name:
            w = w + 1
        w = -np.exp(w) if part == "A_log" else w.reshape(len(w), -1) if part == "conv1d.weight" else w
        stored[name.replace("dt_bias", "dt_proj.bias")] = w
    write_gguf(path, config, stored, metadata=delta_metadata(config) | expert_metadata(config))


def delta_metadata(config: Config) -> dict[str, float]:
    value_rows = config["linear_num_value_heads"] * config["linear_value_head_dim"]
    return {
        "ssm.conv_kernel": config["linear_conv_kernel_dim"],
        "ssm.state_size": config["linear_key_head_dim"],
        "ssm.group_count": config["linear_num_key_heads"],
        "ssm.time_step_rank": config["linear_num_value_heads"],
        "ssm.inner_size": value_rows,
        "full_attention_interval": config["layer_types"].index("full_attention") + 1,
        "rope.dimension_count": int(config["head_dim"] * 0.25),
    }


def expert_metadata(config: Config) -> dict[str, float]:
    keys = {
        "num_experts": "expert_count",
        "num_experts_per_tok": "expert_used_count",
        "moe_intermediate_size": "expert_feed_forward_length",
        "shared_expert_intermediate_size": "expert_shared_feed_forward_length",
    }
    return {name: config[key] for key, name in keys.items() if key in config}


def _qwen3next(path: Path, config: Config, weights: Weights) -> None:
    """q, k and v of all key heads, and the gates of all; those of b and a stay in turns."""
    heads, keys = config["linear_num_key_heads"], config["linear_key_head_dim"]
    values = config["linear_num_value_heads"] // heads * config["linear_value_head_dim"]
    stored: Weights = {}
    for name, w in stacked(weights).items():
        if name.endswith("norm.weight") and "linear_attn" not in name:
            w = w + 1
        if name.endswith("in_proj_qkvz.weight"):
            cuts = (keys, 2 * keys, 2 * keys + values)
            parts = np.split(w.reshape(heads, -1, w.shape[1]), cuts, axis=1)
            q, k, v, z = (part.reshape(-1, w.shape[1]) for part in parts)
            begin = name.removesuffix("qkvz.weight")
            stored |= {f"{begin}qkv.weight": np.concatenate([q, k, v]), f"{begin}z.weight": z}
            continue
        w = -np.exp(w) if name.endswith("A_log") else w.reshape(len(w), -1) if name.endswith("conv1d.weight") else w
        stored[name.replace("dt_bias", "dt_proj.bias")] = w
    write_gguf(path, config, stored, metadata=delta_metadata(config) | expert_metadata(config))
