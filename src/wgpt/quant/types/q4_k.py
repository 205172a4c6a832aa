"""q4_k: nibbles in blocks of 256, each 32 of them with a scale and a minimum of six bits.

A group of `s` is that of 256 weights: d and dmin, three words of scales (gguf_blocks.py).
"""

from __future__ import annotations

from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from .. import k_quants, unpack
from ..gguf_blocks import Form, k_nibbles, k_scales
from ..weight_type import F32, F64, U8, U32, FloatWords, WeightType


def _quantised(blocks: F32) -> U8:
    head, codes = k_quants.with_minima(blocks, 15)
    return np.concatenate([head, k_quants.pairs(codes, 32)], axis=1)


def _split(blocks: NDArray[Any], w: U8, s: U8) -> None:
    k_scales(blocks, s.view(np.uint32).reshape(-1, 4))
    k_nibbles(blocks, w)


def _values(w: U32, s: U32) -> F64:
    return unpack.k_scaled(unpack.codes(w), s.reshape(-1, 4))


TYPE = WeightType(
    "q4_k",
    equation="d scale q - dmin minimum, blocks of 256, scales of 32",
    good_for="the usual choice: a quarter of f16's size, small loss",
    common=True,
    bits=4,
    block=256,
    scale_bits=128,
    floats=FloatWords("f16", period=4),
    values=_values,
    codes="nibbles",
    gguf_form=Form(
        gguf.GGMLQuantizationType.Q4_K,
        (("d", "<f2"), ("dmin", "<f2"), ("scales", "V12"), ("q", "V128")),
        _split,
        floats=("d", "dmin"),
        quantiser=k_quants.in_slabs(_quantised),
    ),
    offset=True,
    grouped=True,
    scale_vec4=True,
    rows_otherwise="q5_0",
    few_cases=True,
    stands_for="groups of scales",
)
