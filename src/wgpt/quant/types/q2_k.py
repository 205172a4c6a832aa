"""q2_k: codes of two bits in blocks of 256, each 16 of them with a scale and a minimum of four bits.

A group of `s` is that of 256 weights: 16 bytes of scales (low nibbles) and minima, then d and dmin.
"""

from __future__ import annotations

from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from .. import codebooks, k_quants, unpack
from ..gguf_blocks import Form, two_bits
from ..weight_type import F32, F64, U8, U32, FloatWords, WeightType


def _quantised(blocks: F32) -> U8:
    parts = blocks.reshape(-1, 16, 16)
    wanted = codebooks.best_ranges(blocks.reshape(-1, 16), 3)
    tops = [k_quants.half(each.reshape(-1, 16).max(axis=1) / 15) for each in wanted]
    scales, minima = (
        k_quants.steps(each.reshape(-1, 16), top[:, None], 0, 15) for each, top in zip(wanted, tops, strict=True)
    )
    shifted = parts + (minima * tops[1][:, None])[..., None]
    codes = k_quants.steps(shifted, (scales * tops[0][:, None])[..., None], 0, 3).astype(np.uint8)
    both = scales.astype(np.uint8) | minima.astype(np.uint8) << 4
    return np.concatenate([both, k_quants.two_bits(codes), k_quants.raw(tops[0]), k_quants.raw(tops[1])], axis=1)


def _split(blocks: NDArray[Any], w: U8, s: U8) -> None:
    groups = s.view(np.dtype([("scales", "V16"), ("d", "<f2"), ("dmin", "<f2")]))
    groups["scales"], groups["d"], groups["dmin"] = blocks["scales"], blocks["d"], blocks["dmin"]
    two_bits(blocks, w)


def _values(w: U32, s: U32) -> F64:
    groups = s.reshape(-1, 5)
    scales = np.ascontiguousarray(groups[:, :4]).view(np.uint8)
    d, dmin = unpack.halves(np.ascontiguousarray(groups[:, 4]), 2 * len(groups)).reshape(-1, 2, 1).swapaxes(0, 1)
    codes = unpack.bits(w, 2).reshape(-1, 16, 16).astype(np.float64)
    return codes * (d * (scales & 15))[..., None] - (dmin * (scales >> 4))[..., None]


TYPE = WeightType(
    "q2_k",
    equation="d scale q - dmin minimum, blocks of 256, scales of 16",
    good_for="the largest model that fits; the loss shows",
    bits=2,
    block=256,
    scale_bits=160,
    floats=FloatWords("f16", period=5, first=4),
    values=_values,
    codes="pairs",
    whole_bytes=True,
    gguf_form=Form(
        gguf.GGMLQuantizationType.Q2_K,
        (("scales", "V16"), ("q", "V64"), ("d", "<f2"), ("dmin", "<f2")),
        _split,
        floats=("d", "dmin"),
        quantiser=k_quants.in_slabs(_quantised),
    ),
    offset=True,
    rows_otherwise="q4_0",
    few_cases=True,
    stands_for="pairs of bits",
)
