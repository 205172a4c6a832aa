"""f16: halves."""

from __future__ import annotations

import gguf
import numpy as np

from ..weight_type import F32, F64, U32, FloatWords, Plain, WeightType


def _planes(rows: F32) -> tuple[U32, U32]:
    halves = rows.astype(np.float16)
    if (np.isinf(halves) & np.isfinite(rows)).any():
        raise ValueError(f"weights of up to {np.abs(rows).max():g} do not fit f16 (at most 65504): use bf16 or f32")
    return halves.view(np.uint32), np.zeros(0, np.uint32)


def _values(w: U32, s: U32) -> F64:
    return w.view(np.float16).astype(np.float64)


TYPE = WeightType(
    "f16",
    equation="as stored, widened",
    good_for="what many models are stored in",
    common=True,
    bits=16,
    floats=FloatWords("f16"),
    values=_values,
    codes="floats",
    plain=Plain(gguf.GGMLQuantizationType.F16, np.dtype("<f2")),
    planes=_planes,
    native_halves=True,
    in_triton=True,
)
