"""q6_k: codes of six bits around 32 in blocks of 256, each 16 of them with a scale of eight bits.

A group of `s` is that of 256 weights: 16 words of upper bits, 16 bytes of scales, d, and two bytes of nothing.
"""

from __future__ import annotations

from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from .. import k_quants, unpack
from ..gguf_blocks import Form, exchange, nibbles, words
from ..weight_type import F32, F64, U8, U32, FloatWords, WeightType


def _quantised(blocks: F32) -> U8:
    parts = blocks.reshape(-1, 16, 16)
    largest = np.take_along_axis(parts, np.abs(parts).argmax(axis=2, keepdims=True), axis=2)[..., 0]
    steps = largest / np.float32(-32)  # so that the largest magnitude is -32 exactly
    d = k_quants.half(np.abs(steps).max(axis=1) / 127)
    scales = k_quants.steps(steps, d[:, None], -127, 127)
    signed = k_quants.steps(parts, (scales * d[:, None])[..., None], -32, 31)
    codes = (signed + 32).astype(np.uint8).reshape(-1, 256)
    high = (codes >> 4).reshape(-1, 2, 4, 32) << 2 * np.arange(4, dtype=np.uint8)[:, None]
    return np.concatenate(
        [
            k_quants.pairs(codes, 64),
            np.bitwise_or.reduce(high, axis=2).reshape(-1, 64),
            scales.astype(np.int8).view(np.uint8),
            k_quants.raw(d),
        ],
        axis=1,
    )


def _split(blocks: NDArray[Any], w: U8, s: U8) -> None:
    groups = s.view(np.dtype([("high", "<u4", (2, 4, 2)), ("scales", "V16"), ("d", "<f2"), ("none", "<u2")]))
    # In each half, bits 2c and 2c + 1 of byte i are of weight 32 c + i.
    high = words(blocks["high"], np.uint32, 2, 2, 2, 2).transpose(2, 4, 0, 1, 3).reshape(4, -1, 2, 2)
    exchange(high, 2)
    groups["high"] = high.transpose(1, 2, 0, 3)
    groups["scales"], groups["d"], groups["none"] = blocks["scales"], blocks["d"], 0
    # In each half, byte i of 64 has weight i low and weight i + 64 high.
    nibbles(words(blocks["q"], np.uint64, 4, 4), w.view(np.uint64).reshape(-1, 2, 2, 2, 2).transpose(2, 0, 1, 3, 4))


def _values(w: U32, s: U32) -> F64:
    groups = s.reshape(-1, 21)
    pairs = unpack.bits(groups[:, :16], 2).reshape(-1, 2, 2, 2, 4).transpose(0, 2, 1, 3, 4)
    codes = unpack.codes(w, pairs) - 32.0
    scales = np.ascontiguousarray(groups[:, 16:20]).view(np.int8).astype(np.float64)
    d = unpack.halves(np.ascontiguousarray(groups[:, 20]), 2 * len(groups))[::2]
    return codes.reshape(-1, 16, 16) * (scales * d[:, None])[..., None]


TYPE = WeightType(
    "q6_k",
    equation="d scale (q - 32), blocks of 256, scales of 16",
    good_for="little loss; embeddings and heads of smaller models",
    common=True,
    bits=4,
    block=256,
    scale_bits=672,
    floats=FloatWords("f16", period=21, first=20),
    values=_values,
    codes="high",
    whole_bytes=True,
    zero=32,
    gguf_form=Form(
        gguf.GGMLQuantizationType.Q6_K,
        (("q", "V128"), ("high", "V64"), ("scales", "V16"), ("d", "<f2")),
        _split,
        quantiser=k_quants.in_slabs(_quantised),
    ),
    two_scales=True,
    grouped=True,
    rows_otherwise="q8_0",
    few_cases=True,
    stands_for="two scales",
)
