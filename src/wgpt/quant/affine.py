"""Whole codes with a scale and an offset, both f32, for each 64 of them: s q + b.

Files of MLX, GPTQ, AWQ and compressed-tensors have such groups, with scales of 16 bits: they and the product of a
scale and a zero point are exact in f32. A record is a block: both numbers, then the codes in the order of `w`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .gguf_blocks import Form, copy
from .weight_type import F32, U8, nibbles_to_words

BLOCK = 64
ZERO = 128  # what bytes have less than codes of eight bits, which begin at 0


def record(bits: int) -> np.dtype[Any]:
    return np.dtype([("d", "<f4"), ("m", "<f4"), ("q", f"V{BLOCK * bits // 8}")])


def records(codes: U8, scales: NDArray[np.floating], offsets: NDArray[np.floating], bits: int) -> U8:
    """Rows of blocks: codes [N, K] from 0 on, with scales and offsets [N, K / 64]."""
    n, k = codes.shape
    blocks = np.zeros((n, k // BLOCK), record(bits))
    blocks["d"] = scales
    if bits == 4:
        blocks["m"], q = offsets, nibbles_to_words(codes)
    else:
        blocks["m"] = offsets.astype(np.float64) + ZERO * scales.astype(np.float64)
        q = (codes ^ np.uint8(ZERO)).reshape(-1)
    blocks["q"] = q.view(f"V{BLOCK * bits // 8}").reshape(blocks.shape)
    return blocks.view(np.uint8).reshape(n, -1)


def form(bits: int) -> Form:
    fields = (("d", "<f4"), ("m", "<f4"), ("q", f"V{BLOCK * bits // 8}"))
    return Form(None, fields, _split, floats=("d", "m"), quantiser=lambda rows: _quantise(rows, bits), size=BLOCK)


def _split(blocks: NDArray[Any], w: U8, s: U8) -> None:
    pairs = s.view(np.float32).reshape(len(blocks), 2)
    pairs[:, 0], pairs[:, 1] = blocks["d"], blocks["m"]
    copy(w, blocks["q"])


def _quantise(rows: F32, bits: int) -> U8:
    """Equal steps from the least to the largest of each block and of zero, which is one of them."""
    blocks = rows.reshape(len(rows), -1, BLOCK)
    least, most = np.minimum(blocks.min(axis=2), 0), (1 << bits) - 1
    step = (np.maximum(blocks.max(axis=2), 0) - least) / np.float32(most)
    step = (step.view(np.uint32) + 128 & ~np.uint32(255)).view(np.float32)  # its product with a code is exact in f32
    divisor = np.where(step > 0, step, np.float32(1))
    zeros = np.rint(-least / divisor)
    codes = np.rint(blocks / divisor[..., None]) + zeros[..., None]
    whole = np.where(np.isfinite(codes), codes, 0).clip(0, most)  # the scales tell what was not finite
    return records(whole.astype(np.uint8).reshape(len(rows), -1), step, -(step * zeros), bits)
