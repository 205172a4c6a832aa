"""Configs of the dense decoders that would be computed wrongly are refused by name; no GPU."""

from __future__ import annotations

from typing import Any

import pytest

from wgpt.formats import FormatError
from wgpt.formats.config import normalised
from wgpt.models.config import Config
from wgpt.models.tiny_models import CONFIGS

CHANGES: dict[str, tuple[str, dict[str, Any], str]] = {
    "Mamba layers": (
        *("granite4", {"layer_types": ["attention", "mamba"]}),
        r"unsupported layer_types \['mamba'\]; supported: attention in all layers",
    ),
    "no kinds of layers": ("granite4", {"layer_types": None}, r"unsupported layer_types \['mamba'\]"),
    "experts": ("granite4", {"num_local_experts": 8}, "unsupported num_local_experts 8; supported: 0"),
    "no growth": (
        *("ministral3", {"rope_parameters": {"rope_type": "default", "rope_theta": 1e4}}),
        r"missing required key rope_parameters\.llama_4_scaling_beta",
    ),
    "growth without yarn": (
        *("ministral3", {"rope_parameters": {"rope_type": "default", "rope_theta": 1e4, "llama_4_scaling_beta": 0.1}}),
        "needs RoPE scaling of type yarn",
    ),
    "norms of q and k": ("cohere", {"use_qk_norm": True}, "unsupported use_qk_norm True; supported: False"),
    "norms of each head": ("stablelm", {"qk_layernorm": True}, "unsupported qk_layernorm True; supported: False"),
    "half a pair rotated": (
        *("gptneox", {"hidden_size": 80, "num_attention_heads": 2, "rotary_pct": 0.625}),
        "RoPE rotates 25 of 40 dimensions of a head; it must be a multiple of 2",
    ),
    "neighbours that do not fill a load": (
        *("glm4", {"head_dim": 40}),
        "RoPE rotates 20 of 40 dimensions of a head; it must be a multiple of 8",
    ),
    "a tied head": ("phi", {"tie_word_embeddings": True}, "unsupported tie_word_embeddings True; supported: False"),
    "another layer": ("glm4", {"num_nextn_predict_layers": 1}, "unsupported num_nextn_predict_layers 1; supported: 0"),
    "another pattern": (
        "cohere2",
        {"layer_types": None, "sliding_window_pattern": "LLLG"},
        "sliding_window_pattern 'LLLG'",
    ),
    "ReLU": ("starcoder2", {"hidden_act": "relu"}, "unsupported hidden_act 'relu'; supported: 'gelu_pytorch_tanh'"),
    "a window without layers": (
        *("exaone4", {"sliding_window": 9, "layer_types": ["full_attention"] * 2}),
        "sliding_window is 9, but no layer has it",
    ),
}


@pytest.mark.parametrize("case", CHANGES)
def test_it_is_refused(case: str) -> None:
    family, change, message = CHANGES[case]
    Config.of(normalised(CONFIGS[family], "here"))
    with pytest.raises(FormatError, match=message):
        normalised({**CONFIGS[family], **change}, "here")


def test_without_rope() -> None:
    config = Config.of(normalised({**CONFIGS["granite4"], "position_embedding_type": "nope"}, "here"))
    assert not config.rope and config.fused_ffn
