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

Groups of `s`: q5_0, 64 weights: fifth bits twice, then two halves d. q5_1, 32 weights: fifth bits, then d and m.
q4_k, 256 weights: d and dmin, three words of scales. q5_k: the same, then fifth bits of eight chunks.
q6_k, 256 weights: 16 words of upper bits, 16 bytes of scales, d, and two bytes of nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
U32 = NDArray[np.uint32]
U64 = NDArray[np.uint64]
Split = Callable[[NDArray[Any], U8, U8], None]  # records of blocks, bytes of w, bytes of s


@dataclass(frozen=True)
class Form:
    """What a block of a GGUF type looks like. Fields are copied as opaque bytes: eight times as fast as rows of u8."""

    type: gguf.GGMLQuantizationType
    fields: tuple[tuple[str, str], ...]
    split: Split
    floats: tuple[str, ...] = ("d",)  # fields that are halves

    @property
    def block(self) -> int:
        """Weights in a block."""
        return int(gguf.GGML_QUANT_SIZES[self.type][0])

    @property
    def record(self) -> np.dtype[Any]:
        return np.dtype(list(self.fields))

    def finite(self, blocks: U8) -> bool:
        records = blocks.reshape(-1).view(self.record)
        return all(np.isfinite(records[name]).all() for name in self.floats)


def _copy(target: U8, field: NDArray[Any]) -> None:
    target.reshape(-1).view(field.dtype)[...] = field


def _split_scaled(blocks: NDArray[Any], w: U8, s: U8) -> None:
    """q8_0, q4_0 and q4_1 are in our order already."""
    halves = s.view(np.float16).reshape(len(blocks), -1)
    for i in range(halves.shape[1]):
        halves[:, i] = blocks["dm"[i]]
    _copy(w, blocks["q"])


def _split_q5_0(blocks: NDArray[Any], w: U8, s: U8) -> None:
    groups = s.view(np.dtype([("high", "<u4", 2), ("d", "<u2", 2)]))
    groups["high"] = _fifth_bits(blocks["high"]).reshape(-1, 2)
    groups["d"] = blocks["d"].view(np.uint16).reshape(-1, 2)
    _copy(w, blocks["q"])


def _split_q5_1(blocks: NDArray[Any], w: U8, s: U8) -> None:
    groups = s.view(np.dtype([("high", "<u4"), ("d", "<f2"), ("m", "<f2")]))
    groups["high"], groups["d"], groups["m"] = _fifth_bits(blocks["high"]), blocks["d"], blocks["m"]
    _copy(w, blocks["q"])


def _split_q4_k(blocks: NDArray[Any], w: U8, s: U8) -> None:
    _k_scales(blocks, s.view(np.uint32).reshape(-1, 4))
    _k_nibbles(blocks, w)


def _split_q5_k(blocks: NDArray[Any], w: U8, s: U8) -> None:
    groups = s.view(np.uint32).reshape(-1, 12)
    _k_scales(blocks, groups)
    # Bit c of byte i is of weight 32 c + i.
    words = _words(blocks["high"], np.uint32).T.copy()
    _exchange(words, 1)
    groups[:, 4:] = words.T
    _k_nibbles(blocks, w)


def _split_q6_k(blocks: NDArray[Any], w: U8, s: U8) -> None:
    groups = s.view(np.dtype([("high", "<u4", (2, 4, 2)), ("scales", "V16"), ("d", "<f2"), ("none", "<u2")]))
    # In each half, bits 2c and 2c + 1 of byte i are of weight 32 c + i.
    words = _words(blocks["high"], np.uint32, 2, 2, 2, 2).transpose(2, 4, 0, 1, 3).reshape(4, -1, 2, 2)
    _exchange(words, 2)
    groups["high"] = words.transpose(1, 2, 0, 3)
    groups["scales"], groups["d"], groups["none"] = blocks["scales"], blocks["d"], 0
    # In each half, byte i of 64 has weight i low and weight i + 64 high.
    _nibbles(_words(blocks["q"], np.uint64, 4, 4), w.view(np.uint64).reshape(-1, 2, 2, 2, 2).transpose(2, 0, 1, 3, 4))


def _k_nibbles(blocks: NDArray[Any], w: U8) -> None:
    """Byte i of each 32 has weight i low and weight i + 32 high."""
    _nibbles(_words(blocks["q"], np.uint64, 4, 4), w.view(np.uint64).reshape(-1, 4, 2, 2).transpose(2, 0, 1, 3))


