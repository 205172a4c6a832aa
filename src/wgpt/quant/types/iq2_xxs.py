"""iq2_xxs: eight weights are an entry of a grid of 256 and seven signs, each 32 of them with a scale of four bits.

A word of `w` is 16 weights: two entries, two times seven signs, and two bits of the scale, the low ones in even words.
`s` has a half for each 256 weights, after the grid.
"""

from __future__ import annotations

from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from .. import grids, k_quants, unpack
from ..weight_type import F32, F64, U8, U32, FloatWords

_TYPE = gguf.GGMLQuantizationType.IQ2_XXS


def _quantised(blocks: F32) -> U8:
    groups = blocks.reshape(-1, 32)
    d, scales = grids.stepped(grids.quantised(groups, _TYPE, evenly=True).reshape(-1, 8), 0.125, 0.25)
    final = (d[:, None] * (0.125 + 0.25 * scales.astype(np.float32))).reshape(-1)
    index, signs = grids.nearest(groups, final, _TYPE, evenly=True)
    low = index.astype(np.uint8).reshape(-1, 4).view("<u4")[:, 0]
    seven = (signs & np.uint8(127)).astype(np.uint32).reshape(-1, 4) << 7 * np.arange(4, dtype=np.uint32)
    high = np.bitwise_or.reduce(seven, axis=1) | scales.reshape(-1).astype(np.uint32) << np.uint32(28)
    both = np.ascontiguousarray(np.stack([low, high], axis=1)).view(np.uint8).reshape(len(blocks), 64)
    return np.concatenate([k_quants.raw(d), both], axis=1)


def _split(blocks: NDArray[Any], w: U8, s: U8) -> None:
    s.view(np.uint16)[:] = blocks["d"].view(np.uint16)
    entries, rest = np.ascontiguousarray(blocks["q"]).view("<u4").reshape(-1, 2).T
    words = w.view(np.uint32).reshape(-1, 2)
    low, mask = np.uint32(0xFFFF), np.uint32(0x3FFF)
    words[:, 0] = entries & low | (rest & mask) << 16 | rest >> 28 << 30
    words[:, 1] = entries >> 16 | (rest >> 14 & mask) << 16 | rest >> 30 << 30


def _values(w: U32, s: U32) -> F64:
    index = np.stack([w & 255, w >> 8 & 255], axis=1)
    signs = grids.signs(grids.even(np.stack([w >> 16 & 127, w >> 23 & 127], axis=1)))
    tops = (w >> 30).reshape(-1, 2)
    scales = (tops[:, 0] | tops[:, 1] << 2).astype(np.float64).reshape(-1, 8)
    steps = unpack.halves(s, len(scales))[:, None] * (0.5 + scales) * 0.25
    return (grids.entries(_TYPE)[index] * signs).reshape(-1, 8, 32) * steps[..., None]


TYPE = grids.weight_type(
    "iq2_xxs",
    _TYPE,
    (("d", "<f2"), ("q", "V64")),
    _split,
    _quantised,
    equation="d (scale + 1/2) / 4 * sign * grid[q], blocks of 256, scales of 32",
    good_for="the smallest; the loss shows even with an importance matrix",
    scale_bits=16,
    floats=FloatWords("f16"),
    values=_values,
    with_signs=True,
    version=1,
)
