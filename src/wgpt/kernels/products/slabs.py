"""Slabs: variants for the tens of rows of a batch that decodes (gemm_slab.wgsl)."""

from __future__ import annotations

from ..kernel import Variant

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
