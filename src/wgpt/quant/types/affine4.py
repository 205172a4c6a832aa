"""affine4: codes of 4 bits with a scale and an offset for each 64 (affine.py); 5 bits a weight."""

from __future__ import annotations

import numpy as np

from .. import affine, unpack
from ..weight_type import F64, U32, FloatWords, WeightType


def _values(w: U32, s: U32) -> F64:
    pairs = s.view(np.float32).reshape(-1, 2).astype(np.float64)
    return unpack.codes(w).reshape(-1, affine.BLOCK) * pairs[:, :1] + pairs[:, 1:]


TYPE = WeightType(
    "affine4",
    equation=f"d q + m, blocks of {affine.BLOCK}",
    bits=4,
    block=affine.BLOCK,
    scale_bits=64,
    floats=FloatWords("f32"),
    values=_values,
    codes="nibbles",
    gguf_form=affine.form(4),
    offset=True,
    few_cases=True,
)
