"""GGUF's blocks into the planes `w` and `s` (weights.py says what they are): every bit is kept, some move.

A *split* takes blocks as a file has them and fills bytes of both planes. What it moves, it moves so that a
kernel needs few instructions:

- `w`: the low four bits of 32 weights are 16 bytes: byte j has weight j low and weight j + 16 high.
- the fifth bits of 32 weights are one word: bit b of byte e belongs to weight 4b + e, so that one shift and
  one mask bring four neighbours to where the bytes of a word of nibbles have theirs.
- the fifth and sixth bits (q6_k) are two words: byte e of the first has pairs of bits of weights e, e + 4, e + 16
  and e + 20, of the second those of the weights eight further on, so that both halves of a word of nibbles find
  theirs in one word.
- the eight 6-bit scales and minima of 256 weights (q4_k, q5_k) are three words: the low nibbles of all
  scales, those of all minima, and the upper pairs of bits of both, scales first.

How the groups of `s` look, each type says in its file (types/).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]
U32 = NDArray[np.uint32]
U64 = NDArray[np.uint64]
Split = Callable[[NDArray[Any], U8, U8], None]  # (blocks as records, bytes of w, bytes of s)


@dataclass(frozen=True)
class Form:
    """The layout of a GGUF type's block. Fields are copied as opaque bytes, which is eight times as fast as u8 rows."""

    type: gguf.GGMLQuantizationType | None  # None: GGUF does not have the type, and `size` and `quantiser` are required
    fields: tuple[tuple[str, str], ...]
    split: Split
    floats: tuple[str, ...] = ("d",)  # names of f16 fields; empty if no scale can be NaN or Inf
    quantiser: Callable[[F32], U8] | None = None  # quantises rows of whole blocks; None: use the gguf package
    size: int = 0

    @property
    def block(self) -> int:
        """Weights per block."""
        if self.type is None:
            return self.size
        return int(gguf.GGML_QUANT_SIZES[self.type][0])

    @property
    def record(self) -> np.dtype[Any]:
        return np.dtype(list(self.fields))

    def scales(self, rows: U8) -> NDArray[np.float16]:
        """The f16 scales of all blocks of each row."""
        records = np.ascontiguousarray(rows).reshape(-1).view(self.record).reshape(len(rows), -1)
        none = np.zeros((len(rows), 0), np.float16)
        return np.concatenate([none, *(records[name] for name in self.floats)], axis=1)

    def quantise(self, rows: F32) -> U8:
        """Quantise rows of whole blocks to GGUF's blocks."""
        if self.quantiser is not None:
            return self.quantiser(rows)
        assert self.type is not None
        blocks: U8 = gguf.quants.quantize(rows, self.type)
        return blocks

    def finite(self, blocks: U8) -> bool:
        return bool(np.isfinite(self.scales(blocks)).all())


def copy(target: U8, field: NDArray[Any]) -> None:
    target.reshape(-1).view(field.dtype)[...] = field


def split_scaled(blocks: NDArray[Any], w: U8, s: U8) -> None:
    """Split blocks with f16 fields `d` (and `m`) and codes `q` that are in wgpt's order already."""
    halves = s.view(np.float16).reshape(len(blocks), -1)
    for i in range(halves.shape[1]):
        halves[:, i] = blocks["dm"[i]]
    copy(w, blocks["q"])


def k_nibbles(blocks: NDArray[Any], w: U8) -> None:
    """Byte i of each 32 has weight i low and weight i + 32 high."""
    nibbles(words(blocks["q"], np.uint64, 4, 4), w.view(np.uint64).reshape(-1, 4, 2, 2).transpose(2, 0, 1, 3))


def words(field: NDArray[Any], kind: Any, *shape: int) -> NDArray[Any]:
    """A field's bytes as words, [blocks, *shape]."""
    return np.ascontiguousarray(field).view(kind).reshape(len(field), *(shape or (-1,)))


def nibbles(pairs: U64, chunks: U64) -> None:
    """32 bytes (four words), each with a weight of one chunk low and one of another high, into two chunks of 16."""
    low, high = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0xF0F0F0F0F0F0F0F0)
    for i in range(2):  # word by word: NumPy is slow at short rows
        first, second = (pairs[..., j].reshape(chunks.shape[1:-1]) for j in (i, i + 2))
        chunks[0, ..., i] = first & low | (second & low) << np.uint64(4)
        chunks[1, ..., i] = (first & high) >> np.uint64(4) | second & high


