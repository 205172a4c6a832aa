"""q6_a, a made-up weight type: codes of six bits with a scale and a minimum (both f16) for each 32 weights.

Its planes: `w` has the low four bits of the codes; a group of `s` is that of 32 weights, three words: the upper two
bits of the codes in two words, then scale and minimum. 7 bits a weight.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wgpt.quant import unpack
from wgpt.quant.weight_type import FloatWords, WeightType, must_be_finite, nibbles_to_words
from wgpt.quant.weights import register

U32 = NDArray[np.uint32]
_BLOCK = 32
# Upper bits of weight 16 a + 8 b + 4 c + e: bits 4 a + 2 c of byte e of word b, where _high.wgsl looks for them.
_ORDER = (0, 2, 1, 3, 4)  # of (block, a, b, c, e) for (block, b, a, c, e), and back again
_SHIFTS = np.array([[0, 2], [4, 6]], np.uint8)[:, :, None]  # by a and c


def _planes(rows: NDArray[np.float32]) -> tuple[U32, U32]:
    """Rows of whole blocks into `w` and `s`."""
    blocks = rows.reshape(-1, _BLOCK)
    minimum = blocks.min(axis=1)
    pairs = np.stack([(blocks.max(axis=1) - minimum) / 63, minimum], axis=1).astype(np.float16)
    must_be_finite(bool(np.isfinite(pairs).all()), rows, TYPE.name)
    scale, minimum = pairs.astype(np.float32).T[:, :, None]
    steps = np.divide(blocks - minimum, scale, out=np.zeros_like(blocks), where=scale > 0)
    codes = np.clip(np.rint(steps), 0, 63).astype(np.uint8)
    upper = (codes >> 4).reshape(-1, 2, 2, 2, 4).transpose(_ORDER) << _SHIFTS
    high = np.bitwise_or.reduce(upper, axis=(2, 3)).reshape(-1, 8)  # two words for each block
    s = np.concatenate([high.view(np.uint32), pairs.view(np.uint32)], axis=1)
    return nibbles_to_words(codes & 15), s.reshape(-1)


def _values(w: U32, s: U32) -> NDArray[np.float64]:
    """The reference values that the kernels must reproduce."""
    groups = s.reshape(-1, 3)
    upper = unpack.bits(groups[:, :2], 2).reshape(-1, 2, 2, 2, 4).transpose(_ORDER)
    pairs = unpack.halves(np.ascontiguousarray(groups[:, 2]), 2 * len(groups)).reshape(-1, 2)
    return unpack.codes(w, upper) * pairs[:, :1] + pairs[:, 1:]


TYPE = WeightType(
    "q6_a",
    equation="d q + m, blocks of 32",
    bits=4,
    block=_BLOCK,
    scale_bits=96,
    floats=FloatWords("f16", period=3, first=2),
    values=_values,
    codes="high",
    offset=True,
    planes=_planes,
    few_cases=True,
    shader=Path(__file__).with_suffix(".wgsl"),
    version=1,
)


def add() -> WeightType:
    """From now on, `wgpt.load(..., dtype="q6_a")` works, and `wgpt.contracts` has its rows."""
    return register(TYPE)
