"""Slabs: variants for the tens of rows of a batch that decodes (gemm_slab.wgsl)."""

from __future__ import annotations

from ...gpu import Traits
from ..grid import ceil_div
from ..kernel import Problem, Variant
from .panels import wide_chunk

LEAST_ROWS, MOST_ROWS = 9, 256  # of x; for fewer rows panels are better, for more rows tiles
# A workgroup's part of the result, a thread's part of it, and the threads of a workgroup. Then the quads of k that a
# group of threads multiplies at a time: of decoded weights, and of raw ones; 0: slower than others in all measurements.
_NAMES = ("bm", "bn", "tm", "tn", "threads")
_SHAPES = (
    ((16, 8, 4, 4, 128), 2, 4),
    ((16, 16, 8, 4, 64), 2, 4),
    ((16, 16, 4, 4, 128), 2, 0),
    ((16, 16, 8, 4, 128), 0, 2),
    ((16, 32, 4, 4, 128), 0, 4),
    ((16, 32, 8, 4, 128), 2, 2),
    ((16, 32, 8, 4, 128), 0, 4),
    ((16, 32, 8, 4, 192), 2, 2),
    ((16, 32, 4, 4, 384), 4, 4),
    ((32, 16, 8, 4, 128), 2, 2),
    ((32, 32, 8, 4, 128), 2, 2),
    ((16, 48, 8, 4, 192), 2, 4),
    ((16, 48, 4, 4, 192), 0, 4),
    ((16, 64, 8, 8, 64), 2, 4),
    ((16, 64, 8, 8, 128), 1, 2),
    ((16, 128, 16, 4, 128), 0, 4),
    ((32, 48, 8, 8, 192), 2, 0),
    ((64, 48, 8, 8, 384), 2, 0),
    ((128, 64, 8, 8, 128), 4, 0),
)
SOFTWARE: Variant = {
    "style": "slab",
    "bm": 8,
    "bn": 8,
    "tm": 4,
    "tn": 4,
    "threads": 16,
    "depth": 2,
    "wide": 1,
    "raw": False,
}
# For estimates of the time on the GPU that was measured, in cycles of a core.
_SUMS = 128  # multiply-adds of a cycle
_STAGING = 8.0  # cost of a value that is staged, in multiply-adds
_SLAB, _WORKGROUP = 1200, 1000  # time that a workgroup waits for a slab, and at its end
_REGISTERS, _OTHERS = 65536, 100  # of a core; of a thread besides its sums
# Blocks of k:
_LONG = 4096  # from this K on they are worth another sum
_BLOCK_SUMS = 400_000  # of all blocks, on a large GPU (Traits.filling)
_MOST_BLOCKS = 8


def groups(v: Variant) -> int:
    """Groups of threads that share k."""
    return int(v["threads"] // (v["bm"] // v["tm"] * (v["bn"] // v["tn"])))


def deep(v: Variant) -> int:
    """Quads of k in a slab."""
    return groups(v) * int(v["depth"])


def _slab(v: Variant) -> int:
    """Vectors of a slab of x and decoded weights: rows of an odd number of quads."""
    return int((deep(v) | 1) * (v["bm"] if v["raw"] else v["bm"] + v["bn"]))


def rows(v: Variant) -> int:
    """Rows of each tile whose sums are added at a time: as many as fit into the memory of a slab."""
    fitting = [r for r in (8, 4, 2) if v["tm"] % r == 0 and v["threads"] * v["tn"] // 4 * r <= _slab(v)]
    return max(fitting, default=1)


def shared_bytes(v: Variant) -> int:
    """Maximum workgroup memory: a slab or the sums of the groups, raw weights, roots of the norm, codes of NF4."""
    sums = v["threads"] * v["tn"] // 4 * rows(v)
    raw = v["bn"] * (deep(v) // 2 | 1) if v["raw"] else 0
    return int(16 * (max(_slab(v), sums) + raw) + 4 * v["bm"] + 64)


def offered(traits: Traits, problem: Problem) -> list[Variant]:
    """Slabs in order of preference; `problem` is that of the whole matrix.

    The rows decide on the heights, the other sizes only on the order. Small cases therefore check all slabs that large
    problems use.
    """
    if traits.software:  # only one, as a check; it is never the fastest
        return [SOFTWARE]
    chunk = wide_chunk(problem["weight"])
    wide = 2 if chunk and problem["k"] % chunk == 0 else 1
    halves = wide == 2 and chunk == 8
    variants: list[Variant] = []
    for sizes, decoded, raw in _SHAPES:
        named = {"style": "slab", **dict(zip(_NAMES, sizes, strict=True))}
        depth = raw if halves and raw else decoded
        if depth and sizes[0] < 2 * problem["m"]:
            variants.append({**named, "depth": depth, "wide": wide, "raw": bool(halves and raw)})
    fitting = [v for v in variants if shared_bytes(v) <= traits.workgroup_bytes and not refused(v, chunk)]
    return sorted(fitting, key=lambda v: _cycles(traits, problem, v))


def _cycles(traits: Traits, problem: Problem, v: Variant) -> float:
    """An estimate of the time of the busiest core: its arithmetic and loads, and the latency that nothing hides."""
    blocks = problem.get("blocks", 1)
    count = ceil_div(problem["n"], v["bn"]) * ceil_div(problem["m"], v["bm"]) * blocks
    turns = ceil_div(count, traits.cores)
    k = ceil_div(problem["k"], blocks)
    loads = (0.5 if v["raw"] else 1) / v["tm"] + 1 / v["tn"] + _STAGING * (1 / v["bm"] + 1 / v["bn"])
    work = v["bm"] * v["bn"] * k * (1 + loads) / _SUMS
    latency = _SLAB * ceil_div(k, 4 * deep(v)) + _WORKGROUP
    resident = max(1, _REGISTERS // ((v["tm"] * v["tn"] + _OTHERS) * v["threads"]))
    return turns * work + ceil_div(turns, resident) * latency


def blocks_of(traits: Traits, m: int, n: int, k: int) -> int:
    """Number of blocks of k with separate results: more than one if few columns have long sums."""
    if traits.software or m < LEAST_ROWS or k < _LONG:
        return 1
    return max(1, min(traits.filling(_BLOCK_SUMS) // (m * n), _MOST_BLOCKS))


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
    return None
