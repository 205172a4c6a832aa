"""Integer codes with a scale and an offset (both f32) per group of 64 or 32 weights: s q + b.

Files of MLX, GPTQ, AWQ and compressed-tensors have such groups with 16-bit scales, which f32 represents exactly, as it
does the product of a scale and a zero point. A record is a block: scale and offset, then the codes in the order of `w`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import unpack
from .gguf_blocks import Form, copy
from .weight_type import F32, F64, U8, U32, FloatWords, WeightType, nibbles_to_words

ZERO = 128  # subtracted from eight-bit codes to store them as the signed bytes of `w`; the WGSL adds it to the offset


def _fields(bits: int, block: int) -> tuple[tuple[str, str], ...]:
    return ("d", "<f4"), ("m", "<f4"), ("q", f"V{block * bits // 8}")


def records(codes: U8, scales: NDArray[np.floating], offsets: NDArray[np.floating], bits: int, block: int) -> U8:
    """Blocks as bytes, row by row: codes [N, K], starting at 0, with scales and offsets [N, K / block]."""
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
    """A type with four-bit codes (nibbles) or eight-bit codes (bytes minus 128)."""

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
    """Equal steps from the minimum to the maximum of each block including zero, which is one of the steps."""
    blocks = rows.reshape(len(rows), -1, block)
    least, most = np.minimum(blocks.min(axis=2), 0), (1 << bits) - 1
    step = (np.maximum(blocks.max(axis=2), 0) - least) / np.float32(most)
    # few enough bits that the product with a code is exact in f32
    step = (step.view(np.uint32) + 128 & ~np.uint32(255)).view(np.float32)
    divisor = np.where(step > 0, step, np.float32(1))
    zeros = np.rint(-least / divisor)
    codes = np.rint(blocks / divisor[..., None]) + zeros[..., None]
    whole = np.where(np.isfinite(codes), codes, 0).clip(0, most)  # non-finite weights leave non-finite scales
    return records(whole.astype(np.uint8).reshape(len(rows), -1), step, -(step * zeros), bits, block)
