"""q3_k: codes of three bits around 4 in blocks of 256, each 16 of them with a scale of six bits around 32.

A group of `s` is that of 256 weights: eight words of third bits, as the fifth bits of five-bit types are
(gguf_blocks.py); the low nibbles of 16 scales; their upper pairs of bits; d, and two bytes of nothing.
"""

from __future__ import annotations

from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from .. import codebooks, k_quants, unpack
from ..gguf_blocks import Form, exchange, sixteen_scales, two_bits, words
from ..weight_type import F32, F64, U8, U32, FloatWords, WeightType


def _nearest(scaled: F32) -> F32:
    return np.clip(np.rint(scaled), -4, 3)


def _quantised(blocks: F32) -> U8:
    parts = blocks.reshape(-1, 16, 16)
    wanted = codebooks.best_scales(blocks.reshape(-1, 16), _nearest, (-4, 3)).reshape(-1, 16)
    largest = np.take_along_axis(wanted, np.abs(wanted).argmax(axis=1, keepdims=True), axis=1)
    d = k_quants.half(largest[:, 0] / np.float32(-32))  # so that the largest scale is -32 exactly
    steps = k_quants.steps(wanted, d[:, None], -32, 31)
    codes = (k_quants.steps(parts, (steps * d[:, None])[..., None], -4, 3) + 4).astype(np.uint8)
    six = (steps + 32).astype(np.uint8)
    low = six[:, :8] & np.uint8(15) | six[:, 8:] << np.uint8(4)
    high = (six >> 4).reshape(-1, 4, 4) << 2 * np.arange(4, dtype=np.uint8)[:, None]
    third = np.packbits(codes.reshape(-1, 8, 32) >> 2, axis=1, bitorder="little").reshape(-1, 32)
    scales = np.concatenate([low, np.bitwise_or.reduce(high, axis=1)], axis=1)
    return np.concatenate([third, k_quants.two_bits(codes & np.uint8(3)), scales, k_quants.raw(d)], axis=1)


def _split(blocks: NDArray[Any], w: U8, s: U8) -> None:
    groups = s.view(np.uint32).reshape(-1, 12)
    # Bit c of byte i is of weight 32 c + i.
    high = words(blocks["high"], np.uint32).T.copy()
    exchange(high, 1)
    groups[:, :8] = high.T
    groups[:, 8:11] = sixteen_scales(blocks["scales"])
    groups[:, 11] = blocks["d"].view(np.uint16)
    two_bits(blocks, w)


def _values(w: U32, s: U32) -> F64:
    groups = s.reshape(-1, 12)
    third = unpack.bits(groups[:, :8], 1).reshape(-1, 16, 16)
    codes = (unpack.bits(w, 2).reshape(-1, 16, 16) | third << 2).astype(np.float64) - 4.0
    at = np.arange(16, dtype=np.uint32)
    low = groups[:, 8:10].repeat(8, axis=1) >> 4 * (at % 8) & 15
    six = (low | (groups[:, 10:11] >> 2 * at & 3) << 4).astype(np.float64)
    return codes * (unpack.low_halves(groups[:, 11])[:, None] * (six - 32.0))[..., None]


TYPE = WeightType(
    "q3_k",
    equation="d (scale - 32) (q - 4), blocks of 256, scales of 16",
    good_for="a large model that does not fit with 4 bits",
    bits=2,
    block=256,
    scale_bits=384,
    floats=FloatWords("f16", period=12, first=11),
    values=_values,
    codes="pairs",
    extra_bits=True,
    whole_bytes=True,
    gguf_form=Form(
        gguf.GGMLQuantizationType.Q3_K,
        (("high", "V32"), ("q", "V64"), ("scales", "V12"), ("d", "<f2")),
        _split,
        quantiser=k_quants.in_slabs(_quantised),
    ),
    rows_otherwise="q4_0",
    few_cases=True,
    stands_for="third bits",
)
