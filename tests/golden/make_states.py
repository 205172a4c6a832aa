"""Writes tests/golden/states: tiny models whose layers have states, and what transformers computes from them.

Run by hand, as make_models.py says:

    golden-venv/bin/python -m tests.golden.make_states [NAME ...]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tests.golden.archives import pack
from tests.golden.make_models import Tiny, truth, write
from tests.models import made_up

FOLDER = Path(__file__).parent / "states"
SIZES: dict[str, Any] = {"hidden": 32, "heads": 4, "kv_heads": 2, "pad_token_id": None}

MODELS = {
    # Of 90 values of the feed-forward, two thirds, rounded up to 64.
    "lfm2": Tiny(
        made_up.llama_like(
            *("lfm2",),
            **SIZES,
            **{"layers": 4, "ffn": 90, "block_multiple_of": 16, "norm_eps": 1e-5, "conv_L_cache": 3},
            layer_types=["conv", "conv", "full_attention", "conv"],
        ),
        seed=201,
        dtype=torch.bfloat16,
        norm=1.0,
    ),
    # Experts after the first layer.
    "lfm2moe": Tiny(
        made_up.llama_like(
            *("lfm2_moe",),
            **SIZES,
            **{"layers": 3, "ffn": 40, "norm_eps": 1e-5, "conv_L_cache": 3, "num_dense_layers": 1},
            **{"num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 16, "routed_scaling_factor": 1.5},
            layer_types=["conv", "full_attention", "conv"],
        ),
        seed=205,
        dtype=torch.bfloat16,
        norm=1.0,
    ),
    # Layers 0 to 2 are delta nets of four value heads on two key heads.
    "qwen35": Tiny(
        made_up.llama_like(
            *("qwen3_5_text",),
            **SIZES | {"layers": 4, "ffn": 40, "heads": 2, "kv_heads": 1, "head_dim": 32},
            **{"linear_conv_kernel_dim": 4, "linear_key_head_dim": 8, "linear_value_head_dim": 12},
            **{"linear_num_key_heads": 2, "linear_num_value_heads": 4},
            rope_parameters={"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.25},
        ),
        seed=202,
        dtype=torch.bfloat16,
        norm=0.0,
    ),
    "qwen35moe": Tiny(
        made_up.llama_like(
            *("qwen3_5_moe_text",),
            **SIZES | {"layers": 2, "ffn": 40, "heads": 2, "kv_heads": 1, "head_dim": 32, "tied": False},
            **{"linear_conv_kernel_dim": 4, "linear_key_head_dim": 8, "linear_value_head_dim": 12},
            **{"linear_num_key_heads": 2, "linear_num_value_heads": 4},
            **{"num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 16},
            shared_expert_intermediate_size=24,
            layer_types=["linear_attention", "full_attention"],
            rope_parameters={"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.25},
        ),
        seed=204,
        dtype=torch.bfloat16,
        norm=0.0,
    ),
    "qwen3next": Tiny(
        made_up.llama_like(
            *("qwen3_next",),
            **SIZES | {"layers": 4, "ffn": 40, "heads": 2, "kv_heads": 1, "head_dim": 32, "tied": False},
            **{"linear_conv_kernel_dim": 4, "linear_key_head_dim": 8, "linear_value_head_dim": 12},
            **{"linear_num_key_heads": 2, "linear_num_value_heads": 4},
            **{"num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 16, "norm_topk_prob": True},
            shared_expert_intermediate_size=24,
            rope_parameters={"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.25},
        ),
        seed=203,
        dtype=torch.bfloat16,
        norm=0.0,
    ),
}


def main(names: list[str]) -> None:
    for name in names or MODELS:
        tiny = MODELS[name]
        model = write(name, tiny, FOLDER)
        if "num_experts" in tiny.config:
            model.set_experts_implementation("eager")  # the others have no float64
        arrays = truth(model, tiny.seed, tiny.lengths)
        np.savez_compressed(FOLDER / name / "golden.npz", **arrays)
        print(f"{name}: logits up to {np.abs(arrays['logits_2']).max():.1f}, then {arrays['greedy_2'].tolist()}")
    pack(FOLDER)


if __name__ == "__main__":
    main(sys.argv[1:])
