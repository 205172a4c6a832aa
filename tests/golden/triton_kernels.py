"""Kernels whose TTIR is kept in triton.zip: each tries a part of the lowering. Importing it needs Triton."""

from __future__ import annotations

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def softmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
    e = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * columns + at, e / tl.sum(e, axis=0), mask=at < columns)


@triton.jit
def matmul(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    at_a = a + rows[:, None] * k + inner[None, :]
    at_b = b + inner[:, None] * n + columns[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        left = k - start
        x = tl.load(at_a, mask=(rows[:, None] < m) & (inner[None, :] < left), other=0.0)
        y = tl.load(at_b, mask=(inner[:, None] < left) & (columns[None, :] < n), other=0.0)
        total = tl.dot(x, y, total)
        at_a += BK
        at_b += BK * n
    tl.store(c + rows[:, None] * n + columns[None, :], total, mask=(rows[:, None] < m) & (columns[None, :] < n))


@triton.jit
def attention(q, k, v, out, length, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    width = tl.arange(0, D)
    query = tl.load(q + rows[:, None] * D + width[None, :], mask=rows[:, None] < length, other=0.0)
    best = tl.full((BM,), -1e30, tl.float32)
    weight = tl.zeros((BM,), tl.float32)
    total = tl.zeros((BM, D), tl.float32)
    for start in range(0, length, BN):
        columns = start + tl.arange(0, BN)
        at = columns[:, None] * D + width[None, :]
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
    at = rows[:, None] * D + width[None, :]
    tl.store(out + at, total / weight[:, None], mask=rows[:, None] < length)


@triton.jit
def bytes_and_halves(x, narrow, half, n, BLOCK: tl.constexpr):
    """Stores of less than a word: neighbours in one word are other threads', or other programs'."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(narrow + at, (values * 100).to(tl.int8), mask=at < n)
    tl.store(half + at, values.to(tl.bfloat16), mask=at < n)


@triton.jit
def long_integers(x, y, out, n, BLOCK: tl.constexpr):
    """64-bit integers as two words: product, quotient, remainder, shifts, comparison."""
    at = tl.arange(0, BLOCK)
    a, b = tl.load(x + at, mask=at < n, other=1), tl.load(y + at, mask=at < n, other=1)
    r = tl.where(a > b, a * b + (a >> 3), (a - b) ^ (b << 7))
    tl.store(out + at, r + a // b + a % b, mask=at < n)


@triton.jit
def scans(x, sums, best, COLUMNS: tl.constexpr, ROWS: tl.constexpr):
    """A scan along one axis, and the place of the largest along the other."""
    at = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    values = tl.load(x + at)
    tl.store(sums + at, tl.cumsum(values, axis=1))
    tl.store(best + tl.arange(0, COLUMNS), tl.argmax(values, axis=0))


@triton.jit
def counts(x, bins, total, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    """Atomic adds of integers, and of floats by compare-and-exchange."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < n, other=0)
    tl.atomic_add(bins + values % BINS, 1, mask=at < n)
    tl.atomic_add(total, tl.sum(tl.where(at < n, values, 0).to(tl.float32), axis=0))


@triton.jit
def control(x, out, n, BLOCK: tl.constexpr):
    """Early return, if, while with a bound from memory, and a store that later loads must see."""
    row = tl.program_id(0)
    if row >= n:
        return
    steps = tl.load(x + row)
    at = tl.arange(0, BLOCK)
    value = at
    i = 0
    while i < steps:
        if i % 2 == 0:
            value = value * 3 + i
        else:
            value = value - row
        i += 1
    tl.store(out + row * BLOCK + at, value)
    other = tl.load(out + row * BLOCK + (BLOCK - 1 - at))
    tl.store(out + row * BLOCK + at, value + other)


@triton.jit
def shuffled(x, out, SIZE: tl.constexpr):
    """Reshape, transpose, join, split and gather: elements that change threads."""
    at = tl.arange(0, SIZE)
    values = tl.load(x + at)
    turned = tl.reshape(tl.trans(tl.reshape(values, (SIZE // 8, 8))), (SIZE,))
    low, high = tl.split(tl.reshape(turned, (SIZE // 2, 2)))
    joined = tl.reshape(tl.join(high, low), (SIZE,))
    tl.store(out + at, tl.gather(joined, SIZE - 1 - at, axis=0))


@triton.jit
def random_numbers(out, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.rand(seed, at))


KERNELS = {
    "add": (add, {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 256}),
    "softmax": (softmax, {"x": "*fp32", "out": "*fp32", "columns": "i32"}, {"BLOCK": 512}),
    "matmul": (
        matmul,
        {"a": "*fp32", "b": "*fp32", "c": "*fp32", "m": "i32", "n": "i32", "k": "i32"},
        {"BM": 32, "BN": 32, "BK": 16},
    ),
    "matmul_f16": (
        matmul,
        {"a": "*fp16", "b": "*fp16", "c": "*fp32", "m": "i32", "n": "i32", "k": "i32"},
        {"BM": 32, "BN": 32, "BK": 16},
    ),
    "attention": (
        attention,
        {"q": "*fp32", "k": "*fp32", "v": "*fp32", "out": "*fp32", "length": "i32", "scale": "fp32"},
        {"D": 16, "BM": 16, "BN": 32},
    ),
    "bytes_and_halves": (
        bytes_and_halves,
        {"x": "*fp32", "narrow": "*i8", "half": "*bf16", "n": "i32"},
        {"BLOCK": 64},
    ),
    "long_integers": (long_integers, {"x": "*i64", "y": "*i64", "out": "*i64", "n": "i32"}, {"BLOCK": 256}),
    "scans": (scans, {"x": "*fp32", "sums": "*fp32", "best": "*i32"}, {"COLUMNS": 64, "ROWS": 16}),
    "counts": (counts, {"x": "*i32", "bins": "*i32", "total": "*fp32", "n": "i32"}, {"BLOCK": 128, "BINS": 16}),
    "control": (control, {"x": "*i32", "out": "*i32", "n": "i32"}, {"BLOCK": 64}),
    "shuffled": (shuffled, {"x": "*i32", "out": "*i32"}, {"SIZE": 256}),
    "random_numbers": (random_numbers, {"out": "*fp32", "seed": "i32"}, {"BLOCK": 128}),
}
SHIPPED = {"add": ["cdiv(n, BLOCK)"], "matmul_f16": ["cdiv(m, BM)", "cdiv(n, BN)"]}  # kept as artifacts as well
