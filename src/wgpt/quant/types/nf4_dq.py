"""nf4_dq: nf4 with quantised scales (double.py); 4.13 bits a weight."""

from __future__ import annotations

import numpy as np

from .. import double, nf4, unpack
from ..weight_type import F32, F64, U32, FloatWords, WeightType, must_be_finite, nibbles_to_words

_BLOCK = 64


def _planes(rows: F32, means: F32 | None = None) -> tuple[U32, U32]:
    codes, absmax = nf4.quantize(rows, _BLOCK)
    must_be_finite(bool(np.isfinite(absmax).all()), rows, TYPE.name)
    return nibbles_to_words(codes), double.quantize(absmax, means)


def _values(w: U32, s: U32) -> F64:
    codes = unpack.words_to_nibbles(w).reshape(-1, _BLOCK)
    return nf4.CODEBOOK.astype(np.float64)[codes] * double.dequantize(s, len(codes))[:, None]


TYPE = WeightType(
    "nf4_dq",
    equation=f"(scale map[c] + mean) code[q], c in blocks of {_BLOCK}, scale of {double.GROUP} blocks",
    good_for="QLoRA in less memory: nf4 with quantised scales",
    bits=4,
    block=_BLOCK,
    scale_bits=8,
    group=double.GROUP,
    expanded="nf4",
    floats=FloatWords("f32", period=double.HEAD + double.GROUP // 4, count=double.HEAD),
    values=_values,
    codes="table",
    table=tuple(nf4.CODEBOOK),
    planes=_planes,
    block_scales=lambda rows: nf4.absmax(rows, _BLOCK),
    layers_only=True,
    few_cases=True,
    version=1,
)
