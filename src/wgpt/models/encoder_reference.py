"""Encoders in plain NumPy, one text at a time: see reference.py."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .family import Array, Weights
from .reference import split_heads

_erf = np.vectorize(math.erf, otypes=[np.float64])


def exact_gelu(x: Array) -> Array:
    return np.asarray(0.5 * x * (1 + _erf(x / math.sqrt(2))))


def layernorm(x: Array, w: Weights, name: str, eps: float) -> Array:
    centred = x - x.mean(axis=-1, keepdims=True)
    scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + eps)
    return np.asarray(centred / scale * w[f"{name}.weight"] + w.get(f"{name}.bias", 0))


def project(x: Array, w: Weights, name: str) -> Array:
    return np.asarray(x @ w[f"{name}.weight"].T + w.get(f"{name}.bias", 0))


def attention(q: Array, k: Array, v: Array, heads: int, theta: float = 0.0, most: int | None = None) -> Array:
    """Bidirectional softmax attention of rows [n, heads * dim], with RoPE if theta is set.

    `most`: how many rows away a row can see.
    """
    q, k, v = (split_heads(x, heads) for x in (q, k, v))
    n, dim = q.shape[1:]
    if theta:
        q, k = (_turned(x, theta) for x in (q, k))
    scores = q @ k.swapaxes(1, 2) / math.sqrt(dim)
    if most is not None:
        scores = np.where(np.abs(np.subtract.outer(np.arange(n), np.arange(n))) <= most, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return np.asarray((weights @ v).swapaxes(0, 1).reshape(n, -1))


def _turned(x: Array, theta: float) -> Array:
    dim = x.shape[-1]
    angles: NDArray[np.float64] = np.arange(x.shape[1])[:, None] * theta ** (-np.arange(0, dim, 2) / dim)
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([a * np.cos(angles) - b * np.sin(angles), b * np.cos(angles) + a * np.sin(angles)], -1)
