"""Mixtures of experts as GGUF files: llama.cpp's converter stacks the experts of a layer."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from wgpt.models.reference import Config, Weights

from .gguf_maker import write_gguf

_EXPERT = re.compile(r"(.*\.experts)\.(\d+)\.(.*)")
GATE_UP, DOWN = "block_sparse_moe.input_linear.weight", "block_sparse_moe.output_linear.weight"


def write_experts(path: Path, config: Config, weights: Weights, kind: str = "f32", **others: str) -> Weights:
    """As write_gguf; it returns the weights as the file holds them, under Hugging Face's names."""
    metadata: dict[str, float] = {
        "expert_count": config.get("num_experts") or config["num_local_experts"],
        "expert_used_count": config["num_experts_per_tok"],
    }
    for key, name in (
        ("moe_intermediate_size", "expert_feed_forward_length"),
        ("shared_expert_intermediate_size", "expert_shared_feed_forward_length"),
    ):
        metadata |= {name: config[key]} if config.get(key) else {}
    scales = {"embedding_multiplier": "embedding_scale", "residual_multiplier": "residual_scale"}
    scales |= {"attention_multiplier": "attention.scale", "logits_scaling": "logit_scale"}
    metadata |= {name: float(config[key]) for key, name in scales.items() if key in config}
    truth = write_gguf(path, config, stacked(weights), kind, metadata, **others)
    return _unstacked(truth, weights)


def stacked(weights: Weights) -> Weights:
    """The experts of a layer as one tensor [experts, N, K], named without the number."""
    result: Weights = {}
    groups: dict[str, list[tuple[int, np.ndarray]]] = {}
    for name, values in weights.items():
        if match := _EXPERT.fullmatch(name):
            groups.setdefault(f"{match[1]}.{match[3]}", []).append((int(match[2]), values))
        elif name.endswith(GATE_UP):
            gate, up = np.split(values, 2, axis=1)
            begin = name.removesuffix(GATE_UP)
            result |= {f"{begin}mlp.experts.gate_proj.weight": gate, f"{begin}mlp.experts.up_proj.weight": up}
        elif name.endswith(DOWN):
            result[name.removesuffix(DOWN) + "mlp.experts.down_proj.weight"] = values
        elif name.endswith("shared_expert_gate.weight"):
            result[name] = values[0]
        elif ".mlp.experts.gate_up_proj" in name:  # columns of gates and ups in turns
            begin, is_bias = name.split("gate_up_proj")
            both = np.ascontiguousarray(np.swapaxes(values, 1, -1))
            end = ".bias" if is_bias else ".weight"
            result |= {f"{begin}gate_proj{end}": both[:, ::2], f"{begin}up_proj{end}": both[:, 1::2]}
        elif name.endswith("mlp.experts.down_proj"):
            result[f"{name}.weight"] = np.ascontiguousarray(np.swapaxes(values, 1, 2))
        elif name.endswith("mlp.experts.down_proj_bias"):
            result[name.replace("_bias", ".bias")] = values
        elif name.endswith("sinks"):
            result[f"{name}.weight"] = values
        else:
            result[name] = values
    return result | {name: np.stack([v for _, v in sorted(each, key=lambda e: e[0])]) for name, each in groups.items()}


def _unstacked(truth: Weights, like: Weights) -> Weights:
    result: Weights = {}
    for name in like:
        if match := _EXPERT.fullmatch(name):
            result[name] = truth[f"{match[1]}.{match[3]}"][int(match[2])]
        elif name.endswith(GATE_UP):
            begin = name.removesuffix(GATE_UP) + "mlp.experts."
            result[name] = np.concatenate([truth[f"{begin}{part}_proj.weight"] for part in ("gate", "up")], axis=1)
        elif name.endswith(DOWN):
            result[name] = truth[name.removesuffix(DOWN) + "mlp.experts.down_proj.weight"]
        else:
            result[name] = truth[name].reshape(like[name].shape)
    return result
