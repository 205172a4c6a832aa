"""Mixtures of experts in plain NumPy: every token, one expert after the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from .family import Array, Weights
from .reference import Config, silu

Expert = tuple[Array, Array, Array]  # the expert's gate, up and down matrices


def mixture(config: Config, layer: Weights, x: Array, norm: bool | None = None) -> Array:
    """(a layer's weights by name, normalised rows) -> result. `norm`: normalise the experts' weights; None: as the
    config says."""
    names = ("mlp.gate", "block_sparse_moe.gate", "block_sparse_moe.router.layer", "mlp.router")
    router = next(layer[f"{name}.weight"] for name in names if f"{name}.weight" in layer)
    logits = x @ router.T
    exps = np.exp(logits - logits.max(axis=1, keepdims=True))
    scores = exps / exps.sum(axis=1, keepdims=True)
    normed = config.get("norm_topk_prob", False) if norm is None else norm
    y = np.zeros_like(x)
    for i, row in enumerate(x):
        chosen = np.argsort(-logits[i], kind="stable")[: config["num_experts_per_tok"]]
        total = scores[i][chosen].sum() if normed else 1.0
        for e in chosen:
            gate, up, down = _expert(layer, int(e))
            y[i] += scores[i][e] / total * (down @ (silu(gate @ row) * (up @ row)))
    if "mlp.shared_expert.gate_proj.weight" in layer:
        gate, up, down = (layer[f"mlp.shared_expert.{part}_proj.weight"] for part in ("gate", "up", "down"))
        share = 1 / (1 + np.exp(-(x @ layer["mlp.shared_expert_gate.weight"].T)))
        y = y + share * ((silu(x @ gate.T) * (x @ up.T)) @ down.T)
    return y


def sigmoid_mixture(config: Config, layer: Weights, x: Array) -> Array:
    """Experts are chosen by sigmoids plus a bias, and weighted without the bias."""
    scores = 1 / (1 + np.exp(-(x @ layer["feed_forward.gate.weight"].T)))
    y = np.zeros_like(x)
    for i, row in enumerate(x):
        choice = scores[i] + layer["feed_forward.expert_bias"]
        chosen = np.argsort(-choice, kind="stable")[: config["num_experts_per_tok"]]
        total = scores[i][chosen].sum() + 1e-6 if config["norm_topk_prob"] else 1.0
        for e in chosen:
            gate, up, down = _three(layer, f"feed_forward.experts.{e}.{{}}.weight", ("w1", "w3", "w2"))
            share = config["routed_scaling_factor"] * scores[i][e] / total
            y[i] += share * (down @ (silu(gate @ row) * (up @ row)))
    return y


def clamped_mixture(config: Config, layer: Weights, x: Array) -> Array:
    """Experts with biases, and interleaved, clamped gates and ups; weighted by the softmax of the best logits."""
    logits = x @ layer["mlp.router.weight"].T + layer["mlp.router.bias"]
    alpha, limit = config.get("swiglu_alpha", 1.702), config.get("swiglu_limit", 7.0)
    y = np.zeros_like(x)
    for i, row in enumerate(x):
        chosen = np.argsort(-logits[i], kind="stable")[: config["num_experts_per_tok"]]
        exps = np.exp(logits[i][chosen] - logits[i][chosen[0]])
        for e, share in zip(chosen, exps / exps.sum(), strict=True):
            both = row @ layer["mlp.experts.gate_up_proj"][e] + layer["mlp.experts.gate_up_proj_bias"][e]
            gate, up = np.minimum(both[::2], limit), np.clip(both[1::2], -limit, limit)
            hidden = gate / (1 + np.exp(-alpha * gate)) * (up + 1)
            y[i] += share * (hidden @ layer["mlp.experts.down_proj"][e] + layer["mlp.experts.down_proj_bias"][e])
    return y


def _expert(layer: Weights, e: int) -> Expert:
    if "block_sparse_moe.input_linear.weight" in layer:
        gate, up = np.split(layer["block_sparse_moe.input_linear.weight"][e], 2)
        return gate, up, layer["block_sparse_moe.output_linear.weight"][e]
    if f"block_sparse_moe.experts.{e}.w1.weight" in layer:
        return _three(layer, f"block_sparse_moe.experts.{e}.{{}}.weight", ("w1", "w3", "w2"))
    if "mlp.experts.gate_up_proj" in layer:
        gate, up = np.split(layer["mlp.experts.gate_up_proj"][e], 2)
        return gate, up, layer["mlp.experts.down_proj"][e]
    return _three(layer, f"mlp.experts.{e}.{{}}_proj.weight", ("gate", "up", "down"))


def _three(layer: dict[str, Any], pattern: str, parts: tuple[str, str, str]) -> Expert:
    gate, up, down = (layer[pattern.format(part)] for part in parts)
    return gate, up, down
