"""iq4_nl: nibbles that stand for values of a table, denser around zero; `s` has a half for each 32 of them."""

from __future__ import annotations

import gguf
import numpy as np

from .. import codebooks, k_quants, unpack
from ..gguf_blocks import Form, split_scaled
from ..weight_type import F32, F64, U8, U32, FloatWords, WeightType

_TABLE = codebooks.NON_LINEAR


def _quantised(blocks: F32) -> U8:
    d = k_quants.half(codebooks.best_scales(blocks, codebooks.non_linear, (-127, 113)))
    codes = codebooks.nearest(codebooks.divided(blocks, d[:, None]))
    return np.concatenate([k_quants.raw(d), k_quants.pairs(codes, 16)], axis=1)


def _values(w: U32, s: U32) -> F64:
    codes = unpack.words_to_nibbles(w).reshape(-1, 32)
    return _TABLE.astype(np.float64)[codes] * unpack.halves(s, len(codes))[:, None]


TYPE = WeightType(
    "iq4_nl",
    equation="d code[q], blocks of 32",
    good_for="as iq4_xs, where rows are not a multiple of 256",
    bits=4,
    block=32,
    scale_bits=16,
    floats=FloatWords("f16"),
    values=_values,
    codes="table",
    whole_bytes=True,
    table=tuple(_TABLE),
    gguf_form=Form(
        gguf.GGMLQuantizationType.IQ4_NL,
        (("d", "<f2"), ("q", "V16")),
        split_scaled,
        quantiser=k_quants.in_slabs(_quantised, 32),
    ),
    few_cases=True,
)
