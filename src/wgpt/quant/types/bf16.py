"""bf16: the upper half of an f32."""

from __future__ import annotations

import gguf
import numpy as np

from ...gpu import dtypes
from ..weight_type import F32, F64, U32, FloatWords, Plain, WeightType


def _planes(rows: F32) -> tuple[U32, U32]:
    return dtypes.to_bf16(rows).view(np.uint32), np.zeros(0, np.uint32)


def _values(w: U32, s: U32) -> F64:
    return dtypes.from_bf16(w.view(np.uint16)).astype(np.float64)


TYPE = WeightType(
    "bf16",
    equation="bits << 16",
    good_for="what most recent models are stored in; f16's size",
    bits=16,
    floats=FloatWords("bf16"),
    values=_values,
    codes="floats",
    plain=Plain(gguf.GGMLQuantizationType.BF16, np.dtype("<u2")),
    planes=_planes,
    in_triton=True,
)
