"""q4_0: nibbles around 8; `s` has a half for each 32 of them."""

from __future__ import annotations

import gguf

from .. import unpack
from ..gguf_blocks import Form, split_scaled
from ..weight_type import F64, U32, FloatWords, WeightType


def _values(w: U32, s: U32) -> F64:
    return (unpack.codes(w) - 8.0) * unpack.halves(s, w.size // 4)[:, None]


TYPE = WeightType(
    "q4_0",
    equation="d (q - 8), blocks of 32",
    good_for="a smaller q4_1, with more loss",
    bits=4,
    block=32,
    scale_bits=16,
    floats=FloatWords("f16"),
    values=_values,
    codes="nibbles",
    gguf_form=Form(gguf.GGMLQuantizationType.Q4_0, (("d", "<f2"), ("q", "V16")), split_scaled),
    offset=True,  # -8 d
    short_code=True,
    in_triton=True,
    stands_for="nibbles around zero",
)
