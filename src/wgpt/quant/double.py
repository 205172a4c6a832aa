"""Double quantisation of NF4's scales, as bitsandbytes has it: less their mean, in 8 bits, in groups of 256.

The mean is that of all scales of a matrix, and groups begin with the matrix: matrices that are joined must end with
whole groups, so that each keeps its own. Experts are always one after the other: if they do not end with whole groups,
their quantised scales are stored as f32, in another type (`expanded` of a WeightType).

A code of 8 bits stands for a value from -1 to 1 of the *dynamic map*: 127 is zero, 255 is one, and the codes up and
down from 127 are 1, 2, 4 .. 64 equal steps of the intervals from 10^-7 to 10^-6, .. from 0.1 to 1.

In the plane `s`, each group is a word for its scale and one for the mean (both f32), then its codes, four to a word.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

GROUP = 256
HEAD = 2  # words of a group before its codes
F32 = NDArray[np.float32]


def _dynamic_map() -> F32:
    above = [
        10.0 ** (i - 6) * (0.1 + 0.9 * (np.arange(1 << i) + 0.5) / (1 << i))  # the middles of the steps
        for i in range(7)
    ]
    positive = np.concatenate(above)
    return np.concatenate([-positive[::-1], [0.0], positive, [1.0]]).astype(np.float32)


DYNAMIC = _dynamic_map()
_BETWEEN = (DYNAMIC[1:] + DYNAMIC[:-1]) / 2


def quantize(absmax: F32, means: F32 | None = None) -> NDArray[np.uint32]:
    """The plane `s` of the scales of all blocks. `means`: the mean of the matrix that each group is of, if these blocks
    are not those of one whole matrix."""
    groups = -(-absmax.size // GROUP)
    if means is None:
        means = np.full(groups, absmax.mean(dtype=np.float64), np.float32)
    rest = np.zeros((groups, GROUP), np.float32)
    rest.reshape(-1)[: absmax.size] = absmax - np.repeat(means, GROUP)[: absmax.size]
    scales = np.abs(rest).max(axis=1)
    scaled = rest / np.where(scales > 0, scales, np.float32(1))[:, None]
    words = np.zeros((groups, HEAD + GROUP // 4), np.uint32)
    words[:, 0], words[:, 1] = scales.view(np.uint32), means.view(np.uint32)
    words[:, HEAD:] = np.searchsorted(_BETWEEN, scaled).astype(np.uint8).view(np.uint32)
    return words.reshape(-1)[: words_for(absmax.size)]


def dequantize(words: NDArray[np.uint32], blocks: int) -> NDArray[np.float64]:
    """The scales of all blocks as float64."""
    groups = -(-blocks // GROUP)
    whole = np.zeros((groups, HEAD + GROUP // 4), np.uint32)
    whole.reshape(-1)[: words_for(blocks)] = words[: words_for(blocks)]
    scale, mean = (np.ascontiguousarray(whole[:, i]).view(np.float32).astype(np.float64) for i in range(2))
    codes = np.ascontiguousarray(whole[:, HEAD:]).view(np.uint8)
    values = DYNAMIC.astype(np.float64)[codes] * scale[:, None] + mean[:, None]
    return values.reshape(-1)[:blocks]


def words_for(blocks: int) -> int:
    """The words of the plane: the last group ends with its last code."""
    return HEAD * -(-blocks // GROUP) + -(-blocks // 4)
