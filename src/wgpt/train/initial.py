"""Adapters before they have learnt anything, as peft begins: A uniform within 1/sqrt(K), B zero. Heads begin as A."""

from __future__ import annotations

import hashlib
import math

import numpy as np
from numpy.typing import NDArray

from ..formats.peft import Factors
from ..models.config import Config
from ..models.targets import chosen
from .recipe import Recipe


def factors_of(config: Config, recipe: Recipe) -> dict[str, Factors]:
    """The factors of every layer that the recipe adapts; the same for the same seed."""
    return {
        name: Factors(
            _uniform(name, (recipe.rank, k), recipe.seed), np.zeros((n, recipe.rank), np.float32), recipe.scale
        )
        for name, (n, k) in chosen(config, recipe.targets).items()
    }


def score_of(config: Config, classes: int, seed: int) -> NDArray[np.float32]:
    """A classification head [classes, hidden]."""
    return _uniform("score", (classes, config.hidden), seed)


def _uniform(name: str, shape: tuple[int, int], seed: int) -> NDArray[np.float32]:
    """Each layer has a stream of its own: its values do not depend on which others are adapted."""
    key = int.from_bytes(hashlib.blake2b(f"{seed}:{name}".encode(), digest_size=16).digest(), "little")
    raw = np.random.Philox(key=key).random_raw(shape[0] * shape[1])
    unit = (raw >> np.uint64(40)).astype(np.float64) / (1 << 23) - 1  # 24 bits, in [-1, 1)
    return (unit / math.sqrt(shape[1])).astype(np.float32).reshape(shape)
