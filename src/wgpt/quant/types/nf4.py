"""nf4: codes of QLoRA's table in blocks of 64, as bitsandbytes has them, for the linear layers of blocks; `s` has the
largest magnitude of each block (f32). 4.5 bits a weight."""

from __future__ import annotations

import numpy as np

from .. import nf4, unpack
from ..weight_type import F32, F64, U32, FloatWords, WeightType, must_be_finite, nibbles_to_words

_BLOCK = 64


def _planes(rows: F32) -> tuple[U32, U32]:
    codes, absmax = nf4.quantize(rows, _BLOCK)
    must_be_finite(bool(np.isfinite(absmax).all()), rows, TYPE.name)
    return nibbles_to_words(codes), absmax.view(np.uint32)


def _values(w: U32, s: U32) -> F64:
    codes = unpack.words_to_nibbles(w).reshape(-1, _BLOCK)
    return nf4.CODEBOOK.astype(np.float64)[codes] * s.view(np.float32).astype(np.float64)[:, None]


TYPE = WeightType(
    "nf4",
    equation=f"absmax code[q], blocks of {_BLOCK}",
    bits=4,
    block=_BLOCK,
    scale_bits=32,
    floats=FloatWords("f32"),
    values=_values,
    codes="table",
    table=tuple(nf4.CODEBOOK),
    planes=_planes,
    layers_only=True,
    stands_for="table",
)
