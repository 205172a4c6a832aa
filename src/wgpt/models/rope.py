"""RoPE frequencies, with the scaling of a model's config."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..gpu import GpuDevice, Tensor
from ..kernels.attention.rope import inverse_frequencies, phase_steps
from .config import Config


def frequencies(config: Config) -> NDArray[np.float64]:
    """Radians per position of each pair of dimensions; 0 for those that RoPE does not rotate."""
    rotated = _rotated(config)
    return np.concatenate([rotated, np.zeros(config.head_dim // 2 - len(rotated))])


def _rotated(config: Config) -> NDArray[np.float64]:
    plain = inverse_frequencies(config.rotary or config.head_dim, config.theta)
    scaling = config.rope_scaling
    if scaling is None:
        return plain
    if scaling["rope_type"] == "linear":
        return plain / float(scaling["factor"])
    if scaling["rope_type"] == "proportional":
        return np.where(
            np.arange(len(plain)) < int(scaling["partial_rotary_factor"] * config.head_dim // 2), plain, 0.0
        )
    if scaling["rope_type"] == "dynamic":  # no effect up to the model's context length
        return plain
    if scaling["rope_type"] == "factors":
        return plain / np.asarray(scaling["factors"], np.float64)
    if scaling["rope_type"] == "longrope":
        long = config.context > scaling["original_max_position_embeddings"]
        return plain / np.asarray(scaling["long_factor" if long else "short_factor"], np.float64)
    return _yarn(config, plain) if scaling["rope_type"] == "yarn" else _llama3(plain, scaling)


def amplitude(config: Config) -> float:
    """The factor of rotated queries and keys."""
    return float((config.rope_scaling or {}).get("attention_factor", 1.0))


def _yarn(config: Config, plain: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pairs with many turns within the old context are unchanged, those with few are scaled, others blended."""
    scaling = config.rope_scaling or {}

    def pair_of(turns: float) -> float:
        """The (fractional) pair that makes this number of turns."""
        length = scaling["original_max_position_embeddings"] / (2 * math.pi * turns)
        return len(plain) * math.log(length) / math.log(config.theta)

    low, high = pair_of(scaling["beta_fast"]), pair_of(scaling["beta_slow"])
    if scaling["truncate"]:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, 2 * len(plain) - 1)
    scaled = np.clip((np.arange(len(plain)) - low) / (high - low or 0.001), 0.0, 1.0)
    return np.asarray(plain * (1 - scaled) + plain / scaling["factor"] * scaled)


def _llama3(plain: NDArray[np.float64], scaling: dict[str, Any]) -> NDArray[np.float64]:
    """Low frequencies (few turns within the old context) are scaled, high ones unchanged, others blended."""
    low, high = float(scaling["low_freq_factor"]), float(scaling["high_freq_factor"])
    turns = scaling["original_max_position_embeddings"] * plain / (2 * math.pi)
    kept = np.clip((turns - low) / (high - low), 0.0, 1.0)
    return plain * (kept + (1.0 - kept) / float(scaling["factor"]))


def steps_of(config: Config) -> NDArray[np.uint32]:
    """The frequency table that kernels read."""
    return phase_steps(frequencies(config))


class Ropes:
    """The frequency table of each layer on the GPU; layers with equal frequencies share one."""

    def __init__(self, device: GpuDevice, config: Config) -> None:
        self._tables: dict[bytes, Tensor] = {}
        self.by_layer = [self._table(device, steps_of(config.layer(i))) for i in range(config.layers)]

    def _table(self, device: GpuDevice, steps: NDArray[np.uint32]) -> Tensor:
        key = steps.tobytes()
        if key not in self._tables:
            self._tables[key] = device.tensor(steps, label="rope")
        return self._tables[key]

    def release(self) -> None:
        for table in self._tables.values():
            table.buffer.release()
