"""The exact values of packed weights, in float64: what the kernels are measured against."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..gpu import dtypes
from . import double, nf4

U8 = NDArray[np.uint8]
U32 = NDArray[np.uint32]
F64 = NDArray[np.float64]


def values(name: str, w: U32, s: U32) -> F64:
    """All elements of the planes of a weight type, flat, padding included."""
    return _READERS[name](np.ascontiguousarray(w).reshape(-1), s).reshape(-1)


def words_to_nibbles(words: U32) -> U8:
    """Of each chunk (four words) the 32 codes in the order of the weights."""
    raw = np.ascontiguousarray(words).reshape(-1).view(np.uint8).reshape(-1, 16)
    return np.stack([raw & 15, raw >> 4], axis=1).reshape(-1)


def _halves(words: U32, count: int) -> F64:
    return words.reshape(-1).view(np.float16)[:count].astype(np.float64)


def _codes(w: U32, high: U8 | None = None) -> F64:
    """[chunks, 32]; `high` are bits above the four of the nibbles."""
    nibbles = words_to_nibbles(w).reshape(-1, 32)
    return (nibbles if high is None else nibbles | high.reshape(-1, 32) << 4).astype(np.float64)


def _bits(words: U32, width: int) -> U8:
    """Fields of `width` bits, [words, 8 / width, bytes]: a byte of a word has those of every fourth weight."""
    raw = np.ascontiguousarray(words).view(np.uint8).reshape(-1, 1, 4)
    return (raw >> np.arange(0, 8, width, dtype=np.uint8)[:, None]) & np.uint8((1 << width) - 1)


def _q8_0(w: U32, s: U32) -> F64:
    return w.view(np.int8).reshape(-1, 32).astype(np.float64) * _halves(s, w.size // 8)[:, None]


def _q4_0(w: U32, s: U32) -> F64:
    return (_codes(w) - 8.0) * _halves(s, w.size // 4)[:, None]


def _q4_1(w: U32, s: U32) -> F64:
    pairs = _halves(s, w.size // 2).reshape(-1, 2)
    return _codes(w) * pairs[:, :1] + pairs[:, 1:]


def _q5_0(w: U32, s: U32) -> F64:
    groups = s.reshape(-1, 3)
    d = _halves(np.ascontiguousarray(groups[:, 2]), 2 * len(groups))
    return (_codes(w, _bits(groups[:, :2], 1)) - 16.0) * d[:, None]


def _q5_1(w: U32, s: U32) -> F64:
    groups = s.reshape(-1, 2)
    pairs = _halves(np.ascontiguousarray(groups[:, 1]), 2 * len(groups)).reshape(-1, 2)
    return _codes(w, _bits(groups[:, 0], 1)) * pairs[:, :1] + pairs[:, 1:]


def _k_scaled(codes: F64, groups: U32) -> F64:
    """Codes [chunks, 32] with the scales and minima of q4_k and q5_k: words d, low nibbles of both, high bits."""
    d, dmin = _halves(np.ascontiguousarray(groups[:, 0]), 2 * len(groups)).reshape(-1, 2).T
    at = np.arange(8, dtype=np.uint32)
    scales, minima = (
        ((groups[:, 1 + i, None] >> 4 * at) & 15) | ((groups[:, 3, None] >> 2 * at + 16 * i) & 3) << 4 for i in range(2)
    )
    step, least = d[:, None] * scales, dmin[:, None] * minima
    return codes * step.reshape(-1, 1) - least.reshape(-1, 1)


def _q4_k(w: U32, s: U32) -> F64:
    return _k_scaled(_codes(w), s.reshape(-1, 4))


def _q5_k(w: U32, s: U32) -> F64:
    groups = s.reshape(-1, 12)
    return _k_scaled(_codes(w, _bits(groups[:, 4:], 1)), groups)


def _q6_k(w: U32, s: U32) -> F64:
    groups = s.reshape(-1, 21)
    pairs = _bits(groups[:, :16], 2).reshape(-1, 2, 2, 2, 4).transpose(0, 2, 1, 3, 4)
    codes = _codes(w, pairs) - 32.0
    scales = np.ascontiguousarray(groups[:, 16:20]).view(np.int8).astype(np.float64)
    d = _halves(np.ascontiguousarray(groups[:, 20]), 2 * len(groups))[::2]
    return codes.reshape(-1, 16, 16) * (scales * d[:, None])[..., None]


def _nf4(w: U32, s: U32) -> F64:
    codes = words_to_nibbles(w).reshape(-1, 64)
    return nf4.CODEBOOK.astype(np.float64)[codes] * s.view(np.float32).astype(np.float64)[:, None]


def _nf4_dq(w: U32, s: U32) -> F64:
    codes = words_to_nibbles(w).reshape(-1, 64)
    return nf4.CODEBOOK.astype(np.float64)[codes] * double.dequantize(s, len(codes))[:, None]


_READERS: dict[str, Callable[[U32, U32], F64]] = {
    "f32": lambda w, _: w.view(np.float32).astype(np.float64),
    "f16": lambda w, _: w.view(np.float16).astype(np.float64),
    "bf16": lambda w, _: dtypes.from_bf16(w.view(np.uint16)).astype(np.float64),
    "q8_0": _q8_0,
    "q4_0": _q4_0,
    "q4_1": _q4_1,
    "q5_0": _q5_0,
    "q5_1": _q5_1,
    "q4_k": _q4_k,
    "q5_k": _q5_k,
    "q6_k": _q6_k,
    "nf4": _nf4,
    "nf4_dq": _nf4_dq,
}
