"""Decoders with per-layer inputs, shared keys and values, and norms of values, in plain NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .decoder_config import SLIDING
from .family import Array, Weights
from .reference import Config, attention, gelu, rotated, split_heads


def layer_inputs(config: Config, w: Weights, ids: Array, block: int) -> Array:
    """The forward of layer_inputs.py's families, from config.json's keys."""
    hidden, eps, kinds = config["hidden_size"], config["rms_norm_eps"], config["layer_types"]
    count, inputs = len(kinds), config["hidden_size_per_layer_input"]

    def norm(x: Array, gain: Array | float = 1.0, eps: float = eps) -> Array:
        return np.asarray(x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) * gain)

    x = w["model.embed_tokens.weight"][ids] * hidden**0.5
    if inputs:
        of_token = w["model.embed_tokens_per_layer.weight"][ids].reshape(-1, count, inputs) * inputs**0.5
        of_text = (x @ w["model.per_layer_model_projection.weight"].T * hidden**-0.5).reshape(of_token.shape)
        own = (norm(of_text, w["model.per_layer_projection_norm.weight"]) + of_token) * 2**-0.5
    kept: dict[str, tuple[Array, Array]] = {}  # the newest keys and values of each kind of layer
    for i, kind in enumerate(kinds):
        layer = {name.removeprefix(p): value for name, value in w.items() if name.startswith(p := f"model.layers.{i}.")}
        y = norm(x, layer["input_layernorm.weight"])
        q = split_heads(y @ layer["self_attn.q_proj.weight"].T, config["num_attention_heads"])
        turn = np.arange(float(len(ids)))[:, None] * _frequencies(config["rope_parameters"][kind], q.shape[-1])
        q = rotated(norm(q, layer["self_attn.q_norm.weight"]), turn)
        if i < count - config["num_kv_shared_layers"]:
            heads = len(layer["self_attn.k_proj.weight"]) // q.shape[-1]
            k = split_heads(y @ layer["self_attn.k_proj.weight"].T, heads)
            has_v = "self_attn.v_proj.weight" in layer
            v = split_heads(y @ layer["self_attn.v_proj.weight"].T, heads) if has_v else k
            kept[kind] = rotated(norm(k, layer["self_attn.k_norm.weight"]), turn), norm(v)
        window = config["sliding_window"] if kind == SLIDING else None
        y = attention(q, *kept[kind], window, block, 1.0) @ layer["self_attn.o_proj.weight"].T
        x = x + norm(y, layer["post_attention_layernorm.weight"])
        y = norm(x, layer["pre_feedforward_layernorm.weight"])
        y = gelu(y @ layer["mlp.gate_proj.weight"].T) * (y @ layer["mlp.up_proj.weight"].T)
        y = y @ layer["mlp.down_proj.weight"].T
        if "router.proj.weight" in layer:
            logits = norm(x, layer["router.scale"]) * hidden**-0.5 @ layer["router.proj.weight"].T
            more = _experts(config, layer, norm(x, layer["pre_feedforward_layernorm_2.weight"]), logits)
            y = norm(y, layer["post_feedforward_layernorm_1.weight"])
            y = y + norm(more, layer["post_feedforward_layernorm_2.weight"])
        x = x + norm(y, layer["post_feedforward_layernorm.weight"])
        if inputs:
            y = gelu(x @ layer["per_layer_input_gate.weight"].T) * own[:, i]
            x = x + norm(y @ layer["per_layer_projection.weight"].T, layer["post_per_layer_input_norm.weight"])
        x = x * layer["layer_scalar"]
    return norm(x, w["model.norm.weight"])


def _experts(config: Config, layer: Weights, x: Array, logits: Array) -> Array:
    """Every token, one expert after the other."""
    y = np.zeros_like(x)
    for i, row in enumerate(x):
        chosen = np.argsort(-logits[i], kind="stable")[: config["top_k_experts"]]
        shares = np.exp(logits[i][chosen] - logits[i].max())
        for e, share in zip(chosen, shares / shares.sum(), strict=True):
            gate, up = np.split(layer["experts.gate_up_proj"][e] @ row, 2)
            more = layer["experts.down_proj"][e] @ (gelu(gate) * up)
            y[i] += share * layer["router.per_expert_scale"][e] * more
    return y


def _frequencies(rope: Mapping[str, Any], dim: int) -> Array:
    plain = rope["rope_theta"] ** (-np.arange(0, dim, 2) / dim)
    return np.where(np.arange(dim // 2) < int(rope.get("partial_rotary_factor", 1.0) * dim // 2), plain, 0.0)
