"""NF4: 4-bit codes for normally distributed weights, scaled by the largest magnitude of each block."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CODEBOOK = np.array(
    [
        -1.0,
        -0.6961928,
        -0.5250731,
        -0.39491749,
        -0.28444138,
        -0.18477343,
        -0.09105004,
        0.0,
        0.0795803,
        0.1609302,
        0.2461123,
        0.33791524,
        0.44070983,
        0.562617,
        0.7229568,
        1.0,
    ],
    np.float32,
)
_BETWEEN = (CODEBOOK[1:] + CODEBOOK[:-1]) / 2


def quantize(values: NDArray[np.floating], block: int = 64) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Nearest codes (flat) and the absmax of each block; the size must be a multiple of `block`."""
    if values.size % block:
        raise ValueError(f"{values.size} values are not whole blocks of {block}")
    blocks, scales = np.ascontiguousarray(values, np.float32).reshape(-1, block), absmax(values, block)
    scaled = blocks / np.where(scales > 0, scales, 1)[:, None]
    return np.searchsorted(_BETWEEN, scaled).astype(np.uint8).reshape(-1), scales


def absmax(values: NDArray[np.floating], block: int = 64) -> NDArray[np.float32]:
    """The largest magnitude of each block."""
    largest: NDArray[np.float32] = np.abs(np.ascontiguousarray(values, np.float32).reshape(-1, block)).max(axis=1)
    return largest


def pack_words(codes: NDArray[np.uint8], high_first: bool = False) -> NDArray[np.uint32]:
    """Eight codes to a word in sequence, low nibble first (or each byte's high nibble first, as bitsandbytes)."""
    padded = np.zeros(-(-codes.size // 8) * 8, np.uint8)
    padded[: codes.size] = codes
    pairs = padded.reshape(-1, 2)
    low, high = (pairs[:, 1], pairs[:, 0]) if high_first else (pairs[:, 0], pairs[:, 1])
    return (low | (high << 4)).astype(np.uint8).view(np.uint32)


def unpack_words(words: NDArray[np.uint32], n: int, high_first: bool = False) -> NDArray[np.uint8]:
    """The first n codes of packed words."""
    raw = np.ascontiguousarray(words).view(np.uint8)
    pairs = [raw >> 4, raw & 15] if high_first else [raw & 15, raw >> 4]
    return np.stack(pairs, axis=1).reshape(-1)[:n]
