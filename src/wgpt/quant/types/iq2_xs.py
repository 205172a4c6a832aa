"""iq2_xs: eight weights are an entry of a grid of 512 and seven signs, each 16 of them with a scale of four bits.

A word of `w` is 16 weights: twice nine bits of entry and seven of signs. A group of `s`, after the grid, is that of 256
weights: 16 scales, d, and two bytes of nothing.
"""

from __future__ import annotations

from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from .. import grids, k_quants, unpack
from ..gguf_blocks import copy
from ..weight_type import F32, F64, U8, U32, FloatWords

_TYPE = gguf.GGMLQuantizationType.IQ2_XS


def _quantised(blocks: F32) -> U8:
    groups = blocks.reshape(-1, 16)
    d, scales = grids.stepped(grids.quantised(groups, _TYPE, evenly=True).reshape(-1, 16), 0.125, 0.25)
    final = (d[:, None] * (0.125 + 0.25 * scales.astype(np.float32))).reshape(-1)
    index, signs = grids.nearest(groups, final, _TYPE, evenly=True)
    words = index.astype("<u2") | (signs & np.uint8(127)).astype("<u2") << 9
    codes = words.view(np.uint8).reshape(len(blocks), 64)
    return np.concatenate([k_quants.raw(d), codes, grids.nibbles(scales)], axis=1)


def _split(blocks: NDArray[Any], w: U8, s: U8) -> None:
    groups = s.view(np.dtype([("scales", "V8"), ("d", "<f2"), ("none", "<u2")]))
    groups["scales"], groups["d"], groups["none"] = blocks["scales"], blocks["d"], 0
    copy(w, blocks["q"])


def _values(w: U32, s: U32) -> F64:
    pairs = w.view(np.uint16)
    signs = grids.signs(grids.even(pairs >> 9))
    groups = s.reshape(-1, 3)
    scales = unpack.nibbles(groups[:, :2]).astype(np.float64)
    steps = unpack.low_halves(groups[:, 2])[:, None] * (0.5 + scales) * 0.25
    return (grids.entries(_TYPE)[pairs & 511] * signs).reshape(-1, 16, 16) * steps[..., None]


TYPE = grids.weight_type(
    "iq2_xs",
    _TYPE,
    (("d", "<f2"), ("q", "V64"), ("scales", "V8")),
    _split,
    _quantised,
    equation="d (scale + 1/2) / 4 * sign * grid[q], blocks of 256, scales of 16",
    good_for="a smaller iq2_s, with more loss",
    scale_bits=96,
    floats=FloatWords("f16", period=3, first=2),
    values=_values,
    with_signs=True,
    version=1,
)
