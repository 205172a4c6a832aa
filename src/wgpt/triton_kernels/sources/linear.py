"""Linear layers over resident weights of any type: one row of activations (GEMV), or many (GEMM)."""

from __future__ import annotations

import triton
import triton.language as tl

from .values import field, weight_at


@triton.jit
def _entry(x, g, index, k, squares, NORM: tl.constexpr):
    """x[index] times its gain (0 beyond the end), and the updated sum of squares."""
    at = tl.minimum(index, k - 1)
    value = tl.where(index < k, tl.load(x + at), 0.0)
    if NORM:
        squares += value * value
        value *= tl.load(g + at)
    return value, squares


@triton.jit
def _dots(x, g, w, s, rows, others, start, k, line, total, other, squares, WEIGHT: tl.constexpr, NORM: tl.constexpr,
          BOTH: tl.constexpr, COLUMNS: tl.constexpr):  # fmt: skip
    """Add products of the next columns with x to `total` for `rows` and, if BOTH, to `other` for `others`."""
    column = start + tl.arange(0, COLUMNS)
    here = tl.minimum(column, line - 1)
    first = tl.load(w + rows[:, None] * line + here[None, :])
    second = first
    if BOTH:
        second = tl.load(w + others[:, None] * line + here[None, :])
    if WEIGHT == "f32" or WEIGHT == "f16":
        value, squares = _entry(x, g, column, k, squares, NORM)
        total += first.to(tl.float32) * value[None, :]
        if BOTH:
            other += second.to(tl.float32) * value[None, :]
    elif WEIGHT == "bf16":
        for j in tl.static_range(2):
            value, squares = _entry(x, g, 2 * column + j, k, squares, NORM)
            total += _of_pair(first, j) * value[None, :]
            if BOTH:
                other += _of_pair(second, j) * value[None, :]
    else:
        part = tl.zeros_like(total)
        extra = tl.zeros_like(total)
        sum = tl.zeros((COLUMNS,), tl.float32)
        per_word: tl.constexpr = 4 if WEIGHT == "q8_0" else 8
        for j in tl.static_range(per_word):
            if WEIGHT == "q8_0":
                index = 4 * column + j
            else:
                index = column // 4 * 32 + column % 4 * 4 + j % 4 + j // 4 * 16
            value, squares = _entry(x, g, index, k, squares, NORM)
            sum += value
            part += _code(first, j, WEIGHT) * value[None, :]
            if BOTH:
                extra += _code(second, j, WEIGHT) * value[None, :]
        per_block: tl.constexpr = 8 if WEIGHT == "q8_0" else 4
        block = here[None, :] // per_block
        total += _scaled(s, rows[:, None] * (line // per_block) + block, part, sum, WEIGHT)
        if BOTH:
            other += _scaled(s, others[:, None] * (line // per_block) + block, extra, sum, WEIGHT)
    return total, other, squares


@triton.jit
def _of_pair(word, j: tl.constexpr):
    """bf16 number j of a word."""
    return ((word << 16) if j == 0 else (word & 0xFFFF0000)).to(tl.float32, bitcast=True)


@triton.jit
def _code(word, j: tl.constexpr, WEIGHT: tl.constexpr):
    """Code j of a word: bytes, or nibbles in the order of quant/weights.py."""
    if WEIGHT == "q8_0":
        return field(word ^ 0x80808080, 8 * j, 8, 128)
    else:
        return field(word, j % 4 * 8 + j // 4 * 4, 4, 8 if WEIGHT == "q4_0" else 0)


@triton.jit
def _scaled(s, block, part, sum, WEIGHT: tl.constexpr):
    """The contribution of a word: the sums of codes times x, and of x, with the scales of its block."""
    if WEIGHT == "q4_1":
        return part * tl.load(s + 2 * block).to(tl.float32) + tl.load(s + 2 * block + 1).to(tl.float32) * sum[None, :]
    else:
        return part * tl.load(s + block).to(tl.float32)


@triton.jit
def _silu(x):
    return x / (1.0 + tl.exp(tl.minimum(-x, 80.0)))


@triton.jit
def _gelu(x):
    """GELU with the tanh approximation, as x times a logistic function."""
    u = -1.5957691216057308 * (x + 0.044715 * x * x * x)
    return x / (1.0 + tl.exp(tl.minimum(u, 80.0)))


@triton.jit
def linear_row(
    x, g, w, s, b, r, y, n, k, line, at, eps,
    WEIGHT: tl.constexpr, NORM: tl.constexpr, BIAS: tl.constexpr, ADD: tl.constexpr, ACT: tl.constexpr,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    """y[at + i] = r + act(W . rmsnorm(x, g) + b); norm, bias, r and act are optional. ROWS outputs per program."""
    BOTH: tl.constexpr = ACT == "swiglu"
    row = (tl.program_id(0) + tl.program_id(1) * tl.num_programs(0)) * ROWS + tl.arange(0, ROWS)
    rows = tl.minimum(row, n - 1)
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    other = tl.zeros((ROWS, COLUMNS), tl.float32)
    squares = tl.zeros((COLUMNS,), tl.float32)
    for start in range(0, line, COLUMNS):
        total, other, squares = _dots(
            x, g, w, s, rows, rows + n, start, k, line, total, other, squares, WEIGHT, NORM, BOTH, COLUMNS
        )
    found = tl.sum(total, 1)
    up = tl.sum(other, 1)
    if NORM:
        norm = tl.rsqrt(tl.sum(squares, 0) / k + eps)
        found *= norm
        up *= norm
    if BIAS:
        found += tl.load(b + rows)
    if ACT == "swiglu":
        found = _silu(found) * up
    if ACT == "gelu":
        found = _gelu(found)
    if ADD:
        found += tl.load(r + at + rows)
    tl.store(y + at + row, found, mask=row < n)


@triton.jit
def linear_rows(
    x, w, s, b, r, y, m, n, k, line, width, at,
    WEIGHT: tl.constexpr, BIAS: tl.constexpr, ADD: tl.constexpr,
    BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    """y[i, at + j] = r[i, at + j] + sum_k x[i, k] W[j, k] + b[j], in tiles of BM x BN."""
    row = tl.program_id(1) * BM + tl.arange(0, BM)
    column = tl.program_id(0) * BN + tl.arange(0, BN)
    rows = tl.minimum(row, m - 1)
    columns = tl.minimum(column, n - 1)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        inner = start + tl.arange(0, BK)
        here = tl.minimum(inner, k - 1)
        left = tl.load(x + rows[:, None] * k + here[None, :])
        left = tl.where(inner[None, :] < k, left, 0.0)
        right = weight_at(w, s, columns[:, None], here[None, :], line, WEIGHT)
        total = tl.dot(left, tl.trans(right), total, input_precision="ieee")
    if BIAS:
        total += tl.load(b + columns)[None, :]
    place = rows[:, None] * width + (at + columns)[None, :]
    if ADD:
        total += tl.load(r + place)
    tl.store(y + place, total, mask=(row[:, None] < m) & (column[None, :] < n))
