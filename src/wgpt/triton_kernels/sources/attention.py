"""Attention over the KV cache, and writing to the cache. RoPE rotates pairs of elements half a head apart."""

from __future__ import annotations

import triton
import triton.language as tl

from .rows import _program
from .values import stored


@triton.jit
def _sine_cosine(steps, position, pair):
    """Sine and cosine of a pair's angle, a 32-bit fraction of a full turn (kernels/attention/rope.py).

    Polynomials are used because WGSL's sin and cos are not accurate enough."""
    whole = tl.load(steps + 2 * pair)
    rest = tl.load(steps + 2 * pair + 1)
    at = position.to(tl.uint32)
    turn = at * whole + (at.to(tl.float32) * rest.to(tl.float32) * 2.3283064e-10).to(tl.uint32)
    shifted = turn + 0x20000000
    quarter = shifted >> 30
    a = ((shifted & 0x3FFFFFFF).to(tl.int32) - 0x20000000).to(tl.float32) * 1.4629180793e-9
    q = a * a
    s = a + a * q * (-1.6666654611e-1 + q * (8.3321608736e-3 - q * 1.9515295891e-4))
    c = 1.0 - 0.5 * q + q * q * (4.166664568e-2 + q * (-1.388731625e-3 + q * 2.443315712e-5))
    odd = (quarter & 1) == 1
    sine = tl.where(odd, c, s)
    cosine = tl.where(odd, s, c)
    sine = tl.where((quarter & 2) == 2, -sine, sine)
    cosine = tl.where(((quarter + 1) & 2) == 2, -cosine, cosine)
    return sine, cosine


@triton.jit
def _turned(a, b, sine, cosine):
    return a * cosine - b * sine, b * cosine + a * sine


@triton.jit
def _halves(x, at, j, half, inside):
    """Both halves of the head at x + at."""
    return tl.load(x + at + j, mask=inside, other=0.0), tl.load(x + at + half + j, mask=inside, other=0.0)


@triton.jit
def _normed(a, b, gains, at, j, half, inside, eps, AXIS: tl.constexpr):
    """Both halves of heads after RMSNorm with the gains at gains + at."""
    squares = tl.sum(a * a + b * b, AXIS, keep_dims=True)
    scale = 1.0 / tl.sqrt(squares / (2 * half) + eps)
    g1, g2 = _halves(gains, at, j, half, inside)
    return a * scale * g1, b * scale * g2


