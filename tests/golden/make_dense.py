"""Writes tests/golden/dense: tiny models of further dense decoders, as make_models does.

golden-venv/bin/python -m tests.golden.make_dense [NAME ...]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from transformers import AutoModelForImageTextToText, PreTrainedModel

from tests.golden.make_models import GELU, Tiny, as_older, main
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
NORMED: dict[str, Any] = {"hidden": 32, "layers": 2, "heads": 4, "kv_heads": 2, "ffn": 40, "pad_token_id": None}
QUARTER = NORMED | {"heads": 1, "kv_heads": 1}  # of a head of 32 dimensions, eight are rotated
NEOX = QUARTER | {"hidden": 64, "heads": 2, "kv_heads": 2}
TWENTY = NORMED | {"hidden": 80, "layers": 1, "heads": 1, "kv_heads": 1}  # of a head of 80 dimensions, 20 are rotated
MROPE = {"rope_type": "default", "mrope_section": [4, 2, 2], "rope_theta": 10000.0}


def as_first_neox(model: PreTrainedModel, config: dict[str, Any], folder: Path) -> None:
    """As Pythia is: rotary_pct and rotary_emb_base in the config, and every layer's causal mask among the tensors."""
    own = {"rotary_pct": 0.25, "rotary_emb_base": 10000, "layer_norm_eps": 1e-5}
    as_older(
        model, {key: value for key, value in config.items() if key not in ("rope_theta", "rms_norm_eps")} | own, folder
    )
    tensors = load_file(folder / "model.safetensors")
    mask = torch.ones(1, 1, 64, 64, dtype=torch.bool).tril()
    for i in range(config["num_hidden_layers"]):
        tensors[f"gpt_neox.layers.{i}.attention.bias"] = mask.clone()
        tensors[f"gpt_neox.layers.{i}.attention.masked_bias"] = torch.tensor(-1e9)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})


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
    "glm4": Tiny(
        made_up.llama_like("glm4", **SMALL, tied=False, attention_bias=True, pad_token_id=None), seed=39, norm=1.0
    ),
    "cohere": Tiny(made_up.llama_like("cohere", **NORMED, logit_scale=0.7), seed=40, norm=1.0),
    # A window of 16 and RoPE in layers 0 to 2.
    "cohere2": Tiny(
        made_up.llama_like("cohere2", **NORMED | {"layers": 4}, logit_scale=0.7, sliding_window=16), seed=41, norm=1.0
    ),
    "stablelm": Tiny(made_up.llama_like("stablelm", **QUARTER, tied=False, use_qkv_bias=True), seed=42, norm=1.0),
    "stablelm-parallel": Tiny(
        made_up.llama_like("stablelm", **QUARTER, tied=False, use_parallel_residual=True), seed=43, norm=1.0
    ),
    "starcoder2": Tiny(
        made_up.llama_like("starcoder2", **NORMED, hidden_act="gelu_pytorch_tanh", sliding_window=16), seed=44, norm=1.0
    ),
    "gptneox": Tiny(made_up.llama_like("gpt_neox", **NEOX, tied=False, hidden_act="gelu"), seed=45, norm=1.0),
    "gptneox-sequential": Tiny(
        made_up.llama_like("gpt_neox", **NEOX, tied=False, hidden_act="gelu", use_parallel_residual=False),
        seed=46,
        norm=1.0,
        how=as_first_neox,
    ),
    # As in Pythia 2.8B and StableLM 3B, the rotated pairs do not fill their vec4s.
    "gptneox-20-of-80": Tiny(
        made_up.llama_like("gpt_neox", **TWENTY, tied=False, hidden_act="gelu"), seed=48, norm=1.0
    ),
    "stablelm-20-of-80": Tiny(made_up.llama_like("stablelm", **TWENTY, tied=False), seed=49, norm=1.0),
    "phi": Tiny(
        made_up.llama_like("phi", **QUARTER, tied=False, hidden_act="gelu_new", partial_rotary_factor=0.5),
        seed=47,
        norm=1.0,
    ),
}

if __name__ == "__main__":
    main(sys.argv[1:], MODELS, FOLDER)
