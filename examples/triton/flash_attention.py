"""Flash attention, forward, causal: a running maximum and sum, so that no score matrix is stored."""

from __future__ import annotations

import numpy as np
import triton
import triton.language as tl
from _check import check

import wgpt.triton as wt


@triton.jit
def attention_kernel(q, k, v, out, length, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    head = tl.program_id(1) * length * D
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    width = tl.arange(0, D)
    query = tl.load(q + head + rows[:, None] * D + width[None, :], mask=rows[:, None] < length, other=0.0)
    best = tl.full((BM,), -1e30, tl.float32)
    weight = tl.zeros((BM,), tl.float32)
    total = tl.zeros((BM, D), tl.float32)
    for start in range(0, tl.minimum((tl.program_id(0) + 1) * BM, length), BN):
        columns = start + tl.arange(0, BN)
        at = head + columns[:, None] * D + width[None, :]
        keys = tl.load(k + at, mask=columns[:, None] < length, other=0.0)
        scores = tl.dot(query, tl.trans(keys)) * scale
        scores = tl.where(rows[:, None] >= columns[None, :], scores, -1e30)
        new = tl.maximum(best, tl.max(scores, axis=1))
        p = tl.exp(scores - new[:, None])
        fade = tl.exp(best - new)
        weight = weight * fade + tl.sum(p, axis=1)
        values = tl.load(v + at, mask=columns[:, None] < length, other=0.0)
        total = tl.dot(p.to(values.dtype), values, total * fade[:, None])
        best = new
    at = head + rows[:, None] * D + width[None, :]
    tl.store(out + at, total / weight[:, None], mask=rows[:, None] < length)


def attention(q: wt.Array, k: wt.Array, v: wt.Array) -> wt.Array:
    heads, length, size = q.shape
    out = wt.empty(q.shape)
    grid = (triton.cdiv(length, 32), heads)
    attention_kernel[grid](q, k, v, out, length, size**-0.5, D=size, BM=32, BN=32, num_warps=4)
    return out


def main() -> None:
    rng = np.random.default_rng(0)
    q, k, v = rng.standard_normal((3, 2, 77, 32), np.float32)
    scores = np.einsum("hid,hjd->hij", q.astype(np.float64), k) / np.sqrt(32)
    scores = np.where(np.tril(np.ones((77, 77), bool)), scores, -np.inf)
    p = np.exp(scores - scores.max(-1, keepdims=True))
    expected = np.einsum("hij,hjd->hid", p / p.sum(-1, keepdims=True), v)
    check("flash attention", attention(wt.array(q), wt.array(k), wt.array(v)).numpy(), expected, 1e-6)


if __name__ == "__main__":
    main()
