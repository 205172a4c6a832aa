"""Matrix product: tiles in registers, pointers that walk along the inner dimension, autotuned."""

from __future__ import annotations

import numpy as np
import triton
import triton.language as tl
from _check import check

import wgpt.triton as wt


@triton.autotune(
    configs=[
        triton.Config({"BM": 32, "BN": 32, "BK": 16}, num_warps=2),
        triton.Config({"BM": 64, "BN": 64, "BK": 16}, num_warps=4),
    ],
    key=["m", "n", "k"],
)
@triton.jit
def matmul_kernel(
    a, b, c, m, n, k, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    at_a = a + rows[:, None] * stride_am + inner[None, :] * stride_ak
    at_b = b + inner[:, None] * stride_bk + columns[None, :] * stride_bn
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        left = k - start
        x = tl.load(at_a, mask=(rows[:, None] < m) & (inner[None, :] < left), other=0.0)
        y = tl.load(at_b, mask=(inner[:, None] < left) & (columns[None, :] < n), other=0.0)
        total = tl.dot(x, y, total)
        at_a += BK * stride_ak
        at_b += BK * stride_bk
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c + rows[:, None] * stride_cm + columns[None, :] * stride_cn, total, mask=inside)


def matmul(a: wt.Array, b: wt.Array) -> wt.Array:
    (m, k), (_, n) = a.shape, b.shape
    c = wt.empty((m, n))
    grid = lambda meta: (triton.cdiv(m, meta["BM"]), triton.cdiv(n, meta["BN"]))
    matmul_kernel[grid](a, b, c, m, n, k, *a.stride(), *b.stride(), *c.stride())
    return c


def main() -> None:
    rng = np.random.default_rng(0)
    for dtype, tolerance in ((np.float32, 1e-6), (np.float16, 1e-6)):
        a = rng.standard_normal((133, 211)).astype(dtype)
        b = rng.standard_normal((211, 157)).astype(dtype)
        expected = a.astype(np.float64) @ b.astype(np.float64)
        check(f"matmul {np.dtype(dtype)}", matmul(wt.array(a), wt.array(b)).numpy(), expected, tolerance)


if __name__ == "__main__":
    main()
