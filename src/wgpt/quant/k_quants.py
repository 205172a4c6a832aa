"""Floats into GGUF's K-quants: blocks of 256 weights with scales of 6 or 8 bits under a scale of the block.

Plain rounding; llama.cpp searches for better scales, and reads these blocks just as well.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

_SLAB = 4096  # blocks at a time: their temporaries stay small


def quantize(values: F32, name: str) -> U8:
    """GGUF blocks, one to a row, of values whose number is a multiple of 256."""
    blocks = np.ascontiguousarray(values, np.float32).reshape(-1, 256)
    slabs = [_QUANTISERS[name](blocks[i : i + _SLAB]) for i in range(0, len(blocks), _SLAB)]
    return np.concatenate(slabs)


def _q4_k(blocks: F32) -> U8:
    head, codes = _with_minima(blocks, 15)
    return np.concatenate([head, _pairs(codes, 32)], axis=1)


def _q5_k(blocks: F32) -> U8:
    head, codes = _with_minima(blocks, 31)
    high = np.packbits(codes.reshape(-1, 8, 32) >> 4, axis=1, bitorder="little").reshape(-1, 32)
    return np.concatenate([head, high, _pairs(codes, 32)], axis=1)


def _q6_k(blocks: F32) -> U8:
    parts = blocks.reshape(-1, 16, 16)
    largest = np.take_along_axis(parts, np.abs(parts).argmax(axis=2, keepdims=True), axis=2)[..., 0]
    wanted = largest / np.float32(-32)  # so that the largest magnitude is -32 exactly
    d = _half(np.abs(wanted).max(axis=1) / 127)
    scales = _steps(wanted, d[:, None], -127, 127)
    codes = (_steps(parts, (scales * d[:, None])[..., None], -32, 31) + 32).astype(np.uint8).reshape(-1, 256)
    high = (codes >> 4).reshape(-1, 2, 4, 32) << 2 * np.arange(4, dtype=np.uint8)[:, None]
    return np.concatenate(
        [
            _pairs(codes, 64),
            np.bitwise_or.reduce(high, axis=2).reshape(-1, 64),
            scales.astype(np.int8).view(np.uint8),
            _raw(d),
        ],
        axis=1,
    )


def _with_minima(blocks: F32, most: int) -> tuple[U8, U8]:
    """d, dmin and twelve bytes of scales and minima; and the codes, 0 to `most`, of x = d scale q - dmin minimum."""
    parts = blocks.reshape(-1, 8, 32)
    least = np.minimum(parts.min(axis=2), 0)
    span = np.maximum(parts.max(axis=2), 0) - least
    d, dmin = _half(span.max(axis=1) / most / 63), _half(-least.min(axis=1) / 63)
    scales = _steps(span / most, d[:, None], 0, 63).astype(np.uint8)
    minima = _steps(-least, dmin[:, None], 0, 63).astype(np.uint8)
    offset = (minima * dmin[:, None])[..., None]
    codes = _steps(parts + offset, (scales * d[:, None])[..., None], 0, most)
    both = np.stack([scales, minima], axis=1)
    first, last = both[..., :4], both[..., 4:]
    packed = np.concatenate([first | (last >> 4) << 6, (last[:, :1] & 15) | last[:, 1:] << 4], axis=1)
    return np.concatenate([_raw(d), _raw(dmin), packed.reshape(-1, 12)], axis=1), codes.astype(np.uint8).reshape(
        -1, 256
    )


def _steps(x: F32, step: F32, low: int, high: int) -> F32:
    """x / step to the nearest integer; 0 where the step is 0."""
    quotient = np.divide(x, step, out=np.zeros_like(x), where=step != 0)
    return np.clip(np.rint(quotient), low, high)


def _half(x: F32) -> F32:
    return x.astype(np.float16).astype(np.float32)


def _raw(d: F32) -> U8:
    return d.astype(np.float16).reshape(-1, 1).view(np.uint8)


def _pairs(codes: U8, apart: int) -> U8:
    """Low nibbles: bytes with weight i low and weight i + apart high, for each 2 * apart weights."""
    groups = codes.reshape(len(codes), -1, 2, apart)
    return (groups[:, :, 0] & np.uint8(15) | groups[:, :, 1] << np.uint8(4)).reshape(len(codes), -1)


_QUANTISERS: dict[str, Callable[[F32], U8]] = {"q4_k": _q4_k, "q5_k": _q5_k, "q6_k": _q6_k}
