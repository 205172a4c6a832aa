"""mxfp4: floats of four bits (E2M1) in blocks of 32 with a power of two as scale; `s` has a byte for each block."""

from __future__ import annotations

from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from .. import codebooks, k_quants, unpack
from ..gguf_blocks import Form, copy
from ..weight_type import F32, F64, U8, U32, FloatWords, WeightType, must_be_finite

_TABLE = codebooks.E2M1
_BIAS = 128  # of the exponents: one more than E8M0's, for the table has twice the values of E2M1
_ORDER = np.argsort(_TABLE[:15], kind="stable").astype(np.uint8)  # without a second zero
_ORDER = _ORDER[np.append(True, np.diff(_TABLE[_ORDER]) > 0)]
_BETWEEN = (_TABLE[_ORDER][1:] + _TABLE[_ORDER][:-1]) / 2


def _quantised(blocks: F32) -> U8:
    largest = np.abs(blocks).max(axis=1)
    must_be_finite(bool(np.isfinite(largest).all()), blocks, TYPE.name)
    # The largest weight is between 8 and 16, and those beyond 12 become 12, or between 4 and 8: whichever is nearer.
    first = np.where(largest > 0, np.clip(np.frexp(largest)[1] - 4 + _BIAS, 0, 253), 0)
    trials = [_coded(blocks, first + more) for more in range(2)]
    better = trials[1][1] < trials[0][1]
    codes = np.where(better[:, None], trials[1][0], trials[0][0])
    return np.concatenate([(first + better).astype(np.uint8)[:, None], k_quants.pairs(codes, 16)], axis=1)


def _coded(blocks: F32, exponents: NDArray[np.int64]) -> tuple[U8, F64]:
    """The nearest codes, and the sum of squared errors of each block."""
    scaled = np.ldexp(blocks.astype(np.float64), (_BIAS - exponents)[:, None])
    codes = _ORDER[np.searchsorted(_BETWEEN, scaled)]
    return codes, np.ldexp(np.square(_TABLE[codes] - scaled).sum(axis=1), 2 * (exponents - _BIAS))


def _split(blocks: NDArray[Any], w: U8, s: U8) -> None:
    s[:] = blocks["e"]
    copy(w, blocks["q"])


def _values(w: U32, s: U32) -> F64:
    codes = unpack.words_to_nibbles(w).reshape(-1, 32)
    exponents = s.view(np.uint8)[: len(codes)].astype(np.int32) - _BIAS
    return np.ldexp(_TABLE.astype(np.float64)[codes], exponents[:, None])


TYPE = WeightType(
    "mxfp4",
    equation=f"2^(e - {_BIAS}) code[q], blocks of 32",
    good_for="models that were trained with it",
    bits=4,
    block=32,
    scale_bits=8,
    floats=FloatWords("f32", count=0),
    values=_values,
    codes="table",
    whole_bytes=True,
    table=tuple(_TABLE),
    gguf_form=Form(
        gguf.GGMLQuantizationType.MXFP4,
        (("e", "u1"), ("q", "V16")),
        _split,
        floats=(),
        quantiser=k_quants.in_slabs(_quantised, 32),
    ),
    few_cases=True,
    stands_for="small floats",
)
