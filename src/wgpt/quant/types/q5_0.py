"""q5_0: codes of five bits around 16, in blocks of 32 with a half as scale.

A group of `s` is that of 64 weights: fifth bits twice, then two halves d.
"""

from __future__ import annotations

from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from .. import unpack
from ..gguf_blocks import Form, bits_in_quads, copy
from ..weight_type import F64, U8, U32, FloatWords, WeightType


def _split(blocks: NDArray[Any], w: U8, s: U8) -> None:
    groups = s.view(np.dtype([("high", "<u4", 2), ("d", "<u2", 2)]))
    groups["high"] = bits_in_quads(blocks["high"]).reshape(-1, 2)
    groups["d"] = blocks["d"].view(np.uint16).reshape(-1, 2)
    copy(w, blocks["q"])


def _values(w: U32, s: U32) -> F64:
    groups = s.reshape(-1, 3)
    d = unpack.halves(np.ascontiguousarray(groups[:, 2]), 2 * len(groups))
    return (unpack.codes(w, unpack.bits(groups[:, :2], 1)) - 16.0) * d[:, None]


TYPE = WeightType(
    "q5_0",
    equation="d (q - 16), blocks of 32",
    good_for="a smaller q5_1",
    bits=4,
    block=64,
    scale_bits=96,
    floats=FloatWords("f16", period=3, first=2),
    values=_values,
    codes="high",
    whole_bytes=True,
    zero=16,
    gguf_form=Form(gguf.GGMLQuantizationType.Q5_0, (("d", "<f2"), ("high", "<u4"), ("q", "V16")), _split),
    few_cases=True,
)
