"""Layer norm of rows of any length: loops over blocks of a row, three passes."""

from __future__ import annotations

import numpy as np
import triton
import triton.language as tl
from _check import check

import wgpt.triton as wt


@triton.jit
def layer_norm_kernel(x, weight, bias, out, columns, eps, BLOCK: tl.constexpr):
    x += tl.program_id(0) * columns
    out += tl.program_id(0) * columns
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        total += tl.load(x + at, mask=at < columns, other=0.0)
    mean = tl.sum(total, axis=0) / columns
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        d = tl.where(at < columns, tl.load(x + at, mask=at < columns, other=0.0) - mean, 0.0)
        total += d * d
    scale = 1 / tl.sqrt(tl.sum(total, axis=0) / columns + eps)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < columns
        w, b = tl.load(weight + at, mask=inside), tl.load(bias + at, mask=inside)
        tl.store(out + at, (tl.load(x + at, mask=inside) - mean) * scale * w + b, mask=inside)


def layer_norm(x: wt.Array, weight: wt.Array, bias: wt.Array, eps: float = 1e-5) -> wt.Array:
    rows, columns = x.shape
    out = wt.empty(x.shape)
    layer_norm_kernel[(rows,)](x, weight, bias, out, columns, eps, BLOCK=256)
    return out


def main() -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((37, 1151)).astype(np.float32) * 3 + 1
    w, b = rng.standard_normal((2, 1151), np.float32)
    d = x.astype(np.float64)
    expected = (d - d.mean(1, keepdims=True)) / np.sqrt(d.var(1, keepdims=True) + 1e-5) * w + b
    check("layer norm", layer_norm(wt.array(x), wt.array(w), wt.array(b)).numpy(), expected, 2e-6)


if __name__ == "__main__":
    main()
