"""Tiles of the GEMM template: what GEMM and matmul choose from."""

from __future__ import annotations

from ...gpu import Traits
from ..grid import MOST, Grid, ceil_div
from ..kernel import Variant

# (bm, bn, bk, tm, tn): a workgroup's tile, its depth, and a thread's share of it; larger tiles first. Each is worth it
# from so many workgroups on, of a large GPU (Traits.filling; measured: bench/RESULTS.md).
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
_WIDE = 512  # columns up to which a small tile will do, and a software driver compiles it in a fifth of the time
_TALL = 192  # rows from which the tallest tile is worth the seconds that a software driver compiles it
_DEPTH = 32  # of every tile, or a multiple of it
_FILLED = 224  # workgroups of the largest tile that fill a large GPU (Traits.filling)
_LEAST_BLOCK = 256  # k of a block for which another sum pays
_MOST_BLOCKS = 16
_MOST_TEAM_ROWS = 32
_MANY_COLUMNS = 8192  # of which few threads each make enough work
_PADDING = 1.1  # of a result's size: more of a tile that is not stored costs more than a smaller tile


def shared_bytes(v: Variant) -> int:
    """Workgroup memory of a shared-memory tile (rows padded by one vector against bank conflicts)."""
    return int(v["bk"] * (v["bm"] // 4 + v["bn"] // 4 + 2) * 16)


def styles(traits: Traits, m: int, n: int, compute: str = "f32", blocks: int = 1) -> list[Variant]:
    """Tiles in order of preference for an M x N result on this GPU, or for as many as there are blocks of k."""
    shared: list[Variant] = []
    fitting: list[Variant] = []  # the largest tile that still makes enough workgroups comes first
    for (bm, bn, bk, tm, tn), enough in (_SHARED_F16 if compute == "f16" else _SHARED).items():
        v: Variant = {"style": "shared", "bm": bm, "bn": bn, "bk": bk, "tm": tm, "tn": tn, "unroll": 16}
        if shared_bytes(v) > traits.workgroup_bytes:
            continue
        shared.append(v)
        down, across = ceil_div(m, bm), ceil_div(n, bn)
        wasteful = bm > 64 and down * bm * across * bn > _PADDING * m * n
        if blocks > 1 or (down * across >= traits.filling(enough) and not wasteful):
            fitting.append(v)
    shared = fitting + [v for v in reversed(shared) if v not in fitting]
    unused = 16 if traits.software and (m < _TALL or n <= _WIDE) else 8
    heights = [(bm, bn) for bm, bn in _REGISTER if bm != unused]
    register: list[Variant] = [{"style": "register", "bm": bm, "bn": bn, "threads": 16} for bm, bn in heights]
    register.sort(key=lambda v: v["bm"] > max(m, 4))  # stable: no tile taller than the result, if there is one
    if traits.software:
        register.sort(key=lambda v: n <= _WIDE and v["bm"] > 4)
        # Such a driver compiles an unrolled tile for seconds, and none of them pays: the smallest stands for all.
        least = min(shared, key=lambda v: v["bm"] * v["bn"])
        return [*register, {**least, "unroll": 4}]
    return shared + register


def blocks_of(traits: Traits, m: int, n: int, k: int) -> int:
    """Into how many blocks k is cut, each with a result of its own, so that the largest tiles fill a GPU.

    One where the result has tiles enough or few rows, where k is short, and on a CPU.
    """
    bm, bn, *_ = next(iter(_SHARED))
    count = ceil_div(m, bm) * ceil_div(n, bn)
    filled = traits.filling(_FILLED)
    if traits.software or m < bm or count > filled // 2:
        return 1
    blocks = ceil_div(filled, count)
    return blocks if blocks <= _MOST_BLOCKS and k >= blocks * _LEAST_BLOCK else 1


def block_of(k: int, blocks: int) -> int:
    """What a block of k holds where products are summed in blocks: whole tiles; the last may be short or empty."""
    return _DEPTH * ceil_div(ceil_div(k, blocks), _DEPTH)


def slices(k: int, blocks: int) -> list[slice]:
    """What of k each block sums over."""
    depth = block_of(k, blocks)
    return [slice(depth * z, depth * (z + 1)) for z in range(blocks)]


def teams(traits: Traits, m: int, n: int) -> list[Variant]:
    """For the few rows of a batch that decodes: the whole GPU reads the weights once. None where tiles are better."""
    if m > _MOST_TEAM_ROWS or not traits.subgroups:
        return []
    bm = next((rows for rows in (4, 8, 16) if m <= rows), 16)
    lanes = min(32, traits.subgroup_size)
    if traits.software:  # one for all: it is there to be checked, not used
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
