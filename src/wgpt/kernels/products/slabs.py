"""Slabs: variants for the tens of rows of a batch that decodes (gemm_slab.wgsl)."""

from __future__ import annotations

from ...gpu import Traits
from ..grid import ceil_div
from ..kernel import Problem, Variant
from .panels import wide_chunk

LEAST_ROWS = 9  # of x; for fewer rows panels are better
MOST_ROWS = 128  # of x; for more rows tiles are better
# (bm, bn, tm, tn, threads, depth, buffers, raw): a workgroup's part of the result, a thread's part of it, quads of k that
# a group of threads multiplies at a time; see gemm_slab.wgsl.
_SHAPES: tuple[tuple[int, int, int, int, int, int, int, bool], ...] = (
    (16, 16, 8, 4, 64, 2, 1, False),
    (16, 32, 8, 4, 128, 2, 1, False),
    (32, 16, 8, 4, 128, 2, 1, False),
    (16, 32, 4, 4, 384, 2, 1, False),
    (32, 48, 8, 8, 192, 2, 1, False),
    (64, 48, 8, 8, 384, 2, 1, False),
    (64, 128, 8, 8, 384, 4, 1, False),
)
_NAMES = ("bm", "bn", "tm", "tn", "threads", "depth", "buffers", "raw")
_LONG = 4096  # from this K on, blocks of k are worth another sum
_FILLED = 256  # workgroups of a block of k that fill a large GPU (Traits.filling)
_BLOCK_TILE = 64 * 48  # outputs of such a workgroup
_MOST_BLOCKS = 8
SOFTWARE: Variant = {
    "style": "slab",
    "bm": 8,
    "bn": 8,
    "tm": 4,
    "tn": 4,
    "threads": 16,
    "depth": 2,
    "wide": 1,
    "buffers": 2,
    "raw": False,
}


def groups(v: Variant) -> int:
    """Groups of threads that share k."""
    return int(v["threads"] // (v["bm"] // v["tm"] * (v["bn"] // v["tn"])))


def deep(v: Variant) -> int:
    """Quads of k in a slab."""
    return groups(v) * int(v["depth"])


def _slabs(v: Variant) -> int:
    """Vectors of the slabs of x and decoded weights in workgroup memory: rows of an odd number of quads."""
    return int(v["buffers"] * (deep(v) | 1) * (v["bm"] if v["raw"] else v["bm"] + v["bn"]))


def _raw(v: Variant) -> int:
    """Vectors of the slabs of raw weights."""
    return int(v["buffers"] * (deep(v) // 2 | 1) * v["bn"]) if v["raw"] else 0


def rows(v: Variant) -> int:
    """Rows of each tile whose sums are added at a time: as many as fit into the memory of the slabs."""
    fitting = [r for r in (8, 4, 2) if v["tm"] % r == 0 and v["threads"] * v["tn"] // 4 * r <= _slabs(v)]
    return max(fitting, default=1)


def shared_bytes(v: Variant) -> int:
    """Maximum workgroup memory: slabs or the sums of the groups, the roots of the norm, and the codes of NF4."""
    sums = v["threads"] * v["tn"] // 4 * rows(v)
    return int(16 * (max(_slabs(v), sums) + _raw(v)) + 4 * v["bm"] + 64)


def offered(traits: Traits, problem: Problem) -> list[Variant]:
    """Slabs in order of preference; `problem` is that of the whole matrix.

    The rows decide on the heights, the other sizes only on the order. Small cases therefore check all slabs that large
    problems use.
    """
    if traits.software:  # only one, as a check; it is never the fastest
        return [SOFTWARE]
    chunk = wide_chunk(problem["weight"])
    wide = 2 if chunk and problem["k"] % chunk == 0 else 1
    shapes = [dict(zip(_NAMES, shape, strict=True)) for shape in _SHAPES if shape[0] < 2 * problem["m"]]
    variants: list[Variant] = [{"style": "slab", **shape, "wide": wide} for shape in shapes]
    fitting = [v for v in variants if shared_bytes(v) <= traits.workgroup_bytes]
    return sorted(fitting, key=lambda v: _cost(traits, problem, v))


def _cost(traits: Traits, problem: Problem, v: Variant) -> float:
    """An estimate of the time: the work of the busiest core, more of it for loads from workgroup memory."""
    count = ceil_div(problem["n"], v["bn"]) * ceil_div(problem["m"], v["bm"]) * problem.get("blocks", 1)
    turns = ceil_div(count, traits.filling(132))
    loads = 4 * (1 / v["tm"] + 1 / v["tn"]) + 6 * (1 / v["bm"] + 1 / v["bn"])
    idle = 1 + 128 / min(turns * v["threads"], 512)  # few threads do not hide the time of a load
    return turns * v["bm"] * v["bn"] * (1 + loads) * idle


def blocks_of(traits: Traits, m: int, n: int, k: int) -> int:
    """Number of blocks of k with separate results, if few columns have a long sum."""
    if traits.software or m < LEAST_ROWS or k < _LONG:
        return 1
    blocks = ceil_div(traits.filling(_FILLED) * _BLOCK_TILE, m * n)
    return max(1, min(blocks, _MOST_BLOCKS))


def refused(v: Variant, chunk: int) -> str | None:
    """Why the sizes of a slab are invalid; None if they are valid. `chunk`: that of the weights' wide loads."""
    if v["bm"] % v["tm"] or v["bn"] % v["tn"] or v["tn"] % 4:
        return f"tiles of {v['tm']} x {v['tn']} do not fill a slab of {v['bm']} x {v['bn']}, or not in fours"
    places = v["bm"] // v["tm"] * (v["bn"] // v["tn"])
    if v["threads"] % places:
        return f"{v['threads']} threads are no multiple of {places} tiles"
    if v["threads"] % deep(v):
        return f"{v['threads']} threads are no multiple of the {deep(v)} quads of a slab"
    if v["raw"] and (v["wide"] == 1 or chunk != 8 or v["depth"] % 2):
        return "raw slabs are for weights of 16 bits, two quads at a time"
    if v["wide"] > 1 and 4 * deep(v) % chunk:
        return f"loads of two quads need slabs of whole chunks of {chunk}, and a slab is {4 * deep(v)} deep"
    if v["half"] != "packed":
        return "slabs read halves in words"
    return None