@triton.jit
def _cache_at(pages, slot, kv_head, kv_heads, capacity, position):
    """The cell (one head of one position) of a sequence in the cache's pages. Only this depends on its order.

    The slot must exist, and the position be below the capacity."""
    page = tl.load(pages + slot * tl.cdiv(capacity, 64) + position // 64)
    return (page * kv_heads + kv_head) * 64 + position % 64


@triton.jit
def _put(cache, cell, j, half, inside, a, b):
    """Write both halves of a head to a cell of the cache."""
    at = cache + cell * (2 * half) + j
    tl.store(at, a.to(cache.dtype.element_ty), mask=inside)
    tl.store(at + half, b.to(cache.dtype.element_ty), mask=inside)


@triton.jit
def rope_cache(
    qkv, rows, steps, gains, q, k, v, pages, count, heads, kv_heads, d, slots, capacity, blocks, eps,
    ROPE: tl.constexpr, NORM: tl.constexpr, HALVES: tl.constexpr, HEADS: tl.constexpr, HALF: tl.constexpr,
):  # fmt: skip
    """Apply norms and RoPE to q and k, and write k and v to the cache. A program handles HEADS heads of a row."""
    program = tl.minimum(_program(), count * blocks - 1)
    row = program // blocks
    head = (program % blocks * HEADS + tl.arange(0, HEADS))[:, None]
    j = tl.arange(0, HALF)[None, :]
    half = d // 2
    all_heads = heads + 2 * kv_heads
    inside = (head < all_heads) & (j < half)
    slot = tl.load(rows + 2 * row)
    position = tl.load(rows + 2 * row + 1)
    exists = (slot >= 0) & (slot < slots) & (position != -1)
    a, b = _halves(qkv, (row * all_heads + head) * d, j, half, inside)
    if NORM:
        is_v = head >= heads + kv_heads
        c, e = _normed(a, b, gains, tl.where(head < heads, 0, d), j, half, inside, eps, 1)
        a, b = tl.where(is_v, a, c), tl.where(is_v, b, e)
    if ROPE:
        sine, cosine = _sine_cosine(steps, position, tl.minimum(j, half - 1))
        c, e = _turned(a, b, sine, cosine)
        is_v = head >= heads + kv_heads
        a, b = tl.where(is_v, a, c), tl.where(is_v, b, e)
    at = q + (row * heads + head) * d + j
    tl.store(at, tl.where(exists, a, 0.0), mask=inside & (head < heads))
    tl.store(at + half, tl.where(exists, b, 0.0), mask=inside & (head < heads))
    fits = exists & (position < capacity)
    kept = inside & fits
    a, b = stored(a, HALVES), stored(b, HALVES)
    first_cell = _cache_at(pages, tl.where(fits, slot, 0), 0, kv_heads, capacity, tl.where(fits, position, 0))
    cell = first_cell + (head - heads) % kv_heads * 64
    _put(k, cell, j, half, kept & (head >= heads) & (head < heads + kv_heads), a, b)
    _put(v, cell, j, half, kept & (head >= heads + kv_heads), a, b)


@triton.jit
def attention_decode(
    qkv, rows, steps, gains, k, v, pages, out, heads, kv_heads, d, slots, capacity, window, splits, scale, eps,
    ROPE: tl.constexpr, NORM: tl.constexpr, HALVES: tl.constexpr, KEYS: tl.constexpr, HALF: tl.constexpr,
):  # fmt: skip
    """Attention of one new row per sequence; the row's key and value are appended to the cache.

    A program handles a query head and one of `splits` slices of the context. Each of KEYS lanes has its own maximum;
    the lanes are combined at the end."""
    split, head, row = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    group = heads // kv_heads
    kv_head = head // group
    j = tl.arange(0, HALF)
    half = d // 2
    inside = j < half
    slot = tl.load(rows + 2 * row)
    position = tl.load(rows + 2 * row + 1)
    exists = (slot >= 0) & (slot < slots) & (position != -1)
    line = row * (heads + 2 * kv_heads)
    q1, q2 = _halves(qkv, (line + head) * d, j, half, inside)
    k1, k2 = _halves(qkv, (line + heads + kv_head) * d, j, half, inside)
    v1, v2 = _halves(qkv, (line + heads + kv_heads + kv_head) * d, j, half, inside)
    if NORM:
        q1, q2 = _normed(q1, q2, gains, 0, j, half, inside, eps, 0)
        k1, k2 = _normed(k1, k2, gains, d, j, half, inside, eps, 0)
    if ROPE:
        sine, cosine = _sine_cosine(steps, position, tl.minimum(j, half - 1))
        q1, q2 = _turned(q1, q2, sine, cosine)
        k1, k2 = _turned(k1, k2, sine, cosine)
    k1, k2, v1, v2 = stored(k1, HALVES), stored(k2, HALVES), stored(v1, HALVES), stored(v2, HALVES)
    last = split == splits - 1
    own_slot = tl.where(exists, slot, 0)
    writes = inside & (last & exists & (position < capacity) & (head % group == 0))

    stop = tl.where(exists, tl.minimum(position, capacity), 0)
    first = tl.where(window > 0, tl.minimum(tl.maximum(position + 1 - window, 0), stop), 0)
    size = tl.cdiv(tl.cdiv(stop - first, splits), 16) * 16
    begin = tl.minimum(first + split * size, stop)
    end = tl.minimum(begin + size, stop)
    best = tl.full((KEYS,), -1e38, tl.float32)
    weight = tl.zeros((KEYS,), tl.float32)
    o1 = tl.zeros((KEYS, HALF), tl.float32)
    o2 = tl.zeros((KEYS, HALF), tl.float32)
    place = tl.minimum(j, half - 1)[None, :]
    for start in range(begin, end, KEYS):
        at = start + tl.arange(0, KEYS)
        cell = _cache_at(pages, own_slot, kv_head, kv_heads, capacity, tl.minimum(at, end - 1))[:, None] * d + place
        x1, x2 = tl.load(k + cell).to(tl.float32), tl.load(k + cell + half).to(tl.float32)
        y1, y2 = tl.load(v + cell).to(tl.float32), tl.load(v + cell + half).to(tl.float32)
        score = tl.sum(x1 * q1[None, :] + x2 * q2[None, :], 1)
        score = tl.where(at < end, score * scale, -1e38)
        new = tl.maximum(best, score)
        fade = tl.exp(best - new)
        p = tl.where(at < end, tl.exp(score - new), 0.0)
        best = new
        weight = weight * fade + p
        o1 = o1 * fade[:, None] + y1 * p[:, None]
        o2 = o2 * fade[:, None] + y2 * p[:, None]
    # The new key and value are stored after the loop; no other program reads this cell.
    own_place = tl.where(exists & (position < capacity), position, 0)
    own_cell = _cache_at(pages, own_slot, kv_head, kv_heads, capacity, own_place)
    _put(k, own_cell, j, half, writes, k1, k2)
    _put(v, own_cell, j, half, writes, v1, v2)

    own = tl.sum(q1 * k1 + q2 * k2, 0) * scale
    has_own = last & exists
    top = tl.max(best, 0)
    top = tl.where(has_own, tl.maximum(top, own), top)
    fade = tl.exp(best - top)
    p = tl.where(has_own, tl.exp(own - top), 0.0)
    total = tl.sum(weight * fade, 0) + p
    inverse = tl.where(total > 0.0, 1.0 / total, 0.0)
    o1 = (tl.sum(o1 * fade[:, None], 0) + p * v1) * inverse
    o2 = (tl.sum(o2 * fade[:, None], 0) + p * v2) * inverse
    to = (row * heads + head) * d
    if splits > 1:
        to = ((row * heads + head) * splits + split) * (d + 4)
        # The log of the sum of exponentials, and whether there were any keys.
        e = tl.arange(0, 4)
        used = total > 0.0
        facts = tl.where(e == 0, top + tl.log(tl.where(used, total, 1.0)), tl.where(e == 1, 1.0, 0.0))
        tl.store(out + to + d + e, tl.where(used, facts, 0.0))
    tl.store(out + to + j, o1, mask=inside)
    tl.store(out + to + half + j, o2, mask=inside)


@triton.jit
def attention_combine(part, out, rows, heads, d, splits, BLOCK: tl.constexpr):
    """Combine the slices of a split context, for a head of a row."""
    line = tl.minimum(_program(), rows * heads - 1)
    e = tl.arange(0, BLOCK)
    inside = e < d
    top = -1e38
    total = 0.0
    o = tl.zeros((BLOCK,), tl.float32)
    for split in range(0, splits):
        at = part + (line * splits + split) * (d + 4)
        used = tl.load(at + d + 1) > 0.0
        log_sum = tl.where(used, tl.load(at + d), -1e38)
        new = tl.maximum(top, log_sum)
        fade = tl.exp(top - new)
        p = tl.where(used, tl.exp(log_sum - new), 0.0)
        total = total * fade + p
        o = o * fade + p * tl.load(at + e, mask=inside, other=0.0)
        top = new
    tl.store(out + line * d + e, tl.where(total > 0.0, o / total, 0.0), mask=inside)


@triton.jit
def _block(cache, cell, width, d):
    """Keys or values [keys, D] from cells of the cache."""
    at = cell[:, None] * d + tl.minimum(width, d - 1)[None, :]
    return tl.where((width < d)[None, :], tl.load(cache + at).to(tl.float32), 0.0)


@triton.jit
def attention_prefill(
    q, rows, k, v, pages, out, count, heads, kv_heads, d, slots, capacity, window, scale,
    BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr,
):  # fmt: skip
    """Attention of prompt rows; the cache already holds their keys and values. A program has BM rows of a sequence."""
    head = tl.program_id(1)
    row = tl.program_id(0) * BM + tl.arange(0, BM)
    width = tl.arange(0, D)
    here = tl.minimum(row, count - 1)
    position = tl.where(row < count, tl.load(rows + 2 * here + 1), -1)
    slot = tl.load(rows + 2 * here)
    real = (position != -1) & (slot >= 0) & (slot < slots)
    stops = tl.where(real, tl.minimum(position + 1, capacity), 0)
    firsts = tl.where(window > 0, tl.minimum(tl.maximum(position + 1 - window, 0), stops), 0)
    stop = tl.max(stops, 0)
    first = tl.min(tl.where(real, firsts, stop), 0)
    own_slot = tl.max(tl.where(real, slot, 0), 0)
    kv_head = head // (heads // kv_heads)
    at_q = (here[:, None] * heads + head) * d + tl.minimum(width, d - 1)[None, :]
    query = tl.where((width < d)[None, :], tl.load(q + at_q), 0.0) * scale
    best = tl.full((BM,), -1e38, tl.float32)
    weight = tl.zeros((BM,), tl.float32)
    total = tl.zeros((BM, D), tl.float32)
    for start in range(first // BN * BN, stop, BN):
        at = start + tl.arange(0, BN)
        clamped = tl.minimum(tl.maximum(at, first), stop - 1)
        cell = _cache_at(pages, own_slot, kv_head, kv_heads, capacity, clamped)
        keys = _block(k, cell, width, d)
        seen = (at[None, :] < stops[:, None]) & (at[None, :] >= firsts[:, None])
        scores = tl.where(seen, tl.dot(query, tl.trans(keys), input_precision="ieee"), -1e38)
        new = tl.maximum(best, tl.max(scores, 1))
        fade = tl.exp(best - new)
        p = tl.where(seen, tl.exp(scores - new[:, None]), 0.0)
        best = new
        weight = weight * fade + tl.sum(p, 1)
        values = _block(v, cell, width, d)
        total = tl.dot(p, values, total * fade[:, None], input_precision="ieee")
    mean = tl.where((weight > 0.0)[:, None], total / weight[:, None], 0.0)
    tl.store(out + at_q, mean, mask=(row[:, None] < count) & (width[None, :] < d))
