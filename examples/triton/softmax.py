"""Fused softmax: one program per row, the row in registers."""

from __future__ import annotations

import numpy as np
import triton
import triton.language as tl
from _check import check

import wgpt.triton as wt


@triton.jit
def softmax_kernel(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    values = tl.load(x + row * columns + at, mask=inside, other=-float("inf"))
    e = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * columns + at, e / tl.sum(e, axis=0), mask=inside)


def softmax(x: wt.Array) -> wt.Array:
    rows, columns = x.shape
    out = wt.empty(x.shape)
    softmax_kernel[(rows,)](x, out, columns, BLOCK=triton.next_power_of_2(columns))
    return out


def main() -> None:
    x = np.random.default_rng(0).standard_normal((183, 781), np.float32)
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    check("softmax", softmax(wt.array(x)).numpy(), e / e.sum(1, keepdims=True), 1e-6)


if __name__ == "__main__":
    main()
