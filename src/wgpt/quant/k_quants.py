"""Quantises floats to GGUF's K-quants: blocks of 256 weights whose 6- or 8-bit scales are multiples of the block's
scale.

Plain rounding; llama.cpp searches for better scales, and reads these blocks just as well.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

_SLAB = 4096  # blocks at a time: temporaries stay small


def in_slabs(quantiser: Callable[[F32], U8], block: int = 256) -> Callable[[F32], U8]:
    """A quantiser that processes values (any multiple of `block`) in slabs; returns GGUF blocks, one per row."""

    def quantise(values: F32) -> U8:
        blocks = np.ascontiguousarray(values, np.float32).reshape(-1, block)
        return np.concatenate([quantiser(blocks[i : i + _SLAB]) for i in range(0, len(blocks), _SLAB)])

    return quantise


def with_minima(blocks: F32, most: int) -> tuple[U8, U8]:
    """d, dmin and twelve bytes of scales and minima; and the codes, 0 to `most`, of x = d scale q - dmin minimum."""
    parts = blocks.reshape(-1, 8, 32)
    least = np.minimum(parts.min(axis=2), 0)
    span = np.maximum(parts.max(axis=2), 0) - least
    d, dmin = half(span.max(axis=1) / most / 63), half(-least.min(axis=1) / 63)
    scales = steps(span / most, d[:, None], 0, 63).astype(np.uint8)
    minima = steps(-least, dmin[:, None], 0, 63).astype(np.uint8)
    offset = (minima * dmin[:, None])[..., None]
    codes = steps(parts + offset, (scales * d[:, None])[..., None], 0, most)
    both = np.stack([scales, minima], axis=1)
    first, last = both[..., :4], both[..., 4:]
    packed = np.concatenate([first | (last >> 4) << 6, (last[:, :1] & 15) | last[:, 1:] << 4], axis=1)
    return np.concatenate([raw(d), raw(dmin), packed.reshape(-1, 12)], axis=1), codes.astype(np.uint8).reshape(-1, 256)


def steps(x: F32, step: F32, low: int, high: int) -> F32:
    """x / step to the nearest integer; 0 where the step is 0."""
    quotient = np.divide(x, step, out=np.zeros_like(x), where=step != 0)
    return np.clip(np.rint(quotient), low, high)


def half(x: F32) -> F32:
    return x.astype(np.float16).astype(np.float32)


def raw(d: F32) -> U8:
    return d.astype(np.float16).reshape(-1, 1).view(np.uint8)


def pairs(codes: U8, apart: int) -> U8:
    """Nibbles: of each 2 * apart weights, bytes with weight i low and weight i + apart high."""
    groups = codes.reshape(len(codes), -1, 2, apart)
    return (groups[:, :, 0] & np.uint8(15) | groups[:, :, 1] << np.uint8(4)).reshape(len(codes), -1)


def two_bits(codes: U8) -> U8:
    """Bytes with the codes of weights i, i + 32, i + 64 and i + 96, for each 128 weights."""
    quarters = codes.reshape(len(codes), 2, 4, 32) << 2 * np.arange(4, dtype=np.uint8)[:, None]
    return np.bitwise_or.reduce(quarters, axis=2).reshape(len(codes), -1)
