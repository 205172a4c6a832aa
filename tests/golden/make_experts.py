"""Writes tests/golden/experts: tiny mixtures of experts, and what transformers computes from them.

Run by hand, as make_models.py says:

    golden-venv/bin/python -m tests.golden.make_experts [NAME ...]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch

from tests.golden.archives import pack
from tests.golden.make_models import Tiny, truth, write
from tests.models import made_up

FOLDER = Path(__file__).parent / "experts"
# The lengths of prompts: gathered experts (1), sorted ones, with tiles of 4 rows of an expert and more.
LENGTHS = (1, 17, 37)
SIZES = {"hidden": 32, "layers": 2, "heads": 4, "kv_heads": 2, "tied": False}

MODELS = {
    "qwen3moe": Tiny(
        made_up.llama_like(
            *("qwen3_moe",),
            **{**SIZES, "layers": 3, "ffn": 40, "head_dim": 16, "rope_theta": 1e6},
            **{"num_experts": 12, "num_experts_per_tok": 4, "moe_intermediate_size": 16, "norm_topk_prob": True},
            mlp_only_layers=[1],
        ),
        seed=101,
        dtype=torch.bfloat16,
        norm=1.0,
        lengths=LENGTHS,
    ),
    "qwen2moe": Tiny(
        made_up.llama_like(
            *("qwen2_moe",),
            **{**SIZES, "ffn": 40, "num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 16},
            **{"shared_expert_intermediate_size": 40, "norm_topk_prob": False},
        ),
        seed=102,
        dtype=torch.bfloat16,
        norm=1.0,
        lengths=LENGTHS,
    ),
    "mixtral": Tiny(
        made_up.llama_like(*("mixtral",), **{**SIZES, "ffn": 24, "num_local_experts": 4, "num_experts_per_tok": 2}),
        seed=103,
        dtype=torch.bfloat16,
        norm=1.0,
        lengths=LENGTHS,
    ),
    "olmoe": Tiny(
        made_up.llama_like(
            *("olmoe",), **{**SIZES, "ffn": 16, "num_experts": 10, "num_experts_per_tok": 3, "pad_token_id": None}
        ),
        seed=104,
        dtype=torch.bfloat16,
        norm=1.0,
        lengths=LENGTHS,
    ),
    "granitemoe": Tiny(
        made_up.llama_like(
            *("granitemoe",),
            **{**SIZES, "ffn": 16, "num_local_experts": 8, "num_experts_per_tok": 3},
            **{"embedding_multiplier": 3.0, "residual_multiplier": 0.4, "attention_multiplier": 0.6},
            logits_scaling=0.5,
        ),
        seed=105,
        dtype=torch.bfloat16,
        norm=1.0,
        embed=0.3,
        lengths=LENGTHS,
    ),
    # The window in layers 0 and 2; gates and ups beyond their limit.
    "gpt-oss": Tiny(
        made_up.llama_like(
            *("gpt_oss",),
            **{**SIZES, "layers": 3, "ffn": 16, "head_dim": 16, "num_local_experts": 6, "num_experts_per_tok": 2},
            **{"sliding_window": 16, "attention_bias": True, "swiglu_limit": 1.5, "rope_theta": 1000.0},
            rope_scaling={
                **{"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64},
                **{"beta_fast": 4.0, "beta_slow": 1.0, "truncate": False},
            },
        ),
        seed=106,
        dtype=torch.bfloat16,
        norm=1.0,
        attention="eager",
        lengths=LENGTHS,
    ),
}


def main(names: list[str]) -> None:
    for name in names or MODELS:
        tiny = MODELS[name]
        model = write(name, tiny, FOLDER)
        model.set_experts_implementation("eager")  # the others have no float64
        arrays = truth(model, tiny.seed, tiny.lengths)
        np.savez_compressed(FOLDER / name / "golden.npz", **arrays)
        print(f"{name}: logits up to {np.abs(arrays['logits_2']).max():.1f}, then {arrays['greedy_2'].tolist()}")
    pack(FOLDER)


if __name__ == "__main__":
    main(sys.argv[1:])
