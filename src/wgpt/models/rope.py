"""How fast each pair of a head turns, as a model's config stretches it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.rope import inverse_frequencies, phase_steps
from .config import Config


def frequencies(config: Config) -> NDArray[np.float64]:
    """Radians per position of each pair."""
    plain = inverse_frequencies(config.head_dim, config.theta)
    scaling = config.rope_scaling
    if scaling is None:
        return plain
    if scaling["rope_type"] == "linear":
        return plain / float(scaling["factor"])
    if scaling["rope_type"] == "factors":
        return plain / np.asarray(scaling["factors"], np.float64)
    return _llama3(plain, scaling)


def _llama3(plain: NDArray[np.float64], scaling: dict[str, Any]) -> NDArray[np.float64]:
    """Slow pairs (few turns within the old context) are stretched, fast ones stay, those between are mixed."""
    low, high = float(scaling["low_freq_factor"]), float(scaling["high_freq_factor"])
    turns = scaling["original_max_position_embeddings"] * plain / (2 * math.pi)
    kept = np.clip((turns - low) / (high - low), 0.0, 1.0)
    return plain * (kept + (1.0 - kept) / float(scaling["factor"]))


def steps_of(config: Config) -> NDArray[np.uint32]:
    """The table that the kernels read."""
    return phase_steps(frequencies(config))
