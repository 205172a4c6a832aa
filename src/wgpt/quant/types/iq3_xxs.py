"""iq3_xxs: four weights are an entry of a grid of 256; eight weights have seven signs, 32 a scale of four bits.

A word of `w` is 16 weights: four entries. A group of `s`, after the grid, is that of 256 weights: for each 32 a word of
signs with the scale on top; then d, and two bytes of nothing.
"""

from __future__ import annotations

from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from .. import grids, k_quants, unpack
from ..gguf_blocks import copy
from ..weight_type import F32, F64, U8, U32, FloatWords

_TYPE = gguf.GGMLQuantizationType.IQ3_XXS


def _quantised(blocks: F32) -> U8:
    groups = blocks.reshape(-1, 32)
    d, scales = grids.stepped(grids.quantised(groups, _TYPE, evenly=True).reshape(-1, 8), 0.25, 0.5)
    final = (d[:, None] * (0.25 + 0.5 * scales.astype(np.float32))).reshape(-1)
    index, signs = grids.nearest(groups, final, _TYPE, evenly=True)
    seven = (signs & np.uint8(127)).astype(np.uint32).reshape(-1, 4) << 7 * np.arange(4, dtype=np.uint32)
    both = np.bitwise_or.reduce(seven, axis=1) | scales.reshape(-1).astype(np.uint32) << np.uint32(28)
    parts = [index.astype(np.uint8).reshape(len(blocks), 64), both.view(np.uint8).reshape(len(blocks), 32)]
    return np.concatenate([k_quants.raw(d), *parts], axis=1)


def _split(blocks: NDArray[Any], w: U8, s: U8) -> None:
    groups = s.view(np.dtype([("signs", "V32"), ("d", "<f2"), ("none", "<u2")]))
    groups["signs"], groups["d"], groups["none"] = blocks["signs"], blocks["d"], 0
    copy(w, blocks["q"])


def _values(w: U32, s: U32) -> F64:
    groups = s.reshape(-1, 9)
    seven = groups[:, :8, None] >> 7 * np.arange(4, dtype=np.uint32) & 127
    steps = unpack.low_halves(groups[:, 8])[:, None] * (0.5 + (groups[:, :8] >> 28).astype(np.float64)) * 0.5
    values = grids.entries(_TYPE)[w.view(np.uint8)].reshape(-1, 8, 32)
    return values * grids.signs(grids.even(seven)).reshape(values.shape) * steps[..., None]


TYPE = grids.weight_type(
    "iq3_xxs",
    _TYPE,
    (("d", "<f2"), ("q", "V64"), ("signs", "V32")),
    _split,
    _quantised,
    equation="d (scale + 1/2) / 2 * sign * grid[q], blocks of 256, scales of 32",
    good_for="a smaller iq3_s, with more loss",
    scale_bits=288,
    floats=FloatWords("f16", period=9, first=8),
    values=_values,
    extra_bits=True,
)
