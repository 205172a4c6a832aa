"""q4_1: nibbles; `s` has a scale and a minimum, both halves, for each 32 of them."""

from __future__ import annotations

import gguf

from .. import unpack
from ..gguf_blocks import Form, split_scaled
from ..weight_type import F64, U32, FloatWords, WeightType


def _values(w: U32, s: U32) -> F64:
    pairs = unpack.halves(s, w.size // 2).reshape(-1, 2)
    return unpack.codes(w) * pairs[:, :1] + pairs[:, 1:]


TYPE = WeightType(
    "q4_1",
    equation="d q + m, blocks of 32",
    good_for="as q4_k, where rows are not a multiple of 256",
    common=True,
    bits=4,
    block=32,
    scale_bits=32,
    floats=FloatWords("f16"),
    values=_values,
    codes="nibbles",
    gguf_form=Form(
        gguf.GGMLQuantizationType.Q4_1, (("d", "<f2"), ("m", "<f2"), ("q", "V16")), split_scaled, floats=("d", "m")
    ),
    offset=True,
    short_code=True,
    in_triton=True,
    stands_for="nibbles",
)
