"""Vector addition: the smallest Triton kernel."""

from __future__ import annotations

import numpy as np
import triton
import triton.language as tl
from _check import check

import wgpt.triton as wt


@triton.jit
def add_kernel(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


def add(x: wt.Array, y: wt.Array) -> wt.Array:
    out = wt.empty(x.shape)
    n = x.numel()
    add_kernel[(triton.cdiv(n, 256),)](x, y, out, n, BLOCK=256)
    return out


def main() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((2, 98_432), np.float32)
    check("vector add", add(wt.array(x), wt.array(y)).numpy(), x.astype(np.float64) + y, 1e-7)


if __name__ == "__main__":
    main()
