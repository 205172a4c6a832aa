"""Converts matrices of other programs' quantised files to wgpt's block layouts, with exactly the same values.

Each function takes the rows lo .. hi of a matrix [N, K] as arrays, and returns rows for `from_gguf_blocks`.
"""

from __future__ import annotations

import numpy as np

from . import affine
from .types import nf4 as nf4_type
from .weight_type import F32, U8, U32

# Bits per code -> the types for groups of a multiple of 64, and of 32.
AFFINE = {4: ("affine4", "affine4_32"), 8: ("affine8", "affine8_32")}
LEAST_GROUP = 32
NF4 = nf4_type.TYPE.name
NF4_BLOCK = nf4_type.TYPE.block
# The position of column j of eight within an AWQ word.
AWQ_ORDER = np.array([0, 4, 1, 5, 2, 6, 3, 7])


def fields(words: U32, bits: int) -> U8:
    """The codes of words, the lowest bits first: [..., W] into [..., W * 32 / bits]."""
    shifts = np.arange(0, 32, bits, dtype=np.uint32)
    codes = (words[..., None] >> shifts) & np.uint32((1 << bits) - 1)
    return codes.astype(np.uint8).reshape(*words.shape[:-1], -1)


def affine_type(bits: int, group: int) -> str:
    """The type for groups of this number of weights."""
    return AFFINE[bits][_block(group) == LEAST_GROUP]


def _block(group: int) -> int:
    return 64 if group % 64 == 0 else LEAST_GROUP


def affine_rows(codes: U8, scales: F32, offsets: F32, bits: int) -> U8:
    """s q + b: codes [N, K], scales and offsets [N, groups] of whole blocks each."""
    group = codes.shape[1] // scales.shape[1]
    block = _block(group)
    each = group // block
    return affine.records(codes, np.repeat(scales, each, axis=1), np.repeat(offsets, each, axis=1), bits, block)


def mlx_rows(words: U32, scales: F32, biases: F32, bits: int) -> U8:
    """MLX: words [N, K bits / 32]."""
    return affine_rows(fields(words, bits), scales, biases, bits)


def zero_point_rows(codes: U8, scales: F32, zeros: U8, bits: int) -> U8:
    """s (q - z): codes [N, K], scales and zeros [N, groups]. The product s z has at most 24 bits."""
    return affine_rows(codes, scales, -(scales * zeros.astype(np.float32)), bits)


def gptq_rows(qweight: U32, qzeros: U32, scales: F32, columns: slice, bits: int, less: int) -> U8:
    """GPTQ: qweight [K bits / 32, N] along K, qzeros [groups, N bits / 32] along N; scales [groups, N].

    `less`: what zero points are stored less, 1 in files of the first version.
    """
    codes = fields(np.ascontiguousarray(qweight[:, columns].T), bits)
    zeros = (fields(qzeros, bits)[:, columns] + np.uint8(less)) & np.uint8((1 << bits) - 1)
    return zero_point_rows(codes, np.ascontiguousarray(scales[:, columns].T), zeros.T, bits)


def awq_rows(qweight: U32, qzeros: U32, scales: F32, lo: int, hi: int) -> U8:
    """AWQ: qweight [K, N / 8] and qzeros [groups, N / 8] along N, in AWQ_ORDER; scales [groups, N]."""
    first, last = lo // 8, -(-hi // 8)
    window = slice(lo - 8 * first, hi - 8 * first)

    def columns(words: U32) -> U8:
        nibbles = fields(words[:, first:last], 4).reshape(len(words), -1, 8)[..., AWQ_ORDER]
        return nibbles.reshape(len(words), -1)[:, window]

    codes, zeros = np.ascontiguousarray(columns(qweight).T), columns(qzeros).T
    return zero_point_rows(codes, np.ascontiguousarray(scales[:, lo:hi].T), zeros, 4)


def nf4_rows(packed: U8, absmax: F32, k: int) -> U8:
    """bitsandbytes: packed [N, K / 2], the first of two codes in the high nibble; absmax [N, K / 64]."""
    codes = np.stack([packed >> 4, packed & 15], axis=-1).reshape(len(packed), k)
    return nf4_type.records(codes, absmax)


def double_scales(codes: U8, table: F32, absmax: F32, offset: float, block: int) -> F32:
    """The scales of bitsandbytes' double quantisation, computed in f32 as there."""
    each = absmax[np.arange(codes.size) // block]
    return table[codes.reshape(-1)] * each + np.float32(offset)


def _e4m3() -> F32:
    """The values of the 256 codes: four bits of exponent, three of mantissa, no Inf, one NaN."""
    code = np.arange(256)
    exponent, mantissa = (code >> 3) & 15, code & 7
    size = np.where(exponent == 0, mantissa * 2.0**-9, (8 + mantissa) * 2.0 ** (exponent - 10.0))
    size[code & 127 == 127] = np.nan
    return np.where(code < 128, size, -size).astype(np.float32)


E4M3 = _e4m3()


def mxfp4_rows(blocks: U8, scales: U8) -> U8:
    """Hugging Face: blocks [..., K / 32, 16], two neighbours to a byte, the first one low; scales [..., K / 32].

    GGUF's MXFP4, of 17 bytes: the scale, then bytes with weight j low and weight j + 16 high. The scale's byte is the
    same: there 2^(e - 127) times halves, here 2^(e - 128) times whole numbers.
    """
    codes = np.stack([blocks & 15, blocks >> 4], axis=-1).reshape(*blocks.shape[:-1], 2, 16)
    halves = codes[..., 0, :] | codes[..., 1, :] << 4
    both = np.concatenate([scales[..., None], halves], axis=-1)
    return both.reshape(*scales.shape[:-1], -1)
