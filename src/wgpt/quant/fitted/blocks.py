"""Quantisers of GGUF's types that search for the best scales, weighted by the importance of columns.

`Fitter`: rows [R, K] and the importance of the K columns (or None) -> bytes [R, bytes per row].
"""

from __future__ import annotations

from collections.abc import Callable

import gguf
import numpy as np
from numpy.typing import NDArray

from .search import TINY, inverse, largest, one_by_one, positive, quotient, rounded, symmetric, with_minimum

F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]
Fitter = Callable[[F32, F32 | None], U8]

CODEBOOK = np.array(gguf.quants.IQ4_NL.kvalues, np.float32)
_MIDDLES = (CODEBOOK[1:] + CODEBOOK[:-1]) / 2


# Blocks of 32 -----------------------------------------------------------------------------------------------------


def _weights_of_rows(rows: F32, importance: F32, size: int = 32) -> F32:
    """Weights of the errors, [size, groups]: by importance, and larger for large weights."""
    variance = np.square(rows).mean(axis=1, keepdims=True)
    return _columns(importance * np.sqrt(variance + np.square(rows)), size)


def _columns(values: F32, size: int) -> F32:
    return np.ascontiguousarray(values.reshape(-1, size).T)


def _nibble_blocks(codes: U8, *heads: U8) -> U8:
    """`heads`, then bytes with code j in the low and code j + 16 in the high nibble."""
    return np.concatenate([*heads, codes[:, :16] & 15 | (codes[:, 16:] & 15) << np.uint8(4)], axis=1)


def _halves(*values: F32) -> U8:
    return np.stack(values, axis=1).astype("<f2").view(np.uint8)


def _fifths(codes: U8) -> U8:
    return np.packbits(codes >> 4, axis=1, bitorder="little")


def around_zero(bits: int) -> Fitter:
    """Fits q4_0 and q5_0."""
    most = 1 << bits - 1

    def fit(rows: F32, importance: F32 | None) -> U8:
        if importance is None:
            kind = gguf.GGMLQuantizationType.Q4_0 if bits == 4 else gguf.GGMLQuantizationType.Q5_0
            plain: U8 = gguf.quants.quantize(rows, kind)
            return plain
        scale, codes = symmetric(_columns(rows, 32), most, _weights_of_rows(rows, importance))
        unsigned = (codes + most).astype(np.uint8).T
        heads = (_halves(scale), _fifths(unsigned)) if bits == 5 else (_halves(scale),)
        return _nibble_blocks(unsigned, *heads).reshape(len(rows), -1)

    return fit


def above_minimum(bits: int) -> Fitter:
    """Fits q4_1 and q5_1."""
    most = (1 << bits) - 1

    def fit(rows: F32, importance: F32 | None) -> U8:
        if importance is None:
            kind = gguf.GGMLQuantizationType.Q4_1 if bits == 4 else gguf.GGMLQuantizationType.Q5_1
            plain: U8 = gguf.quants.quantize(rows, kind)
            return plain
        weights = _weights_of_rows(rows, importance)
        scale, minimum, codes = with_minimum(_columns(rows, 32), most, weights, -0.9, 0.05, 36)
        unsigned = codes.astype(np.uint8).T
        heads = (_halves(scale, -minimum), _fifths(unsigned)) if bits == 5 else (_halves(scale, -minimum),)
        return _nibble_blocks(unsigned, *heads).reshape(len(rows), -1)

    return fit


# Blocks of 256 ----------------------------------------------------------------------------------------------------


def _spread(importance: F32, rows: F32) -> F32:
    """The importance of each weight of each block, [blocks, 256]."""
    return np.broadcast_to(importance, rows.shape).reshape(-1, 256)


def _block_weights(blocks: F32, importance: F32 | None, rows: F32, size: int, times: float) -> F32 | None:
    """Weights of the errors, [size, groups]; None without importance."""
    if importance is None:
        return None
    variance = np.float32(times) * np.square(blocks).mean(axis=1, keepdims=True)
    return _columns(_spread(importance, rows) * np.sqrt(variance + np.square(blocks)), size)


def _half(x: F32) -> F32:
    return x.astype("<f2").astype(np.float32)


def _scaled_codes(blocks: F32, scale: F32, offset: F32 | None, low: int, high: int, codes: F32, size: int) -> F32:
    """The codes for the scales as stored, [blocks, 256]; `codes` where a scale is 0."""
    groups = blocks.reshape(len(blocks), -1, size)
    shifted = groups if offset is None else groups + offset[..., None]
    again = rounded(quotient(shifted, scale[..., None]), low, high)
    kept = codes.T.reshape(groups.shape)
    return np.where(scale[..., None] != 0, again, kept).reshape(len(blocks), 256)


