"""Dropout whose mask is never stored: the same seed gives the same random numbers (Philox)."""

from __future__ import annotations

import numpy as np
import triton
import triton.language as tl
from _check import check

import wgpt.triton as wt


@triton.jit
def dropout_kernel(x, out, n, p, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    values = tl.load(x + at, mask=inside)
    keep = tl.rand(seed, at) > p
    tl.store(out + at, tl.where(keep, values / (1 - p), 0.0), mask=inside)


def dropout(x: wt.Array, p: float, seed: int) -> wt.Array:
    out = wt.empty(x.shape)
    dropout_kernel[(triton.cdiv(x.numel(), 256),)](x, out, x.numel(), p, seed, BLOCK=256)
    return out


def philox(seed: int, counter: np.ndarray) -> np.ndarray:
    """The first word of Philox 4x32-10, as NumPy computes it."""
    mask = np.uint64(0xFFFFFFFF)
    words = [counter.astype(np.uint64), *(np.zeros(counter.shape, np.uint64) for _ in range(3))]
    key = [np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)]
    for _ in range(10):
        a, b = words[0] * np.uint64(0xD2511F53), words[2] * np.uint64(0xCD9E8D57)
        high_a, high_b = a >> np.uint64(32), b >> np.uint64(32)
        words = [high_b ^ words[1] ^ key[0], b & mask, high_a ^ words[3] ^ key[1], a & mask]
        key = [(key[0] + np.uint64(0x9E3779B9)) & mask, (key[1] + np.uint64(0xBB67AE85)) & mask]
    return words[0].astype(np.uint32)


def uniform(seed: int, counter: np.ndarray) -> np.ndarray:
    """tl.rand: a word as a number from 0 up to 1."""
    word = philox(seed, counter).view(np.int32).astype(np.int64)
    return (np.where(word < 0, -word - 1, word) * np.float64(4.6566127342e-10)).astype(np.float32)


def main() -> None:
    x = np.random.default_rng(0).standard_normal(10_000, np.float32)
    mask = uniform(123, np.arange(x.size)) > np.float32(0.3)
    result = dropout(wt.array(x), 0.3, 123).numpy()
    check("dropout", result, np.where(mask, x.astype(np.float64) / 0.7, 0.0), 1e-6)
    print(f"kept {np.mean(result != 0):.3f} of all")


if __name__ == "__main__":
    main()
