"""q5_1: codes of five bits; a group of `s` is that of 32 weights: fifth bits, then scale and minimum, both halves."""

from __future__ import annotations

from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from .. import unpack
from ..gguf_blocks import Form, bits_in_quads, copy
from ..weight_type import F64, U8, U32, FloatWords, WeightType


def _split(blocks: NDArray[Any], w: U8, s: U8) -> None:
    groups = s.view(np.dtype([("high", "<u4"), ("d", "<f2"), ("m", "<f2")]))
    groups["high"], groups["d"], groups["m"] = bits_in_quads(blocks["high"]), blocks["d"], blocks["m"]
    copy(w, blocks["q"])


def _values(w: U32, s: U32) -> F64:
    groups = s.reshape(-1, 2)
    pairs = unpack.halves(np.ascontiguousarray(groups[:, 1]), 2 * len(groups)).reshape(-1, 2)
    return unpack.codes(w, unpack.bits(groups[:, 0], 1)) * pairs[:, :1] + pairs[:, 1:]


TYPE = WeightType(
    "q5_1",
    equation="d q + m, blocks of 32",
    good_for="as q5_k, where rows are not a multiple of 256",
    bits=4,
    block=32,
    scale_bits=64,
    floats=FloatWords("f16", period=2, first=1),
    values=_values,
    codes="high",
    whole_bytes=True,
    gguf_form=Form(
        gguf.GGMLQuantizationType.Q5_1,
        (("d", "<f2"), ("m", "<f2"), ("high", "<u4"), ("q", "V16")),
        _split,
        floats=("d", "m"),
    ),
    offset=True,
    few_cases=True,
)
