"""iq3_s: four weights are an entry of a grid of 512 and four signs, each 32 of them with an odd scale of five bits.

A word of `w` is 16 weights: the low bytes of four entries. A group of `s`, after the grid, is that of 256 weights:
signs, the ninth bits of 64 entries, eight scales, d, and two bytes of nothing. A word of signs is that of 32 weights:
bit j of byte i is of weight 4 j + i.
"""

from __future__ import annotations

from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from .. import grids, k_quants, unpack
from ..gguf_blocks import bits_in_quads, copy, words
from ..weight_type import F32, F64, U8, U32, FloatWords

_TYPE = gguf.GGMLQuantizationType.IQ3_S


def _quantised(blocks: F32) -> U8:
    groups = blocks.reshape(-1, 32)
    d, scales = grids.stepped(grids.quantised(groups, _TYPE, evenly=False).reshape(-1, 8), 1, 2)
    final = (d[:, None] * (1 + 2 * scales.astype(np.float32))).reshape(-1)
    index, signs = grids.nearest(groups, final, _TYPE, evenly=False)
    low = (index & 255).astype(np.uint8).reshape(len(blocks), 64)
    high = np.packbits((index >> 8).astype(np.uint8).reshape(-1, 8), axis=1, bitorder="little").reshape(-1, 8)
    parts = [k_quants.raw(d), low, high, signs.reshape(len(blocks), 32), grids.nibbles(scales)]
    return np.concatenate(parts, axis=1)


def _split(blocks: NDArray[Any], w: U8, s: U8) -> None:
    fields = [("signs", "<u4", 8), ("high", "V8"), ("scales", "V4"), ("d", "<f2"), ("none", "<u2")]
    groups = s.view(np.dtype(fields))
    groups["signs"] = bits_in_quads(words(blocks["signs"], np.uint32)).reshape(-1, 8)
    for name in ("high", "scales", "d"):
        groups[name] = blocks[name]
    groups["none"] = 0
    copy(w, blocks["q"])


def _values(w: U32, s: U32) -> F64:
    groups = s.reshape(-1, 12)
    high = np.unpackbits(np.ascontiguousarray(groups[:, 8:10]).view(np.uint8), bitorder="little")
    index = w.view(np.uint8) | high.astype(np.uint16) << 8
    signs = 1.0 - 2.0 * unpack.bits(groups[:, :8], 1)
    scales = unpack.nibbles(groups[:, 10:11]).astype(np.float64)
    steps = unpack.low_halves(groups[:, 11])[:, None] * (1 + 2 * scales)
    return (grids.entries(_TYPE)[index].reshape(-1, 8, 32) * signs.reshape(-1, 8, 32)) * steps[..., None]


TYPE = grids.weight_type(
    "iq3_s",
    _TYPE,
    (("d", "<f2"), ("q", "V64"), ("high", "V8"), ("signs", "V32"), ("scales", "V4")),
    _split,
    _quantised,
    equation="d (2 scale + 1) * sign * grid[q], blocks of 256, scales of 32",
    good_for="as q3_k with less loss, given an importance matrix",
    scale_bits=384,
    floats=FloatWords("f16", period=12, first=11),
    values=_values,
    extra_bits=True,
    version=1,
)
