"""f32: weights as they are."""

from __future__ import annotations

import gguf
import numpy as np

from ..weight_type import F32, F64, U32, FloatWords, Plain, WeightType


def _planes(rows: F32) -> tuple[U32, U32]:
    return rows.view(np.uint32), np.zeros(0, np.uint32)


def _values(w: U32, s: U32) -> F64:
    return w.view(np.float32).astype(np.float64)


TYPE = WeightType(
    "f32",
    equation="as stored",
    good_for="as a reference; twice f16's size",
    bits=32,
    floats=FloatWords("f32"),
    values=_values,
    codes="floats",
    plain=Plain(gguf.GGMLQuantizationType.F32, np.dtype("<f4")),
    planes=_planes,
    in_triton=True,
)