def exchange(words: U32, width: int) -> None:
    """Field i of word j becomes field j of word i, in each of their bytes; fields of `width` bits, 8 / width words."""
    step = 1
    while step < len(words):
        shift = np.uint32(step * width)
        mask = np.uint32({1: 0x55555555, 2: 0x33333333, 4: 0x0F0F0F0F}[step * width])
        for i in range(len(words)):
            if not i & step:
                differ = (words[i] >> shift ^ words[i + step]) & mask
                words[i + step] ^= differ
                words[i] ^= differ << shift
        step *= 2


def two_bits(blocks: NDArray[Any], w: U8) -> None:
    """In each half of the field q, bits 2c and 2c + 1 of byte i are of weight 32 c + i; into words of 16 weights."""
    pairs = words(blocks["q"], np.uint32, 2, 2, 4).transpose(3, 0, 1, 2).copy()
    exchange(pairs, 2)
    w.view(np.uint32).reshape(-1, 2, 4, 2)[:] = pairs.transpose(1, 2, 0, 3)


# Bit i of a byte at bit i / 4 of byte i % 4.
_SPREAD = np.bitwise_or.reduce([(np.arange(256, dtype=np.uint32) >> i & 1) << (8 * (i % 4) + i // 4) for i in range(8)])


def bits_in_quads(words: U32) -> U32:
    """Of 32 weights: bit i of GGUF's word is of weight i, and becomes bit i / 4 of byte i % 4."""
    raw = np.ascontiguousarray(words).view(np.uint8).reshape(-1, 4)
    bits = _SPREAD[raw[:, 0]]
    for i in range(1, 4):
        bits |= _SPREAD[raw[:, i]] << np.uint32(2 * i)
    return bits


def k_scales(blocks: NDArray[Any], groups: U32) -> None:
    """d, dmin and the 6-bit scales and minima into the first four words of each group.

    GGUF's three words: six bits of scales 0 to 3, six of minima 0 to 3, then nibbles of scales and minima 4 to 7,
    whose upper two bits are on top of the bytes of the first two words.
    """
    scales, minima, nibbles = words(blocks["scales"], np.uint32).T
    groups[:, :1].view(np.float16)[:, 0], groups[:, :1].view(np.float16)[:, 1] = blocks["d"], blocks["dmin"]
    groups[:, 1] = _low_nibbles(scales) | _low_nibbles(nibbles) << 16
    groups[:, 2] = _low_nibbles(minima) | _low_nibbles(nibbles >> 4) << 16
    groups[:, 3] = (
        _pairs(scales >> 4) | _pairs(scales >> 6) << 8 | _pairs(minima >> 4) << 16 | _pairs(minima >> 6) << 24
    )


def sixteen_scales(field: NDArray[Any]) -> U32:
    """Twelve bytes of 6-bit scales (q3_k) into three words: low nibbles of eight, of eight, and all upper pairs.

    GGUF: bytes 0 to 7 have the low nibbles of scales i and i + 8; byte 8 + i has the upper pairs of scales i, i + 4,
    i + 8 and i + 12.
    """
    first, second, upper = words(field, np.uint32).T
    low, high = (_low_nibbles(first >> i) | _low_nibbles(second >> i) << np.uint32(16) for i in (0, 4))
    pairs = [_pairs(upper >> 2 * i) << np.uint32(8 * i) for i in range(4)]
    return np.stack([low, high, np.bitwise_or.reduce(pairs)], axis=1)


def _low_nibbles(words: U32) -> U32:
    """The low nibbles of a word's four bytes, combined into its low half."""
    nibbles = words & np.uint32(0x0F0F0F0F)
    nibbles = (nibbles | nibbles >> np.uint32(4)) & np.uint32(0x00FF00FF)
    return (nibbles | nibbles >> np.uint32(8)) & np.uint32(0xFFFF)


def _pairs(words: U32) -> U32:
    """The low two bits of a word's four bytes, combined into its low byte."""
    pairs = words & np.uint32(0x03030303)
    pairs = (pairs | pairs >> np.uint32(6)) & np.uint32(0x000F000F)
    return (pairs | pairs >> np.uint32(12)) & np.uint32(0xFF)
