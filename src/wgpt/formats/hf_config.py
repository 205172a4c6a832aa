"""Writes a config.json as transformers reads it, for a model that came without one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .errors import FormatError
from .family import named
from .rope_scaling import llama3_factors

TORCH_NAMES = {"f32": "float32", "f16": "float16", "bf16": "bfloat16"}
# GGUF files store only the effect of llama3's scaling. These are the published models' settings.
_LLAMA3 = [
    {"rope_type": "llama3", "factor": factor, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
    | {"original_max_position_embeddings": 8192}
    for factor in (8.0, 32.0, 16.0, 4.0)
]


def hf_config(config: Mapping[str, Any], dtype: str) -> dict[str, Any]:
    """The config.json for the keys of formats/config.py; `dtype` is the weights' type."""
    family = named(config["model_type"])
    own, ends = family.write_config(config), config["eos_token_id"]
    return {
        "architectures": [family.model_types[own["model_type"]]],
        "vocab_size": config["vocab_size"],
        "tie_word_embeddings": config["tie_word_embeddings"],
        "bos_token_id": config["bos_token_id"],
        "eos_token_id": ends[0] if len(ends) == 1 else ends or None,
        "torch_dtype": TORCH_NAMES[dtype],
        **own,
    }


def shortest(value: float) -> float:
    """The shortest number with the same f32 value: GGUF turns 1e-05 into 9.999999747378752e-06."""
    return float(str(np.float32(value)))


def rope_scaling(config: Mapping[str, Any]) -> dict[str, Any] | None:
    """config.json's rope_scaling; that of a GGUF file is found by its effect."""
    scaling = config["rope_scaling"]
    if scaling is None or scaling["rope_type"] != "factors":
        return None if scaling is None else dict(scaling)
    for known in _LLAMA3:
        factors = llama3_factors(known, config["rope_theta"], config["head_dim"])
        if np.allclose(factors, scaling["factors"], rtol=1e-4):
            return known
    raise FormatError(
        "the GGUF file's RoPE scaling has no equivalent in config.json: use the model's own Hugging Face folder instead"
    )
