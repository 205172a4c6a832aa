"""q8_0: signed bytes; `s` has a half for each 32 of them."""

from __future__ import annotations

import gguf
import numpy as np

from .. import unpack
from ..gguf_blocks import Form, split_scaled
from ..weight_type import F64, U32, FloatWords, WeightType


def _values(w: U32, s: U32) -> F64:
    return w.view(np.int8).reshape(-1, 32).astype(np.float64) * unpack.halves(s, w.size // 8)[:, None]


TYPE = WeightType(
    "q8_0",
    equation="d q, blocks of 32",
    good_for="half of f16's size, and hardly any loss",
    common=True,
    bits=8,
    block=32,
    scale_bits=16,
    floats=FloatWords("f16"),
    values=_values,
    codes="bytes",
    gguf_form=Form(gguf.GGMLQuantizationType.Q8_0, (("d", "<f2"), ("q", "V32")), split_scaled),
    in_triton=True,
    stands_for="bytes",
)