def _pairs(codes: U8, apart: int) -> U8:
    """Nibbles: of each 2 * apart codes, byte i has code i in its low and code i + apart in its high nibble."""
    groups = codes.reshape(len(codes), -1, 2, apart)
    return (groups[:, :, 0] & np.uint8(15) | groups[:, :, 1] << np.uint8(4)).reshape(len(codes), -1)


def _quarters(codes: U8) -> U8:
    """Two low bits: of each 128 codes, byte i has those of codes i, i + 32, i + 64 and i + 96."""
    groups = (codes & 3).reshape(len(codes), 2, 4, 32) << (2 * np.arange(4, dtype=np.uint8))[:, None]
    return np.bitwise_or.reduce(groups, axis=2).reshape(len(codes), 64)


def k_with_minimum(bits: int) -> Fitter:
    """Fits q2_k (groups of 16), q4_k and q5_k (of 32): a group's scale and minimum are codes times the block's d and
    dmin.
    """
    size, most, most_scale = (16, 3, 15) if bits == 2 else (32, (1 << bits) - 1, 63)

    def fit(rows: F32, importance: F32 | None) -> U8:
        blocks = rows.reshape(-1, 256)
        x = _columns(blocks, size)
        weights = _block_weights(blocks, importance, rows, size, 1.0 if bits == 2 else 2.0)
        if weights is not None:
            scale, minimum, codes = with_minimum(x, most, weights, -0.9, 0.05, 36)
            total = weights.sum(axis=0).reshape(len(blocks), -1).T
            d, scales = positive(scale.reshape(len(blocks), -1).T, most_scale, total)
            dmin, minima = positive(minimum.reshape(len(blocks), -1).T, most_scale, total)
            scales, minima = scales.T, minima.T
        else:
            if bits == 2:
                scale, minimum, codes = with_minimum(x, most, np.abs(x), -0.5, 0.1, 15, absolute=True)
            else:
                mean = np.sqrt(np.square(x).mean(axis=0))
                first, count = (-1.0, 20) if bits == 4 else (-0.5, 15)
                scale, minimum, codes = with_minimum(x, most, mean + np.abs(x), first, 0.1, count)
            scale, minimum = scale.reshape(len(blocks), -1), minimum.reshape(len(blocks), -1)
            d, dmin = scale.max(axis=1) / np.float32(most_scale), minimum.max(axis=1) / np.float32(most_scale)
            scales = rounded(quotient(scale, d[:, None]), 0, most_scale)
            minima = rounded(quotient(minimum, dmin[:, None]), 0, most_scale)
        final = _scaled_codes(
            blocks, _half(d)[:, None] * scales, _half(dmin)[:, None] * minima, 0, most, codes, size
        ).astype(np.uint8)
        both = (scales.astype(np.uint8), minima.astype(np.uint8))
        if bits == 2:
            packed = np.concatenate([both[0] | both[1] << np.uint8(4), _quarters(final), _halves(d, dmin)], axis=1)
        else:
            parts = [_halves(d, dmin), _six_bits(*both), _pairs(final, 32)]
            if bits == 5:
                fifths = np.packbits(final.reshape(-1, 8, 32) >> 4, axis=1, bitorder="little").reshape(-1, 32)
                parts.insert(2, fifths)
            packed = np.concatenate(parts, axis=1)
        return packed.reshape(len(rows), -1)

    return fit


def _six_bits(scales: U8, minima: U8) -> U8:
    """The eight scales and minima of q4_k and q5_k packed into twelve bytes."""
    both = np.stack([scales, minima], axis=1)
    first, last = both[..., :4], both[..., 4:]
    return np.concatenate([first | (last >> 4) << 6, (last[:, :1] & 15) | last[:, 1:] << 4], axis=1).reshape(-1, 12)


def q3_k(rows: F32, importance: F32 | None) -> U8:
    blocks = rows.reshape(-1, 256)
    x = _columns(blocks, 16)
    weights = _block_weights(blocks, importance, rows, 16, 2.0)
    if weights is not None:
        scale, codes = symmetric(x, 4, weights)
        total = weights.sum(axis=0).reshape(len(blocks), 16).T
        d, scales = symmetric(scale.reshape(len(blocks), 16).T, 32, total)
        scales = scales.T
    else:
        scale, codes = one_by_one(x, 4, np.square(x)), np.zeros_like(x)
        by_block = scale.reshape(len(blocks), 16)
        d = largest(by_block.T) / np.float32(-32)
        scales = rounded(quotient(by_block, d[:, None]), -32, 31)
    final = _scaled_codes(blocks, _half(d)[:, None] * scales, None, -4, 3, codes, 16)
    unsigned, six = (final + 4).astype(np.uint8), (scales + 32).astype(np.uint8)
    high = np.packbits(unsigned.reshape(-1, 8, 32) >> 2, axis=1, bitorder="little").reshape(-1, 32)
    low_scales = six[:, :8] & 15 | (six[:, 8:] & 15) << np.uint8(4)
    top = (six >> 4).reshape(-1, 4, 4) << (2 * np.arange(4, dtype=np.uint8))[:, None]
    head = np.concatenate([low_scales, np.bitwise_or.reduce(top, axis=1)], axis=1)
    return np.concatenate([high, _quarters(unsigned), head, _halves(d)], axis=1).reshape(len(rows), -1)


