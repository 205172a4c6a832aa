"""iq4_xs: iq4_nl's codes in blocks of 256, each 32 of them with a scale of six bits around 32.

A group of `s` is that of 256 weights: d and the upper pairs of bits of eight scales, then their low nibbles.
"""

from __future__ import annotations

from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from .. import codebooks, k_quants, unpack
from ..gguf_blocks import Form, copy
from ..weight_type import F32, F64, U8, U32, FloatWords, WeightType

_TABLE = codebooks.NON_LINEAR
_AT = np.arange(8, dtype=np.uint32)


def _quantised(blocks: F32) -> U8:
    parts = blocks.reshape(-1, 8, 32)
    wanted = codebooks.best_scales(parts.reshape(-1, 32), codebooks.non_linear, (-127, 113)).reshape(-1, 8)
    largest = np.take_along_axis(wanted, np.abs(wanted).argmax(axis=1, keepdims=True), axis=1)
    d = k_quants.half(largest[:, 0] / np.float32(-32))  # so that the largest scale is -32 exactly
    steps = k_quants.steps(wanted, d[:, None], -32, 31)
    codes = codebooks.nearest(codebooks.divided(parts, (steps * d[:, None])[..., None]))
    six = (steps + 32).astype(np.uint8)
    high = ((six >> 4).astype(np.uint16) << 2 * _AT.astype(np.uint16)).sum(axis=1, dtype=np.uint16)
    low = six[:, ::2] & np.uint8(15) | six[:, 1::2] << np.uint8(4)
    return np.concatenate([k_quants.raw(d), high[:, None].view(np.uint8), low, k_quants.pairs(codes, 16)], axis=1)


def _split(blocks: NDArray[Any], w: U8, s: U8) -> None:
    groups = s.view(np.dtype([("d", "<f2"), ("high", "<u2"), ("low", "V4")]))
    groups["d"], groups["high"], groups["low"] = blocks["d"], blocks["high"], blocks["low"]
    copy(w, blocks["q"])


def _values(w: U32, s: U32) -> F64:
    codes = unpack.words_to_nibbles(w).reshape(-1, 8, 32)
    groups = s.reshape(-1, 2)
    six = (groups[:, 1:] >> 4 * _AT & 15) | (groups[:, :1] >> 16 + 2 * _AT & 3) << 4
    d = unpack.low_halves(groups[:, 0])
    return _TABLE.astype(np.float64)[codes] * (d[:, None] * (six.astype(np.float64) - 32.0))[..., None]


TYPE = WeightType(
    "iq4_xs",
    equation="d (scale - 32) code[q], blocks of 256, scales of 32",
    good_for="a smaller q4_k, best with an importance matrix",
    bits=4,
    block=256,
    scale_bits=64,
    floats=FloatWords("f16_low", period=2),
    values=_values,
    codes="table",
    whole_bytes=True,
    table=tuple(_TABLE),
    gguf_form=Form(
        gguf.GGMLQuantizationType.IQ4_XS,
        (("d", "<f2"), ("high", "<u2"), ("low", "V4"), ("q", "V128")),
        _split,
        quantiser=k_quants.in_slabs(_quantised),
    ),
    grouped=True,
    rows_otherwise="iq4_nl",
    few_cases=True,
)
