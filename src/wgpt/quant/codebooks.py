"""Floats into codes of four bits that a table of 16 values gives their meaning, with a scale for each 32 of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

# IQ4_NL's and IQ4_XS's: values are dense around zero, where most weights are.
NON_LINEAR = np.array([-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113], np.float32)
# MXFP4's: twice the values of E2M1, which has a sign, two bits of exponent and one of mantissa.
E2M1 = np.array([0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12], np.float32)

_BETWEEN = (NON_LINEAR[1:] + NON_LINEAR[:-1]) / 2
_TRIALS = np.linspace(0.9, 1.12, 7, dtype=np.float32)  # of the scale that maps the largest weight to the last value


def nearest(scaled: F32) -> U8:
    """Codes of the values of NON_LINEAR that are nearest to `scaled`."""
    return np.searchsorted(_BETWEEN, scaled).astype(np.uint8)


def best_scales(blocks: F32, weights: F32 | None = None) -> F32:
    """For blocks [B, 32], the scales whose codes of NON_LINEAR have the least squared error (of several trials).

    `weights`, of the same shape, are the importance of each element.
    """
    importance = np.ones_like(blocks) if weights is None else weights
    at = np.abs(blocks).argmax(axis=1, keepdims=True)
    largest = np.take_along_axis(blocks, at, axis=1)[:, 0]
    best, gains = np.zeros(len(largest)), np.full(len(largest), -1.0)
    for end in (NON_LINEAR[0], NON_LINEAR[-1]):
        for trial in _TRIALS:
            scale = largest / (end * trial)
            codes = NON_LINEAR[nearest(divided(blocks, scale[:, None]))]
            # In float64, so that the order of a processor's sums makes no difference to the result.
            both, norm = ((importance * codes * other).sum(axis=1, dtype=np.float64) for other in (blocks, codes))
            gain = divided(both * both, norm)  # by how much the best multiple of these codes lowers the error
            better = gain > gains
            best, gains = np.where(better, divided(both, norm), best), np.where(better, gain, gains)
    return np.where(np.isfinite(largest), best, largest).astype(np.float32)


def divided(x: NDArray[Any], by: NDArray[Any]) -> NDArray[Any]:
    """x / by; 0 where `by` is 0."""
    by = np.broadcast_to(by, x.shape)
    return np.divide(x, by, out=np.zeros_like(x), where=by != 0)
