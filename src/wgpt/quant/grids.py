"""What the IQ2 and IQ3 types share: magnitudes of eight or four weights are one entry of a grid, signs are apart.

A grid is an additional plane at the front of `s` in GPU memory (WeightType.head), a word for each entry: the four
bytes of an IQ3 grid, or of an IQ2 grid, whose eight magnitudes are 8, 25 and 43: of the bits that tell them apart,
those of weight e are in byte e, and those of weight e + 4 two bits above.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import gguf
import numpy as np
from numpy.typing import NDArray

from . import k_quants
from .codebooks import divided
from .gguf_blocks import Form, Split
from .weight_type import F32, F64, U8, U32, WeightType

_OWN_BITS = np.uint8(0x33)  # bits in which 8, 25 and 43 differ; those of 8 are in all of them
_TRIALS = np.array(
    [0.8, 0.9, 1.0, 1.1, 1.25], np.float32
)  # trial factors of the scale that maps the largest weight to the last value
_CANDIDATES = 6
_BITS = np.arange(8, dtype=np.uint8)
_PARITY = np.array([bin(i).count("1") & 1 for i in range(128)], np.uint8)


def weight_type(
    name: str,
    kind: gguf.GGMLQuantizationType,
    fields: tuple[tuple[str, str], ...],
    split: Split,
    quantised: Callable[[F32], U8],
    *,
    with_signs: bool = False,
    **facts: Any,
) -> WeightType:
    """A type with a grid, in blocks of 256 weights; `fields` are those of GGUF's block, `facts` those of this type."""
    return WeightType(
        name,
        bits=2,
        block=256,
        codes="grid",
        whole_bytes=True,
        head=words(kind, with_signs=with_signs),
        gguf_form=Form(kind, fields, split, quantiser=k_quants.in_slabs(quantised)),
        rows_otherwise="iq4_nl",
        few_cases=True,
        **facts,
    )


@cache
def entries(kind: gguf.GGMLQuantizationType) -> U8:
    """Magnitudes, [entries, 8 or 4]."""
    quant: Any = getattr(gguf.quants, kind.name)
    quant.init_grid()
    grid: U8 = quant.grid.reshape(quant.grid_shape).astype(np.uint8)
    grid.setflags(write=False)
    return grid


@cache
def words(kind: gguf.GGMLQuantizationType, *, with_signs: bool = False) -> U32:
    """The grid as it is in GPU memory.

    with_signs: the signs of eight weights by seven of them follow, 128 words: bit 0 of byte e is of weight e, bit 1 of
    weight e + 4.
    """
    grid = entries(kind)
    if grid.shape[1] == 8:
        own = grid & _OWN_BITS
        grid = own[:, :4] | own[:, 4:] << np.uint8(2)
    if with_signs:
        bits = even(np.arange(128))[:, None] >> _BITS & np.uint8(1)
        grid = np.concatenate([grid, bits[:, :4] | bits[:, 4:] << np.uint8(1)])
    table = np.ascontiguousarray(grid).view("<u4").reshape(-1)
    table.setflags(write=False)
    return table


def signs(eight: NDArray[Any]) -> F64:
    """-1 where a bit is set: [..., 8] from bytes [...]."""
    return 1.0 - 2.0 * (eight[..., None] >> _BITS.astype(eight.dtype) & eight.dtype.type(1)).astype(np.float64)


def even(seven: NDArray[Any]) -> U8:
    """The eight signs from seven stored ones: the number of minus signs is even."""
    low = seven.astype(np.uint8)
    return low | _PARITY[low] << np.uint8(7)


# Quantising -------------------------------------------------------------------------------------------------------


def quantised(groups: F32, kind: gguf.GGMLQuantizationType, evenly: bool) -> F32:
    """For groups [G, n] of weights, the best of a few trial scales for the nearest entries."""
    grid = entries(kind)
    largest = np.abs(groups).max(axis=1)
    best, gains = np.zeros(len(groups)), np.full(len(groups), -1.0)
    for trial in _TRIALS:
        scale = largest / (np.float32(grid.max()) * trial)
        index, sign = nearest(groups, scale, kind, evenly)
        values = grid[index].reshape(groups.shape) * signs(sign).reshape(groups.shape)
        both, norm = ((values * other).sum(axis=1) for other in (groups, values))
        gain = divided(both * np.abs(both), norm)
        better = gain > gains
        best, gains = np.where(better, divided(both, norm), best), np.where(better, gain, gains)
    return np.where(np.isfinite(largest), np.maximum(best, 0), largest).astype(np.float32)


def nearest(groups: F32, scale: F32, kind: gguf.GGMLQuantizationType, evenly: bool) -> tuple[NDArray[np.intp], U8]:
    """Entries, and signs of each eight weights in a byte, nearest to weights / scale (of the likely candidates).

    evenly: with an even number of minus signs in each eight: where it is odd, the smallest weight changes its sign.
    """
    scaled = divided(groups, scale[:, None]).reshape(-1, 8)
    negative = scaled < 0
    magnitude = np.abs(scaled)
    if evenly:
        odd = negative.sum(axis=1) % 2 == 1
        rows = np.flatnonzero(odd)
        smallest = magnitude[rows].argmin(axis=1)
        negative[rows, smallest] ^= True
        magnitude[rows, smallest] *= -1
    levels, near, places = _by_levels(kind)
    rounded = np.zeros(magnitude.shape, np.uint8)
    for between in (levels[1:] + levels[:-1]) / 2:
        rounded += magnitude > between
    candidates = near[rounded.reshape(-1, len(places)) @ places]
    x, table = magnitude.reshape(-1, len(places)), entries(kind).astype(np.float32)
    errors = [np.square(table[entry] - x).sum(axis=1, dtype=np.float64) for entry in candidates.T]
    chosen = np.argmin(errors, axis=0)
    return candidates[np.arange(len(x)), chosen], np.packbits(negative, axis=1, bitorder="little")[:, 0]


@cache
def _by_levels(kind: gguf.GGMLQuantizationType) -> tuple[F32, NDArray[np.intp], NDArray[np.intp]]:
    """The magnitudes that a grid has; for each combination of them, the nearest entries; and the place of each of its
    digits in the number of a combination. Many times as fast as a search among all entries, and nearly as good."""
    grid = entries(kind).astype(np.int64)
    levels = np.unique(grid)
    count = grid.shape[1]
    places = len(levels) ** np.arange(count)
    points = levels[np.arange(len(levels) ** count)[:, None] // places % len(levels)]
    distances = (grid * grid).sum(axis=1) - 2 * points @ grid.T
    near = distances.argsort(axis=1, kind="stable")[:, :_CANDIDATES]
    return levels.astype(np.float32), near, places


def stepped(wanted: F32, first: float, step: float) -> tuple[F32, U8]:
    """d (of halves) and codes of four bits so that d (first + step code) is near the wanted scales [B, n]."""
    d = (wanted.max(axis=1) / np.float32(first + 15 * step)).astype(np.float16).astype(np.float32)
    steps = np.rint((divided(wanted, d[:, None]) - np.float32(first)) / np.float32(step))
    return d, np.clip(np.nan_to_num(steps), 0, 15).astype(np.uint8)


def nibbles(codes: U8) -> U8:
    """Pack pairs of codes into bytes, the first in the low nibble."""
    return codes[:, ::2] | codes[:, 1::2] << np.uint8(4)
