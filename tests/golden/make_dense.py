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
}

if __name__ == "__main__":
    main(sys.argv[1:], MODELS, FOLDER)
