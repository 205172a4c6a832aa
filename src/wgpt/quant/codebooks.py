"""Quantises floats to codebooks: searches for the best scale of each block.

A trial scale determines the codes, and for given codes the best scale follows from least squares; the trial with the
smallest error wins. Sums are in float64, so that their order, which depends on the processor, does not affect the
result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

# IQ4_NL's and IQ4_XS's codebook: denser around zero, where most weights are.
NON_LINEAR = np.array([-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113], np.float32)
# MXFP4's codebook: twice the values of E2M1 (a sign, two exponent bits, one mantissa bit).
E2M1 = np.array([0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12], np.float32)

_BETWEEN = (NON_LINEAR[1:] + NON_LINEAR[:-1]) / 2
# trial factors of the scale that maps the largest weight to the last value
_TRIALS = np.linspace(0.85, 1.15, 5, dtype=np.float32)


def nearest(scaled: F32) -> U8:
    """The codes of the NON_LINEAR values nearest to `scaled`."""
    return np.searchsorted(_BETWEEN, scaled).astype(np.uint8)


_NEAREST_TO_BYTES = NON_LINEAR[nearest(np.arange(-128, 128, dtype=np.float32))]


def non_linear(scaled: F32) -> F32:
    """The NON_LINEAR values nearest to `scaled`, after rounding it: four times as fast, for trials."""
    return _NEAREST_TO_BYTES[np.clip(scaled + np.float32(128.5), 0, 255).astype(np.uint8)]


def best_scales(blocks: F32, values: Callable[[F32], F32], ends: tuple[float, ...]) -> F32:
    """The scale with the least squared error for each block [B, n], of several trials.

    `values` returns the codebook values nearest to scaled weights, `ends` are the codebook's first and last value.
    """
    at = np.abs(blocks).argmax(axis=1, keepdims=True)
    largest = np.take_along_axis(blocks, at, axis=1)[:, 0]
    best, gains = np.zeros(len(largest)), np.full(len(largest), -1.0)
    for end in ends:
        for trial in _TRIALS:
            scale = largest / (np.float32(end) * trial)
            codes = values(divided(blocks, scale[:, None]))
            both, norm = ((codes * other).sum(axis=1, dtype=np.float64) for other in (blocks, codes))
            gain = divided(both * both, norm)  # how much the best multiple of these codes lowers the error
            better = gain > gains
            best, gains = np.where(better, divided(both, norm), best), np.where(better, gain, gains)
    return np.where(np.isfinite(largest), best, largest).astype(np.float32)


def best_ranges(blocks: F32, most: int) -> tuple[F32, F32]:
    """For blocks [B, n], scales and minima, neither negative: x is near scale q - minimum, q from 0 to `most`."""
    least = np.minimum(blocks.min(axis=1), 0)
    span = np.maximum(blocks.max(axis=1), 0) - least
    best = [np.zeros(len(blocks)), np.zeros(len(blocks)), np.full(len(blocks), np.inf)]
    x, count = blocks.astype(np.float64), blocks.shape[1]
    sum_x = x.sum(axis=1)
    for trial in _TRIALS:
        step = span / (np.float32(most) * trial)
        first = least + (span - np.float32(most) * step) / 2  # around the middle
        q = np.clip(np.rint(divided(blocks - first[:, None], step[:, None])), 0, most).astype(np.float64)
        sum_q, sum_qq, sum_qx = q.sum(axis=1), (q * q).sum(axis=1), (q * x).sum(axis=1)
        scale = divided(count * sum_qx - sum_q * sum_x, count * sum_qq - sum_q * sum_q)
        minimum = (scale * sum_q - sum_x) / count
        below = minimum < 0  # not allowed: the line through zero instead
        scale = np.maximum(np.where(below, divided(sum_qx, sum_qq), scale), 0)
        minimum = np.where(below, 0, minimum)
        error = np.square(scale[:, None] * q - minimum[:, None] - x).sum(axis=1)
        better = error < best[2]
        best = [np.where(better, new, old) for new, old in zip((scale, minimum, error), best, strict=True)]
    finite = np.isfinite(span)
    scales, minima = (np.where(finite, each, np.inf).astype(np.float32) for each in best[:2])
    return scales, minima


def divided(x: NDArray[Any], by: NDArray[Any]) -> NDArray[Any]:
    """x / by; 0 where `by` is 0."""
    by = np.broadcast_to(by, x.shape)
    return np.divide(x, by, out=np.zeros_like(x), where=by != 0)
