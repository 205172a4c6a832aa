"""Writes tests/golden/dense: tiny models of further dense decoders, as make_models does.

golden-venv/bin/python -m tests.golden.make_dense [NAME ...]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from transformers import AutoModelForImageTextToText

from tests.golden.make_models import GELU, Tiny, main
from tests.models import made_up

FOLDER = Path(__file__).parent / "dense"
SMALL: dict[str, Any] = {"hidden": 32, "layers": 2, "heads": 4, "kv_heads": 2, "ffn": 40, "head_dim": 16}
# Queries grow from position 16 on.
GROWING = {
    **{"rope_type": "yarn", "rope_theta": 10000.0, "factor": 4.0, "original_max_position_embeddings": 16},
    **{"beta_fast": 4.0, "beta_slow": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0, "llama_4_scaling_beta": 0.5},
}
VISION = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
GRANITE4 = made_up.llama_like(
    *("granitemoehybrid",),
    **{"hidden": 32, "layers": 2, "heads": 4, "kv_heads": 2, "ffn": 24, "tied": False},
    **{"shared_intermediate_size": 40, "num_local_experts": 0, "num_experts_per_tok": 0},
    **{"embedding_multiplier": 3.0, "residual_multiplier": 0.4, "attention_multiplier": 0.6, "logits_scaling": 0.5},
    **{"mamba_n_heads": 4, "layer_types": ["full_attention"] * 2},
)
QWEN_VISION = {"depth": 1, "hidden_size": 16, "intermediate_size": 16, "num_heads": 2, "out_hidden_size": 32}
MROPE = {"rope_type": "default", "mrope_section": [4, 2, 2], "rope_theta": 10000.0}

MODELS = {
    "ministral3": Tiny(
        made_up.llama_like("ministral3", **SMALL, tied=False, rope_parameters=GROWING), seed=30, norm=1.0
    ),
    # The text part of a model that reads images, as Mistral's files are.
    "mistral3-vision": Tiny(
        {
            "model_type": "mistral3",
            "text_config": made_up.llama_like("mistral", **SMALL, tied=False, sliding_window=None),
            "vision_config": {"model_type": "pixtral", **VISION, "head_dim": 8, "patch_size": 8, "image_size": 16},
            "tie_word_embeddings": False,
        },
        seed=31,
        auto=AutoModelForImageTextToText,
        norm=1.0,
    ),
    "gemma3-vision": Tiny(
        {
            "model_type": "gemma3",
            "text_config": made_up.llama_like(
                *("gemma3_text",),
                **SMALL,
                **GELU,
                **{"sliding_window": 16, "layer_types": ["sliding_attention", "full_attention"]},
                query_pre_attn_scalar=12,
            ),
            "vision_config": {"model_type": "siglip_vision_model", **VISION, "patch_size": 8, "image_size": 16},
            "mm_tokens_per_image": 4,
        },
        seed=32,
        auto=AutoModelForImageTextToText,
        attention="eager",
        norm=0.0,
        embed=0.3,
    ),
    "granite4": Tiny(GRANITE4 | {"position_embedding_type": "rope"}, seed=33, norm=1.0, embed=0.3),
    "granite4-nope": Tiny(GRANITE4, seed=34, norm=1.0, embed=0.3),
    "qwen2.5-vl": Tiny(
        {
            "model_type": "qwen2_5_vl",
            "text_config": made_up.llama_like(
                "qwen2_5_vl_text", hidden=32, layers=2, heads=2, kv_heads=1, ffn=40, rope_parameters=MROPE
            ),
            "vision_config": QWEN_VISION,
        },
        seed=35,
        auto=AutoModelForImageTextToText,
        norm=1.0,
    ),
    "qwen3-vl": Tiny(
        {
            "model_type": "qwen3_vl",
            "text_config": made_up.llama_like(
                "qwen3_vl_text", **SMALL, rope_parameters=MROPE | {"mrope_interleaved": True}
            ),
            "vision_config": QWEN_VISION | {"num_position_embeddings": 16, "deepstack_visual_indexes": [0]},
        },
        seed=36,
        auto=AutoModelForImageTextToText,
        norm=1.0,
    ),
    "exaone4": Tiny(
        made_up.llama_like("exaone4", **SMALL | {"layers": 4}, sliding_window=16, sliding_window_pattern=4),
        seed=37,
        norm=1.0,
    ),
    "exaone4-full": Tiny(
        made_up.llama_like("exaone4", **SMALL, sliding_window=None, layer_types=["full_attention"] * 2),
        seed=38,
        norm=1.0,
    ),
}

if __name__ == "__main__":
    main(sys.argv[1:], MODELS, FOLDER)
