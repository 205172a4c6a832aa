"""iq2_s: eight weights are an entry of a grid of 1024 and eight signs, each 16 of them with a scale of four bits.

A word of `w` is 16 weights: the low bytes of two entries, then their signs. A group of `s`, after the grid, is that of
256 weights: the upper pairs of bits of 32 entries, 16 scales, d, and two bytes of nothing.
"""

from __future__ import annotations

from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from .. import grids, k_quants, unpack
from ..weight_type import F32, F64, U8, U32, FloatWords

_TYPE = gguf.GGMLQuantizationType.IQ2_S


def _quantised(blocks: F32) -> U8:
    groups = blocks.reshape(-1, 16)
    d, scales = grids.stepped(grids.quantised(groups, _TYPE, evenly=False).reshape(-1, 16), 0.125, 0.25)
    final = (d[:, None] * (0.125 + 0.25 * scales.astype(np.float32))).reshape(-1)
    index, signs = grids.nearest(groups, final, _TYPE, evenly=False)
    low = (index & 255).astype(np.uint8).reshape(len(blocks), 32)
    upper = (index >> 8).astype(np.uint8).reshape(len(blocks), 8, 4) << 2 * np.arange(4, dtype=np.uint8)
    high = np.bitwise_or.reduce(upper, axis=2)
    parts = [k_quants.raw(d), low, signs.reshape(len(blocks), 32), high, grids.nibbles(scales)]
    return np.concatenate(parts, axis=1)


def _split(blocks: NDArray[Any], w: U8, s: U8) -> None:
    groups = s.view(np.dtype([("high", "V8"), ("scales", "V8"), ("d", "<f2"), ("none", "<u2")]))
    groups["high"], groups["scales"], groups["d"], groups["none"] = blocks["high"], blocks["scales"], blocks["d"], 0
    words = w.view("<u2").reshape(-1, 16, 2)
    for i, name in enumerate(("q", "signs")):
        words[..., i] = np.ascontiguousarray(blocks[name]).view("<u2").reshape(-1, 16)


def _values(w: U32, s: U32) -> F64:
    raw = w.view(np.uint8).reshape(-1, 16, 2, 2)
    groups = s.reshape(-1, 5)
    four = unpack.nibbles(groups[:, :2])
    index = raw[:, :, 0] | np.stack([four & 3, four >> 2], axis=2).astype(np.uint16) << 8
    scales = unpack.nibbles(groups[:, 2:4]).astype(np.float64)
    steps = unpack.low_halves(groups[:, 4])[:, None] * (0.5 + scales) * 0.25
    values = grids.entries(_TYPE)[index] * grids.signs(raw[:, :, 1])
    return values.reshape(-1, 16, 16) * steps[..., None]


TYPE = grids.weight_type(
    "iq2_s",
    _TYPE,
    (("d", "<f2"), ("q", "V32"), ("signs", "V32"), ("high", "V8"), ("scales", "V8")),
    _split,
    _quantised,
    equation="d (scale + 1/2) / 4 * sign * grid[q], blocks of 256, scales of 16",
    good_for="as q2_k with less loss, given an importance matrix",
    scale_bits=160,
    floats=FloatWords("f16", period=5, first=4),
    values=_values,
    extra_bits=True,
    version=1,
)
