"""Norms, activations and sums: one row, or one range of elements, per program."""

from __future__ import annotations

import triton
import triton.language as tl

from .linear import _gelu, _silu


@triton.jit
def _program():
    """The index of a program; long grids have two dimensions."""
    return tl.program_id(0) + tl.program_id(1) * tl.num_programs(0)


@triton.jit
def rms_norm(x, g, y, rows, cols, eps, BLOCK: tl.constexpr):
    first = tl.minimum(_program(), rows - 1) * cols
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        value = tl.load(x + first + at, mask=at < cols, other=0.0)
        squares += value * value
    norm = 1.0 / tl.sqrt_rn(tl.sum(squares, 0) / cols + eps)
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < cols
        value = tl.load(x + first + at, mask=inside, other=0.0) * norm
        tl.store(y + first + at, value * tl.load(g + at, mask=inside, other=0.0), mask=inside)


@triton.jit
def _mean_of(x, cols, less, BLOCK: tl.constexpr):
    """The mean of x - less."""
    sums = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < cols
        sums += tl.where(inside, tl.load(x + at, mask=inside, other=0.0) - less, 0.0)
    return tl.sum(sums, 0) / cols


@triton.jit
def layer_norm(x, gamma, beta, y, rows, cols, eps, BLOCK: tl.constexpr):
    first = tl.minimum(_program(), rows - 1) * cols
    # The second mean corrects the rounding error of the first, which is large if the row is far from zero.
    mean = _mean_of(x + first, cols, 0.0, BLOCK)
    rest = _mean_of(x + first, cols, mean, BLOCK)
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < cols
        value = tl.where(inside, tl.load(x + first + at, mask=inside, other=0.0) - mean - rest, 0.0)
        squares += value * value
    norm = 1.0 / tl.sqrt_rn(tl.sum(squares, 0) / cols + eps)
    for start in range(0, cols, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < cols
        value = (tl.load(x + first + at, mask=inside, other=0.0) - mean - rest) * norm
        value = value * tl.load(gamma + at, mask=inside, other=0.0) + tl.load(beta + at, mask=inside, other=0.0)
        tl.store(y + first + at, value, mask=inside)


@triton.jit
def gelu(x, y, n, BLOCK: tl.constexpr):
    at = _program() * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(y + at, _gelu(tl.load(x + at, mask=inside, other=0.0)), mask=inside)


@triton.jit
def add(a, b, y, n, BLOCK: tl.constexpr):
    at = _program() * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(y + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)


@triton.jit
def silu_mul(x, y, count, n, BLOCK: tl.constexpr):
    """SwiGLU: each row of x holds n gate values, then n up values."""
    at = _program() * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    gate = at // n * (2 * n) + at % n
    found = _silu(tl.load(x + gate, mask=inside, other=0.0)) * tl.load(x + gate + n, mask=inside, other=0.0)
    tl.store(y + at, found, mask=inside)