def q6_k(rows: F32, importance: F32 | None) -> U8:
    blocks = rows.reshape(-1, 256)
    x = _columns(blocks, 16)
    weights = np.square(x) if importance is None else _columns(_spread(importance, rows), 16)
    scale, codes = symmetric(x, 32, weights)
    by_block = scale.reshape(len(blocks), 16)
    top = largest(by_block.T)
    d = np.where(np.abs(top) < TINY, np.float32(0), top / np.float32(-128))
    scales = rounded(quotient(by_block, d[:, None]), -128, 127)
    unsigned = (_scaled_codes(blocks, _half(d)[:, None] * scales, None, -32, 31, codes, 16) + 32).astype(np.uint8)
    high = (unsigned >> 4).reshape(-1, 2, 4, 32) << (2 * np.arange(4, dtype=np.uint8))[:, None]
    upper = np.bitwise_or.reduce(high, axis=2).reshape(-1, 64)
    packed = [_pairs(unsigned, 64), upper, scales.astype(np.int8).view(np.uint8), _halves(d)]
    return np.concatenate(packed, axis=1).reshape(len(rows), -1)


# Codebooks --------------------------------------------------------------------------------------------------------


def _looked_up(x: F32) -> NDArray[np.intp]:
    """The nearest codebook entries."""
    return np.searchsorted(_MIDDLES, x, side="right")


def _codebook_scales(x: F32, w: F32) -> F32:
    top = largest(x)
    empty = np.abs(top) < TINY
    top = np.where(empty, np.float32(1), top)
    wx = w * x

    def attempt(factor: F32) -> tuple[F32, F32]:
        q = CODEBOOK[_looked_up(x * factor)]
        return (wx * q).sum(axis=0), (w * q * q).sum(axis=0)

    dot, square = attempt(inverse(-CODEBOOK[0], top))
    scale = quotient(dot, square)
    best = scale * dot
    for step in range(-7, 8):
        dot, square = attempt(inverse(np.float32(step) + CODEBOOK[0], top))
        better = (square > 0) & (dot * dot > best * square)
        scale = np.where(better, quotient(dot, square), scale)
        best = np.where(better, scale * dot, best)
    return np.where(empty, np.float32(0), scale)


def iq4_nl(rows: F32, importance: F32 | None) -> U8:
    groups = rows.reshape(-1, 32)
    x = _columns(rows, 32)
    if importance is None:
        weights = np.square(x)
    else:
        spread = np.broadcast_to(importance, rows.shape).reshape(-1, 32)
        variance = np.float32(2) * np.square(groups).mean(axis=1, keepdims=True)
        weights = _columns(spread * np.sqrt(variance + np.square(groups)), 32)
    scale = _codebook_scales(x, weights)
    codes = _looked_up(quotient(groups, scale[:, None])).astype(np.uint8)
    return _nibble_blocks(codes, _halves(scale)).reshape(len(rows), -1)


def iq4_xs(rows: F32, importance: F32 | None) -> U8:
    blocks = rows.reshape(-1, 256)
    x = _columns(blocks, 32)
    weights = _block_weights(blocks, importance, rows, 32, 2.0)
    by_block = _codebook_scales(x, np.square(x) if weights is None else weights).reshape(len(blocks), 8)
    d = largest(by_block.T) / np.float32(-32)
    scales = rounded(quotient(by_block, d[:, None]), -32, 31)
    step = (d[:, None] * scales)[..., None]
    codes = _looked_up(quotient(blocks.reshape(-1, 8, 32), step)).astype(np.uint8)
    nibbles = codes[..., :16] | codes[..., 16:] << np.uint8(4)
    six = (scales + 32).astype(np.uint8)
    high = np.bitwise_or.reduce((six >> 4).astype("<u2") << (2 * np.arange(8, dtype="<u2")), axis=1)
    low = six[:, ::2] & 15 | (six[:, 1::2] & 15) << np.uint8(4)
    head = [_halves(d), high.astype("<u2").reshape(-1, 1).view(np.uint8), low]
    return np.concatenate([*head, nibbles.reshape(-1, 128)], axis=1).reshape(len(rows), -1)


FITTERS: dict[str, Fitter] = {
    "q4_0": around_zero(4),
    "q5_0": around_zero(5),
    "q4_1": above_minimum(4),
    "q5_1": above_minimum(5),
    "q2_k": k_with_minimum(2),
    "q3_k": q3_k,
    "q4_k": k_with_minimum(4),
    "q5_k": k_with_minimum(5),
    "q6_k": q6_k,
    "iq4_nl": iq4_nl,
    "iq4_xs": iq4_xs,
}
