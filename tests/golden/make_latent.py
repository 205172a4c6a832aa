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
}


def main(names: list[str]) -> None:
    for name in names or MODELS:
        tiny = MODELS[name]
        model = write(name, tiny, FOLDER)
        if hasattr(model.config, "num_experts_per_tok"):
            model.set_experts_implementation("eager")  # the others have no float64
        arrays = truth(model, tiny.seed, tiny.lengths)
        np.savez_compressed(FOLDER / name / "golden.npz", **arrays)
        print(f"{name}: logits up to {np.abs(arrays['logits_2']).max():.1f}, then {arrays['greedy_2'].tolist()}")
    pack(FOLDER)


if __name__ == "__main__":
    main(sys.argv[1:])
