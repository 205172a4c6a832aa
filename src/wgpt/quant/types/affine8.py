"""affine8: codes of 8 bits with a scale and an offset for each 64 (affine.py); 9 bits a weight."""

from __future__ import annotations

import numpy as np

from .. import affine
from ..weight_type import F64, U32, FloatWords, WeightType


def _values(w: U32, s: U32) -> F64:
    pairs = s.view(np.float32).reshape(-1, 2).astype(np.float64)
    return w.view(np.int8).reshape(-1, affine.BLOCK) * pairs[:, :1] + pairs[:, 1:]


TYPE = WeightType(
    "affine8",
    equation=f"d q + m, blocks of {affine.BLOCK}",
    bits=8,
    block=affine.BLOCK,
    scale_bits=64,
    floats=FloatWords("f32"),
    values=_values,
    codes="bytes",
    gguf_form=affine.form(8),
    offset=True,
    few_cases=True,
)
