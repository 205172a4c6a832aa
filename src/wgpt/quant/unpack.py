"""Shared functions to unpack planes: exact values in float64, the reference for kernels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
U32 = NDArray[np.uint32]
F64 = NDArray[np.float64]


def words_to_nibbles(words: U32) -> U8:
    """The 32 codes of each chunk (four words), in the order of the weights."""
    raw = np.ascontiguousarray(words).reshape(-1).view(np.uint8).reshape(-1, 16)
    return np.stack([raw & 15, raw >> 4], axis=1).reshape(-1)


def halves(words: U32, count: int) -> F64:
    return words.reshape(-1).view(np.float16)[:count].astype(np.float64)


def low_halves(words: U32) -> F64:
    """The f16 numbers in the low halves of words."""
    return np.ascontiguousarray(words).view(np.float16)[::2].astype(np.float64)


def nibbles(words: U32) -> U8:
    """The nibbles of rows of words, the lowest first: [rows, 8 * words]."""
    raw = np.ascontiguousarray(words).view(np.uint8)
    return np.stack([raw & 15, raw >> 4], axis=2).reshape(len(words), -1)


def codes(w: U32, high: U8 | None = None) -> F64:
    """Codes [chunks, 32]; `high` are the bits above the four of the nibbles."""
    nibbles = words_to_nibbles(w).reshape(-1, 32)
    return (nibbles if high is None else nibbles | high.reshape(-1, 32) << 4).astype(np.float64)


def bits(words: U32, width: int) -> U8:
    """Fields of `width` bits, [words, 8 / width, bytes]: a byte of a word has those of every fourth weight."""
    raw = np.ascontiguousarray(words).view(np.uint8).reshape(-1, 1, 4)
    return (raw >> np.arange(0, 8, width, dtype=np.uint8)[:, None]) & np.uint8((1 << width) - 1)


def k_scaled(codes: F64, groups: U32) -> F64:
    """Codes [chunks, 32] with the scales and minima of q4_k and q5_k: words d, low nibbles of both, high bits."""
    d, dmin = halves(np.ascontiguousarray(groups[:, 0]), 2 * len(groups)).reshape(-1, 2).T
    at = np.arange(8, dtype=np.uint32)
    scales, minima = (
        ((groups[:, 1 + i, None] >> 4 * at) & 15) | ((groups[:, 3, None] >> 2 * at + 16 * i) & 3) << 4 for i in range(2)
    )
    step, least = d[:, None] * scales, dmin[:, None] * minima
    return codes * step.reshape(-1, 1) - least.reshape(-1, 1)
