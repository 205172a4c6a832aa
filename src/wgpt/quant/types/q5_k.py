"""q5_k: codes of five bits in blocks of 256, each 32 of them with a scale and a minimum of six bits.

A group of `s` is that of 256 weights: as q4_k's, then the fifth bits of eight chunks.
"""

from __future__ import annotations

from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from .. import k_quants, unpack
from ..gguf_blocks import Form, exchange, k_nibbles, k_scales, words
from ..weight_type import F32, F64, U8, U32, FloatWords, WeightType


def _quantised(blocks: F32) -> U8:
    head, codes = k_quants.with_minima(blocks, 31)
    high = np.packbits(codes.reshape(-1, 8, 32) >> 4, axis=1, bitorder="little").reshape(-1, 32)
    return np.concatenate([head, high, k_quants.pairs(codes, 32)], axis=1)


def _split(blocks: NDArray[Any], w: U8, s: U8) -> None:
    groups = s.view(np.uint32).reshape(-1, 12)
    k_scales(blocks, groups)
    # Bit c of byte i is of weight 32 c + i.
    high = words(blocks["high"], np.uint32).T.copy()
    exchange(high, 1)
    groups[:, 4:] = high.T
    k_nibbles(blocks, w)


def _values(w: U32, s: U32) -> F64:
    groups = s.reshape(-1, 12)
    return unpack.k_scaled(unpack.codes(w, unpack.bits(groups[:, 4:], 1)), groups)


TYPE = WeightType(
    "q5_k",
    equation="d scale q - dmin minimum, blocks of 256, scales of 32",
    good_for="between q4_k and q6_k",
    bits=4,
    block=256,
    scale_bits=384,
    floats=FloatWords("f16", period=12),
    values=_values,
    codes="high",
    whole_bytes=True,
    gguf_form=Form(
        gguf.GGMLQuantizationType.Q5_K,
        (("d", "<f2"), ("dmin", "<f2"), ("scales", "V12"), ("high", "V32"), ("q", "V128")),
        _split,
        floats=("d", "dmin"),
        quantiser=k_quants.in_slabs(_quantised),
    ),
    offset=True,
    grouped=True,
    rows_otherwise="q5_1",
    few_cases=True,
    stands_for="fifth bits",
)
