"""Writes tests/golden/latent: tiny models whose layers have caches of their own kind, as make_models does.

golden-venv/bin/python -m tests.golden.make_latent [NAME ...]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tests.golden.archives import pack
from tests.golden.make_models import GELU, Tiny, truth, write
from tests.models import made_up

FOLDER = Path(__file__).parent / "latent"
SLIDING, FULL = "sliding_attention", "full_attention"
ROPE = {
    FULL: {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1000.0},
    SLIDING: {"rope_type": "default", "rope_theta": 300.0},
}
LATENT: dict[str, Any] = {
    **{"hidden": 32, "layers": 2, "heads": 4, "kv_heads": 4, "ffn": 40, "tied": False, "pad_token_id": None},
    **{"kv_lora_rank": 32, "qk_nope_head_dim": 16, "qk_rope_head_dim": 8, "v_head_dim": 24},
    **{"n_routed_experts": 8, "num_experts_per_tok": 3, "moe_intermediate_size": 16},
}
YARN = {
    **{"rope_type": "yarn", "rope_theta": 1000.0, "factor": 4.0, "original_max_position_embeddings": 64},
    **{"beta_fast": 4.0, "beta_slow": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0},
}
GEMMA4: dict[str, Any] = {
    **{"hidden": 32, "heads": 4, "kv_heads": 2, "ffn": 40, "head_dim": 16, "global_head_dim": 32},
    **{"sliding_window": 16, "rope_parameters": ROPE, "final_logit_softcapping": 3.0, **GELU},
}

MODELS = {
    # As E2B: inputs of layers, layers 2 and 3 with the keys and values of 0 and 1, and twice as much feed-forward.
    "gemma4-inputs": Tiny(
        made_up.llama_like(
            *("gemma4_text",),
            **{**GEMMA4, "layers": 4, "layer_types": [SLIDING, FULL] * 2, "num_kv_shared_layers": 2},
            **{
                "use_double_wide_mlp": True,
                "hidden_size_per_layer_input": 8,
                "vocab_size_per_layer_input": made_up.SIZE,
            },
        ),
        seed=201,
        dtype=torch.bfloat16,
        norm=1.0,
        embed=0.3,
    ),
    # As 31B: values that are keys in layers without a window, which have fewer and wider heads.
    "gemma4": Tiny(
        made_up.llama_like(
            *("gemma4_text",),
            **{**GEMMA4, "layers": 3, "layer_types": [SLIDING, SLIDING, FULL], "hidden_size_per_layer_input": 0},
            **{"attention_k_eq_v": True, "num_global_key_value_heads": 1},
        ),
        seed=202,
        dtype=torch.bfloat16,
        norm=1.0,
        embed=0.3,
    ),
    # As 26B-A4B: experts beside the feed-forward.
    "gemma4-experts": Tiny(
        made_up.llama_like(
            *("gemma4_text",),
            **{**GEMMA4, "layers": 2, "layer_types": [SLIDING, FULL], "hidden_size_per_layer_input": 0},
            **{"attention_k_eq_v": True, "num_global_key_value_heads": 1, "enable_moe_block": True},
            **{"num_experts": 6, "top_k_experts": 2, "moe_intermediate_size": 24},
        ),
        seed=206,
        dtype=torch.bfloat16,
        norm=1.0,
        embed=0.3,
    ),
    # Groups of experts by their best one, softmax, queries without a latent vector of their own.
    "deepseek2": Tiny(
        made_up.llama_like(
            *("deepseek_v2",),
            **{**LATENT, "q_lora_rank": None, "first_k_dense_replace": 1, "n_shared_experts": 2, "n_group": 4},
            **{"topk_group": 2, "topk_method": "group_limited_greedy", "routed_scaling_factor": 2.0},
        ),
        seed=203,
        dtype=torch.bfloat16,
        norm=1.0,
    ),
    # Sigmoids with a bias, groups by two experts, yarn.
    "deepseek3": Tiny(
        made_up.llama_like(
            *("deepseek_v3",),
            **{**LATENT, "q_lora_rank": 24, "first_k_dense_replace": 1, "n_shared_experts": 1, "n_group": 4},
            **{"topk_group": 2, "routed_scaling_factor": 2.5, "norm_topk_prob": True, "rope_parameters": YARN},
        ),
        seed=204,
        dtype=torch.bfloat16,
        norm=1.0,
    ),
    "glm4-lite": Tiny(
        made_up.llama_like(
            *("glm4_moe_lite",),
            **{**LATENT, "q_lora_rank": 24, "n_shared_experts": 1, "v_head_dim": 32, "rope_theta": 1000.0},
        ),
        seed=205,
        dtype=torch.bfloat16,
        norm=1.0,
    ),
}


def main(names: list[str]) -> None:
    for name in names or MODELS:
        tiny = MODELS[name]
        model = write(name, tiny, FOLDER)
        if tiny.config.keys() & {"num_experts_per_tok", "top_k_experts"}:
            model.set_experts_implementation("eager")  # the others have no float64
        arrays = truth(model, tiny.seed, tiny.lengths)
        np.savez_compressed(FOLDER / name / "golden.npz", **arrays)
        print(f"{name}: logits up to {np.abs(arrays['logits_2']).max():.1f}, then {arrays['greedy_2'].tolist()}")
    pack(FOLDER)


if __name__ == "__main__":
    main(sys.argv[1:])
