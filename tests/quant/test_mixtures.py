"""Which type each matrix of a mixture has: as llama.cpp's files of the same name. No GPU."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from wgpt.core.errors import WgptError
from wgpt.formats.config import normalised
from wgpt.formats.family import named
from wgpt.quant.mixtures import MIXTURES, fallback, mixture, supported, types_of

# Llama-3.1-8B: 32 layers, four heads of q for one of k and v.
LLAMA_8B = {
    "model_type": "llama",
    "vocab_size": 128256,
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "max_position_embeddings": 131072,
    "rms_norm_eps": 1e-5,
    "rope_theta": 5e5,
    "tie_word_embeddings": False,
}


def types(name: str, config: dict[str, Any], has_importance: bool = False) -> dict[str, str]:
    normal = normalised(config, "config.json")
    rows = list(named(normal["model_type"]).rows(normal))
    return types_of(MIXTURES[name], normal, rows, has_importance)


def counted(name: str, **more: Any) -> Counter[str]:
    return Counter(types(name, LLAMA_8B, **more).values())


def test_the_usual_mixtures_of_an_8b():
    """The counts that the published files have (224 matrices in layers, embedding and head)."""
    assert counted("q4_k_m") == {"q4_k": 193, "q6_k": 33}
    assert counted("q5_k_m") == {"q5_k": 193, "q6_k": 33}
    assert counted("q4_k_s") == {"q4_k": 217, "q5_k": 8, "q6_k": 1}
    assert counted("q3_k_m") == {"q3_k": 129, "q4_k": 92, "q5_k": 4, "q6_k": 1}
    assert counted("q3_k_l") == {"q3_k": 129, "q5_k": 96, "q6_k": 1}
    assert counted("q2_k") == {"q2_k": 129, "q3_k": 64, "q4_k": 32, "q6_k": 1}
    assert counted("iq4_xs") == {"iq4_xs": 189, "q5_k": 36, "q6_k": 1}
    assert counted("iq4_xs", has_importance=True) == {"iq4_xs": 193, "q5_k": 32, "q6_k": 1}
    assert counted("q4_0") == {"q4_0": 225, "q6_k": 1}
    assert counted("q4_0", has_importance=True) == {"q4_0": 221, "q4_1": 4, "q6_k": 1}
    assert counted("q8_0") == {"q8_0": 226}
    assert counted("f16") == {"f16": 226}


def test_q4_k_m_gives_more_bits_to_these_layers():
    made = types("q4_k_m", LLAMA_8B)
    more = [i for i in range(32) if made[f"blk.{i}.ffn_down"] == "q6_k"]
    assert more == [0, 1, 2, 3, 6, 9, 12, 15, 18, 21, 24, 27, 28, 29, 30, 31]
    assert more == [i for i in range(32) if made[f"blk.{i}.attn_v"] == "q6_k"]
    assert (made["output"], made["token_embd"]) == ("q6_k", "q4_k")


def test_rows_that_are_no_whole_blocks():
    """SmolLM2-135M: rows of 576 in all but down; its embedding is its head."""
    small = {**LLAMA_8B, "hidden_size": 576, "intermediate_size": 1536, "num_attention_heads": 9}
    small |= {"num_key_value_heads": 3, "num_hidden_layers": 30, "tie_word_embeddings": True}
    made = types("q4_k_m", small)
    assert Counter(made.values()) == {"q5_0": 166, "q8_0": 15, "q4_k": 16, "q6_k": 14}
    assert made["token_embd"] == "q8_0" and made["blk.1.attn_v"] == "q8_0"
    assert {fallback(kind, 96) for kind in ("q2_k", "q3_k")} == {"q4_0"}
    assert [fallback(kind, 96) for kind in ("q4_k", "q5_k", "q6_k", "iq4_xs")] == ["q5_0", "q5_1", "q8_0", "iq4_nl"]
    assert fallback("q4_k", 80) == "f16" and fallback("q8_0", 80) == "f16" and fallback("f16", 80) == "f16"


def test_names():
    assert mixture("Q4_K_M") is MIXTURES["q4_k_m"] and mixture("q4_k") is MIXTURES["q4_k_m"]
    assert {"q4_k_m", "q8_0", "q4_0"} <= set(supported())
    with pytest.raises(WgptError, match="unsupported mixture 'q9'; supported: f32"):
        mixture("q9")
