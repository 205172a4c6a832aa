"""Tiles of the GEMM template, for GEMM and matmul."""

from __future__ import annotations

from ...gpu import Traits
from ..grid import MOST, Grid, ceil_div
from ..kernel import Variant

# (bm, bn, bk, tm, tn): a workgroup's tile, its depth, and a thread's part of it; larger tiles first. The value is the
# number of workgroups from which on the tile is worth it on a large GPU (Traits.filling; see bench/notes/training.md).
_SHARED = {
    (128, 128, 16, 8, 8): 1000,
    (64, 128, 16, 8, 8): 250,
    (64, 64, 16, 8, 4): 250,
    (64, 64, 32, 8, 4): 100,
    (32, 32, 32, 4, 4): 0,
}
# In f16 arithmetic a deeper tile costs no more memory and makes fewer roundings to f32.
_SHARED_F16 = {(128, 64, 32, 8, 8): 600, (64, 64, 32, 8, 4): 600, (32, 32, 32, 4, 4): 0}
_REGISTER = ((16, 8), (8, 8), (4, 4))
_WIDE = 512  # up to this many columns a small tile is enough; a software driver compiles it five times as fast
_TALL = 192  # from this many rows on, the tallest tile is worth the seconds to compile it on a software driver
_DEPTH = 32  # the depth of every tile divides it
_FILLED = 224  # workgroups of the largest tile that fill a large GPU (Traits.filling)
FEW = (64, 64, 16)  # bm, bn, bk of the tile for few rows in blocks of k
_FILLED_FEW = 1120  # such tiles fill a large GPU
_LEAST_BLOCK = 256  # smallest block of k that is worth another sum
_MOST_BLOCKS = 16
_MOST_TEAM_ROWS = 32
_MANY_COLUMNS = 8192  # from this many columns on, small workgroups are faster
_PADDING = 1.1  # relative to the result's size: with more padding a smaller tile is faster


def shared_bytes(v: Variant) -> int:
    """Workgroup memory of a shared-memory tile (rows padded by one vector against bank conflicts)."""
    return int(v["bk"] * (v["bm"] // 4 + v["bn"] // 4 + 2) * 16)


def styles(traits: Traits, m: int, n: int, compute: str = "f32", blocks: int = 1) -> list[Variant]:
    """Tiles in order of preference for an M x N result (one per block of k) on this GPU."""
    shared: list[Variant] = []
    fitting: list[Variant] = []  # the largest tile with enough workgroups comes first
    for (bm, bn, bk, tm, tn), enough in (_SHARED_F16 if compute == "f16" else _SHARED).items():
        v: Variant = {"style": "shared", "bm": bm, "bn": bn, "bk": bk, "tm": tm, "tn": tn, "unroll": 16}
        if shared_bytes(v) > traits.workgroup_bytes:
            continue
        shared.append(v)
        down, across = ceil_div(m, bm), ceil_div(n, bn)
        wasteful = bm > 64 and down * bm * across * bn > _PADDING * m * n
        if (blocks > 1 and bm < 2 * m) or (down * across >= traits.filling(enough) and not wasteful):
            fitting.append(v)
    shared = fitting + [v for v in reversed(shared) if v not in fitting]
    unused = 16 if traits.software and (m < _TALL or n <= _WIDE) else 8
    heights = [(bm, bn) for bm, bn in _REGISTER if bm != unused]
    register: list[Variant] = [{"style": "register", "bm": bm, "bn": bn, "threads": 16} for bm, bn in heights]
    register.sort(key=lambda v: v["bm"] > max(m, 4))  # stable sort: tiles no taller than the result come first
    if traits.software:
        register.sort(key=lambda v: n <= _WIDE and v["bm"] > 4)
        # Such drivers take seconds to compile an unrolled tile, and none is fast: only the smallest, as a check.
        least = min(shared, key=lambda v: v["bm"] * v["bn"])
        return [*register, {**least, "unroll": 4}]
    return shared + register


def blocks_of(traits: Traits, m: int, n: int, k: int) -> int:
    """Number of blocks of k with separate results, so that the largest tiles fill a GPU.

    It is 1 if the result has enough tiles or few rows, if k is short, and on a CPU.
    """
    bm, bn, *_ = next(iter(_SHARED))
    return 1 if m < bm else _blocks(traits, ceil_div(m, bm) * ceil_div(n, bn), k, traits.filling(_FILLED))


def blocks_of_few(traits: Traits, m: int, n: int, k: int) -> int:
    """The same for few rows, so that small tiles fill a GPU."""
    bm, bn, _ = FEW
    return _blocks(traits, ceil_div(m, bm) * ceil_div(n, bn), k, traits.filling(_FILLED_FEW))


def _blocks(traits: Traits, count: int, k: int, filled: int) -> int:
    if traits.software or count > filled // 2:
        return 1
    blocks = ceil_div(filled, count)
    return blocks if blocks <= _MOST_BLOCKS and k >= blocks * _LEAST_BLOCK else 1


def block_of(k: int, blocks: int) -> int:
    """The size of a block of k: a multiple of the depth of a tile. The last block may be shorter or empty."""
    return _DEPTH * ceil_div(ceil_div(k, blocks), _DEPTH)


def slices(k: int, blocks: int) -> list[slice]:
    """The range of k that each block sums over."""
    depth = block_of(k, blocks)
    return [slice(depth * z, depth * (z + 1)) for z in range(blocks)]


def teams(traits: Traits, m: int, n: int) -> list[Variant]:
    """Variants for the few rows of a batch that decodes: weights are read once. Empty if tiles are better."""
    if m > _MOST_TEAM_ROWS or not traits.subgroups:
        return []
    bm = next((rows for rows in (4, 8, 16) if m <= rows), 16)
    lanes = min(32, traits.subgroup_size)
    if traits.software:  # only one, as a check; it is never the fastest
        return [{"style": "team", "bm": 8, "bn": 4, "lanes": lanes, "threads": max(16, 2 * lanes)}]
    sizes = (128, 32) if n < _MANY_COLUMNS else (32, 128)
    return [{"style": "team", "bm": bm, "bn": 4, "lanes": lanes, "threads": size} for size in sizes if size >= lanes]


def grid(m: int, n: int, v: Variant) -> Grid:
    columns = v["bn"] * (v["threads"] if v["style"] == "register" else 1)
    return (ceil_div(n, columns), ceil_div(m, v["bm"]), 1)


def too_large(m: int, n: int, v: Variant) -> str | None:
    x, y, _ = grid(m, n, v)
    if max(x, y) > MOST:
        return f"a {m} x {n} result needs {x} x {y} workgroups, more than {MOST} in one dimension"
    return None
