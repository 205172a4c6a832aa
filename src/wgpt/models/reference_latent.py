"""Decoders with latent attention in plain NumPy: keys and values of every head are computed."""

from __future__ import annotations

import math

import numpy as np

from .family import Array, Weights
from .reference import Config, amplitude, frequencies, rope_of, rotated, silu, split_heads


def latent_decoder(config: Config, w: Weights, ids: Array, block: int) -> Array:
    """The forward of latent.py's families, from config.json's keys."""
    sizes = ("num_attention_heads", "kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim")
    heads, rank, nope, rotary, values = (config[key] for key in sizes)
    eps, n = config["rms_norm_eps"], len(ids)
    turn = np.arange(n)[:, None] * frequencies({**config, "head_dim": rotary, "partial_rotary_factor": 1.0}, n)
    rope = rope_of(config)
    scale = (nope + rotary) ** -0.5
    if rope["rope_type"] != "default" and rope.get("mscale_all_dim"):
        scale *= (0.1 * rope["mscale_all_dim"] * math.log(rope["factor"]) + 1) ** 2

    def norm(x: Array, gain: Array, eps: float = eps) -> Array:
        return np.asarray(x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps) * gain)

    def turned(x: Array) -> Array:
        return rotated(x, turn, config.get("rope_interleave", True), amplitude(config))

    x = w["model.embed_tokens.weight"][ids]
    unseen = np.triu(np.ones((n, n), bool), 1)
    for i in range(config["num_hidden_layers"]):
        layer = {name.removeprefix(p): value for name, value in w.items() if name.startswith(p := f"model.layers.{i}.")}
        at = {
            k.removeprefix("self_attn.").removesuffix(".weight"): v
            for k, v in layer.items()
            if k.startswith("self_attn")
        }
        y = norm(x, layer["input_layernorm.weight"])
        low = norm(y @ at["q_a_proj"].T, at["q_a_layernorm"], 1e-6) if "q_a_proj" in at else y
        q = split_heads(low @ at["q_b_proj" if "q_b_proj" in at else "q_proj"].T, heads)
        kv = y @ at["kv_a_proj_with_mqa"].T
        both = split_heads(norm(kv[:, :rank], at["kv_a_layernorm"], 1e-6) @ at["kv_b_proj"].T, heads)
        of_key = np.broadcast_to(turned(kv[None, :, rank:]), (heads, n, rotary))
        k = np.concatenate([both[..., :nope], of_key], axis=-1)
        q = np.concatenate([q[..., :nope], turned(q[..., nope:])], axis=-1)
        scores = np.where(unseen, -np.inf, q @ k.swapaxes(1, 2) * scale)
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        y = shares / shares.sum(axis=-1, keepdims=True) @ both[..., nope:]
        x = x + y.swapaxes(0, 1).reshape(n, heads * values) @ at["o_proj"].T
        y = norm(x, layer["post_attention_layernorm.weight"])
        x = x + (_gated(layer, "mlp", y) if "mlp.gate_proj.weight" in layer else _routed(config, layer, y))
    return norm(x, w["model.norm.weight"])


def _gated(layer: Weights, name: str, y: Array) -> Array:
    gate, up, down = (layer[f"{name}.{part}_proj.weight"] for part in ("gate", "up", "down"))
    return np.asarray((silu(y @ gate.T) * (y @ up.T)) @ down.T)


def _routed(config: Config, layer: Weights, x: Array) -> Array:
    logits, bias = x @ layer["mlp.gate.weight"].T, layer.get("mlp.gate.e_score_correction_bias")
    groups, top = config.get("n_group") or 1, config["num_experts_per_tok"]
    if bias is None:
        scores = np.exp(logits - logits.max(axis=1, keepdims=True))
        choice = scores = scores / scores.sum(axis=1, keepdims=True)
        groups = groups if config.get("topk_method", "greedy") != "greedy" else 1
    else:
        scores = 1 / (1 + np.exp(-logits))
        choice = scores + bias
    y = _gated(layer, "mlp.shared_experts", x)
    for m, row in enumerate(choice):
        of_group = np.sort(row.reshape(groups, -1), axis=1)
        best = of_group[:, -1] if bias is None else of_group[:, -2:].sum(axis=1)
        best_groups = np.argsort(-best, kind="stable")[: config.get("topk_group") or 1]
        counts = np.isin(np.arange(len(row)) // (len(row) // groups), best_groups)
        chosen = np.argsort(-np.where(counts, row, -np.inf), kind="stable")[:top]
        gates = scores[m][chosen] * config["routed_scaling_factor"]
        if bias is not None and config["norm_topk_prob"]:
            gates = gates / scores[m][chosen].sum()
        for e, gate in zip(chosen, gates, strict=True):
            y[m] += gate * _gated(layer, f"mlp.experts.{e}", x[m])
    return y
