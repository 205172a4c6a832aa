"""Types of the KV cache: how the keys and values of a head are stored. All facts about a type are here and in
_cache.wgsl.

q8_0 stores each block of 32 elements as signed bytes with one scale, a half: x = code * scale, with codes from -127
to 127 and scale = largest magnitude / 127. A block is 16 pairs of RoPE: 16 elements of the head's first half, and the
16 elements half a head later. A page has, for each head, the codes of all its positions, then their scales. The codes
of a position are in the order in which threads use them: four elements of the first half, then their four partners.
Its scales are padded to whole words, so that no two positions share a word.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.sizes import PAGE
from ..grid import ceil_div

BLOCK = 32  # elements that share a scale
LARGEST_HALF = 65504.0  # larger values are clamped to it: an infinite key would make every score NaN
MOST_CODE = 127
Float = NDArray[np.float64]
Bytes = NDArray[np.uint8]

_POISON = 0xFF  # a byte of memory that was never written: halves and floats of such bytes are NaN


@dataclass(frozen=True)
class CacheType:
    """`dtype`: of a tensor that holds it."""

    dtype: str
    itemsize: int  # bytes of an element, without scales
    in_blocks: bool = False

    def head_bytes(self, head_dim: int) -> int:
        """Bytes of a head's key, or value, at one position."""
        return head_dim * self.itemsize + (4 * scale_words(head_dim) if self.in_blocks else 0)

    def shape(self, blocks: int, kv_heads: int, positions: int, head_dim: int) -> tuple[int, ...]:
        """The shape of a tensor with the keys, or values, of one layer."""
        if self.in_blocks:
            return blocks, kv_heads, positions * self.head_bytes(head_dim)
        return blocks, kv_heads, positions, head_dim


QUANTISED = "q8_0"
TYPES = {"f16": CacheType("f16", 2), "f32": CacheType("f32", 4), QUANTISED: CacheType("u8", 1, in_blocks=True)}
CACHES = tuple(TYPES)
CONTIGUOUS = tuple(name for name, kind in TYPES.items() if not kind.in_blocks)  # those that need no pages


def refused(cache: str, head_dim: int) -> str | None:
    """Why heads of this size cannot be stored in this type; None if they can."""
    if TYPES[cache].in_blocks and head_dim % BLOCK:
        return f"cache {cache} needs heads of a multiple of {BLOCK} dimensions, and these have {head_dim}"
    return None


def scale_words(head_dim: int) -> int:
    """Words with the scales of a position: two halves each."""
    return ceil_div(head_dim, 2 * BLOCK)


# In NumPy ---------------------------------------------------------------------------------------------------


def in_stored_order(x: Float) -> Float:
    """[..., head_dim] as [..., blocks, BLOCK], each block with its pairs in the order of the codes."""
    halves = x.reshape(*x.shape[:-1], 2, -1, 4)
    return np.moveaxis(halves, -3, -2).reshape(*x.shape[:-1], -1, BLOCK)


def in_own_order(x: Float) -> Float:
    """The inverse of in_stored_order."""
    pairs = x.reshape(*x.shape[:-2], -1, 2, 4)
    return np.moveaxis(pairs, -2, -3).reshape(*x.shape[:-2], -1)


def scales_of(blocks: Float) -> NDArray[np.float16]:
    """The scale of each block [..., blocks, BLOCK]."""
    return np.minimum(np.abs(blocks).max(-1) / MOST_CODE, LARGEST_HALF).astype(np.float16)


def steps_of(blocks: Float, scales: NDArray[np.float16]) -> Float:
    """Elements in units of their scale, before they are rounded and clamped."""
    wide = scales.astype(np.float64)[..., None]
    return np.asarray(np.divide(blocks, wide, out=np.zeros_like(blocks), where=wide > 0))


def encoded(x: Float) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """Codes [..., head_dim], in their order, and scales [..., blocks] of x [..., head_dim]."""
    blocks = in_stored_order(x)
    scales = scales_of(blocks)
    codes = np.clip(np.rint(steps_of(blocks, scales)), -MOST_CODE, MOST_CODE).astype(np.int8)
    return codes.reshape(x.shape), scales


def decoded(codes: NDArray[np.int8], scales: NDArray[np.float16]) -> Float:
    """The inverse of `encoded`."""
    blocks = codes.astype(np.float64).reshape(*scales.shape, BLOCK)
    return in_own_order(blocks * scales.astype(np.float64)[..., None])


def as_stored(x: Float, cache: str) -> Float:
    """x [..., head_dim] after rounding to the cache's type."""
    if cache == "f32":
        return x
    if cache == "f16":
        return np.clip(x, -LARGEST_HALF, LARGEST_HALF).astype(np.float16).astype(np.float64)
    return decoded(*encoded(x))


class Pages:
    """The bytes of a quantised cache [pages, kv_heads, bytes of a page], seen as codes and scales."""

    def __init__(self, raw: Bytes, head_dim: int) -> None:
        self.raw = raw
        codes, scales = np.split(raw, [PAGE * head_dim], axis=-1)
        self._codes = codes.view(np.int8).reshape(*raw.shape[:2], PAGE, head_dim)
        self._scales = scales.view(np.float16).reshape(*raw.shape[:2], PAGE, -1)

    @classmethod
    def unwritten(cls, shape: tuple[int, ...], head_dim: int) -> Pages:
        """Every scale is NaN, so reading any of them shows."""
        return cls(np.full(shape, _POISON, np.uint8), head_dim)

    def values(self) -> Float:
        """[pages, kv_heads, PAGE, head_dim]."""
        return decoded(self._codes, self._scales[..., : self._codes.shape[-1] // BLOCK])

    def store(self, page: int, place: int, x: Float) -> None:
        """Write x [kv_heads, head_dim]. Padding among the scales becomes zero."""
        codes, scales = encoded(x)
        self._codes[page, :, place] = codes
        self._scales[page, :, place] = 0
        self._scales[page, :, place, : scales.shape[-1]] = scales
