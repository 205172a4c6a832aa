"""A matrix of 4-bit weights times a vector: eight weights in a word, a scale and a minimum for 32."""

from __future__ import annotations

import numpy as np
import triton
import triton.language as tl
from _check import check

import wgpt.triton as wt


@triton.jit
def gemv_kernel(words, scales, minima, x, out, n, k, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    total = tl.zeros((ROWS,), tl.float32)
    for start in range(0, k, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = (rows[:, None] < n) & (at[None, :] < k)
        word = tl.load(words + rows[:, None] * (k // 8) + at[None, :] // 8, mask=inside, other=0)
        group = rows[:, None] * (k // 32) + at[None, :] // 32
        weight = (word >> ((at % 8) * 4)[None, :]) & 15
        scale = tl.load(scales + group, mask=inside, other=0.0).to(tl.float32)
        low = tl.load(minima + group, mask=inside, other=0.0).to(tl.float32)
        value = tl.load(x + at, mask=at < k, other=0.0)
        total += tl.sum((weight.to(tl.float32) * scale + low) * value[None, :], axis=1)
    tl.store(out + rows, total, mask=rows < n)


def gemv(words: wt.Array, scales: wt.Array, minima: wt.Array, x: wt.Array) -> wt.Array:
    n, k = words.shape[0], x.numel()
    out = wt.empty(n)
    gemv_kernel[(triton.cdiv(n, 8),)](words, scales, minima, x, out, n, k, ROWS=8, BLOCK=128, num_warps=4)
    return out


def main() -> None:
    rng = np.random.default_rng(0)
    n, k = 75, 608
    weights = rng.integers(0, 16, (n, k)).astype(np.uint32)
    scales = rng.uniform(0.01, 0.1, (n, k // 32)).astype(np.float16)
    minima = rng.uniform(-1, 0, (n, k // 32)).astype(np.float16)
    x = rng.standard_normal(k).astype(np.float32)
    words = np.zeros((n, k // 8), np.uint32)
    for i in range(8):
        words |= weights[:, i::8] << np.uint32(4 * i)
    full = weights * np.repeat(scales.astype(np.float64), 32, 1) + np.repeat(minima.astype(np.float64), 32, 1)
    result = gemv(wt.array(words.view(np.int32)), wt.array(scales), wt.array(minima), wt.array(x)).numpy()
    check("4-bit GEMV", result, full @ x, 1e-6)


if __name__ == "__main__":
    main()
