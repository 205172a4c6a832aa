"""Whole codes with a scale and an offset, both f32, for each 64 or 32 of them: s q + b.

Files of MLX, GPTQ, AWQ and compressed-tensors have such groups, with scales of 16 bits: they and the product of a
scale and a zero point are exact in f32. A record is a block: both numbers, then the codes in the order of `w`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import unpack
from .gguf_blocks import Form, copy
from .weight_type import F32, F64, U8, U32, FloatWords, WeightType, nibbles_to_words

ZERO = 128  # what the signed bytes of `w` have less than codes of eight bits; the WGSL adds it to the offset


def _fields(bits: int, block: int) -> tuple[tuple[str, str], ...]:
    return ("d", "<f4"), ("m", "<f4"), ("q", f"V{block * bits // 8}")


def records(codes: U8, scales: NDArray[np.floating], offsets: NDArray[np.floating], bits: int, block: int) -> U8:
    """Rows of blocks: codes [N, K] from 0 on, with scales and offsets [N, K / block]."""
    n, k = codes.shape
    blocks = np.zeros((n, k // block), np.dtype(list(_fields(bits, block))))
    blocks["d"], blocks["m"] = scales, offsets
    q = nibbles_to_words(codes) if bits == 4 else (codes ^ np.uint8(ZERO)).reshape(-1)
    blocks["q"] = q.view(blocks.dtype["q"]).reshape(blocks.shape)
    return blocks.view(np.uint8).reshape(n, -1)


def form(bits: int, block: int) -> Form:
    def quantiser(rows: F32) -> U8:
        return _quantise(rows, bits, block)

    return Form(None, _fields(bits, block), _split, floats=("d", "m"), quantiser=quantiser, size=block)


def weight_type(name: str, bits: int, block: int, good_for: str) -> WeightType:
    """The type of codes of four bits, which are nibbles, or eight, which are bytes less 128."""

    def values(w: U32, s: U32) -> F64:
        pairs = s.view(np.float32).reshape(-1, 2).astype(np.float64)
        if bits == 4:
            codes = unpack.words_to_nibbles(w)
        else:
            codes = np.ascontiguousarray(w).view(np.uint8) ^ np.uint8(ZERO)
        return codes.reshape(-1, block) * pairs[:, :1] + pairs[:, 1:]

    return WeightType(
        name,
        equation=f"d q + m, blocks of {block}",
        good_for=good_for,
        bits=bits,
        block=block,
        scale_bits=64,
        floats=FloatWords("f32"),
        values=values,
        codes="nibbles" if bits == 4 else "bytes",
        gguf_form=form(bits, block),
        offset=True,
        few_cases=True,
    )


def _split(blocks: NDArray[Any], w: U8, s: U8) -> None:
    pairs = s.view(np.float32).reshape(len(blocks), 2)
    pairs[:, 0], pairs[:, 1] = blocks["d"], blocks["m"]
    copy(w, blocks["q"])


def _quantise(rows: F32, bits: int, block: int) -> U8:
    """Equal steps from the least to the largest of each block and of zero, which is one of them."""
    blocks = rows.reshape(len(rows), -1, block)
    least, most = np.minimum(blocks.min(axis=2), 0), (1 << bits) - 1
    step = (np.maximum(blocks.max(axis=2), 0) - least) / np.float32(most)
    step = (step.view(np.uint32) + 128 & ~np.uint32(255)).view(np.float32)  # its product with a code is exact in f32
    divisor = np.where(step > 0, step, np.float32(1))
    zeros = np.rint(-least / divisor)
    codes = np.rint(blocks / divisor[..., None]) + zeros[..., None]
    whole = np.where(np.isfinite(codes), codes, 0).clip(0, most)  # the scales tell what was not finite
    return records(whole.astype(np.uint8).reshape(len(rows), -1), step, -(step * zeros), bits, block)