def _words(field: NDArray[Any], kind: Any, *shape: int) -> NDArray[Any]:
    """A field's bytes as words, [blocks, *shape]."""
    return np.ascontiguousarray(field).view(kind).reshape(len(field), *(shape or (-1,)))


def _nibbles(pairs: U64, chunks: U64) -> None:
    """32 bytes (four words), each with a weight of one chunk low and one of another high, into two chunks of 16."""
    low, high = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0xF0F0F0F0F0F0F0F0)
    for i in range(2):  # word by word: NumPy is slow at rows of a few elements
        first, second = (pairs[..., j].reshape(chunks.shape[1:-1]) for j in (i, i + 2))
        chunks[0, ..., i] = first & low | (second & low) << np.uint64(4)
        chunks[1, ..., i] = (first & high) >> np.uint64(4) | second & high


def _exchange(words: U32, width: int) -> None:
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


# Bit i of a byte at bit i / 4 of byte i % 4.
_SPREAD = np.bitwise_or.reduce([(np.arange(256, dtype=np.uint32) >> i & 1) << (8 * (i % 4) + i // 4) for i in range(8)])


def _fifth_bits(words: U32) -> U32:
    """GGUF: bit i is of weight i."""
    raw = np.ascontiguousarray(words).view(np.uint8).reshape(-1, 4)
    found = _SPREAD[raw[:, 0]]
    for i in range(1, 4):
        found |= _SPREAD[raw[:, i]] << np.uint32(2 * i)
    return found


def _k_scales(blocks: NDArray[Any], groups: U32) -> None:
    """d, dmin and the 6-bit scales and minima into the first four words of each group.

    GGUF's three words: six bits of scales 0 to 3, six of minima 0 to 3, then nibbles of scales and minima 4 to 7,
    whose upper two bits are on top of the bytes of the first two words.
    """
    scales, minima, nibbles = _words(blocks["scales"], np.uint32).T
    groups[:, :1].view(np.float16)[:, 0], groups[:, :1].view(np.float16)[:, 1] = blocks["d"], blocks["dmin"]
    groups[:, 1] = _low_nibbles(scales) | _low_nibbles(nibbles) << 16
    groups[:, 2] = _low_nibbles(minima) | _low_nibbles(nibbles >> 4) << 16
    groups[:, 3] = (
        _pairs(scales >> 4) | _pairs(scales >> 6) << 8 | _pairs(minima >> 4) << 16 | _pairs(minima >> 6) << 24
    )


def _low_nibbles(words: U32) -> U32:
    """Of the four bytes of a word, side by side in its low half."""
    found = words & np.uint32(0x0F0F0F0F)
    found = (found | found >> np.uint32(4)) & np.uint32(0x00FF00FF)
    return (found | found >> np.uint32(8)) & np.uint32(0xFFFF)


def _pairs(words: U32) -> U32:
    """The low two bits of the four bytes of a word, side by side in its low byte."""
    found = words & np.uint32(0x03030303)
    found = (found | found >> np.uint32(6)) & np.uint32(0x000F000F)
    return (found | found >> np.uint32(12)) & np.uint32(0xFF)


_T = gguf.GGMLQuantizationType
FORMS = {
    "q8_0": Form(_T.Q8_0, (("d", "<f2"), ("q", "V32")), _split_scaled),
    "q4_0": Form(_T.Q4_0, (("d", "<f2"), ("q", "V16")), _split_scaled),
    "q4_1": Form(_T.Q4_1, (("d", "<f2"), ("m", "<f2"), ("q", "V16")), _split_scaled, ("d", "m")),
    "q5_0": Form(_T.Q5_0, (("d", "<f2"), ("high", "<u4"), ("q", "V16")), _split_q5_0),
    "q5_1": Form(_T.Q5_1, (("d", "<f2"), ("m", "<f2"), ("high", "<u4"), ("q", "V16")), _split_q5_1, ("d", "m")),
    "q4_k": Form(
        _T.Q4_K, (("d", "<f2"), ("dmin", "<f2"), ("scales", "V12"), ("q", "V128")), _split_q4_k, ("d", "dmin")
    ),
    "q5_k": Form(
        _T.Q5_K,
        (("d", "<f2"), ("dmin", "<f2"), ("scales", "V12"), ("high", "V32"), ("q", "V128")),
        _split_q5_k,
        ("d", "dmin"),
    ),
    "q6_k": Form(_T.Q6_K, (("q", "V128"), ("high", "V64"), ("scales", "V16"), ("d", "<f2")), _split_q6_k),
}
