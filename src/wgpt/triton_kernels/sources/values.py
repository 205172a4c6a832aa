"""Decoding of weights, and rounding to the type of the cache."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def stored(x, HALVES: tl.constexpr):
    """x rounded to the type of the cache; values too large for f16 are clamped."""
    if HALVES:
        return tl.minimum(tl.maximum(x, -65504.0), 65504.0).to(tl.float16).to(tl.float32)
    else:
        return x


@triton.jit
def field(word, AT: tl.constexpr, BITS: tl.constexpr, ZERO: tl.constexpr):
    """Bits AT .. AT + BITS - 1 as a float, minus the code ZERO.

    The field is inserted into a mantissa (of 2^23 for a field at bit 0, of 2^19 at bit 4, ...), because converting
    integers is slow on some GPUs."""
    within: tl.constexpr = AT % 16
    mask: tl.constexpr = ((1 << BITS) - 1) << within
    power: tl.constexpr = 23 - within
    moved = word if AT < 16 else word >> 16
    return ((moved & mask) | ((power + 127) << 23)).to(tl.float32, bitcast=True) - ((1 << power) + ZERO) * 1.0


@triton.jit
def weight_at(w, s, row, k, line, WEIGHT: tl.constexpr):
    """Weight k of a row, decoded from the planes (quant/weights.py).

    A row has `line` elements of plane w: halves or floats, words for all other types. Plane s consists of halves."""
    if WEIGHT == "f32" or WEIGHT == "f16":
        return tl.load(w + row * line + k).to(tl.float32)
    elif WEIGHT == "bf16":
        return ((tl.load(w + row * line + k // 2) >> ((k & 1) * 16)) << 16).to(tl.float32, bitcast=True)
    elif WEIGHT == "q8_0":
        byte = ((tl.load(w + row * line + k // 4) ^ 0x80808080) >> ((k % 4) * 8)) & 255
        scale = tl.load(s + row * (line // 8) + k // 32).to(tl.float32)
        return ((byte | 0x4B000000).to(tl.float32, bitcast=True) - 8388736.0) * scale
    else:
        word = tl.load(w + row * line + k // 32 * 4 + k % 16 // 4)
        nibble = (word >> (k % 4 * 8 + k % 32 // 16 * 4)) & 15
        value = (nibble | 0x4B000000).to(tl.float32, bitcast=True) - 8388608.0
        block = row * (line // 4) + k // 32
        if WEIGHT == "q4_1":
            return value * tl.load(s + 2 * block).to(tl.float32) + tl.load(s + 2 * block + 1).to(tl.float32)
        else:
            tl.static_assert(WEIGHT == "q4_0")
            return (value - 8.0) * tl.load(s + block).to(tl.float32)
