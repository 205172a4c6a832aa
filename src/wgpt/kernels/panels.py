"""Panels: how a GPU multiplies the few rows of a batch that decodes (_panel.wgsl)."""

from __future__ import annotations

from collections.abc import Iterable

from ..gpu import Traits
from ..quant.weights import TYPES
from .grid import ceil_div
from .kernel import Problem, Variant

MOST_ROWS = 32  # of x; more are for tiles
_BUSY = 130  # workgroups that keep a large GPU busy
_WIDTHS = (32, 16, 8, 4)
_TILES = ((8, 2), (8, 4), (4, 2), (16, 2))  # besides 4 x 4
_THREADS = (256, 192, 128, 96, 64, 32)
# Weights of which a load has two quads: 16 bytes of halves, or a word of nibbles; rows are whole chunks then.
WIDE = {name: kind.chunk for name, kind in TYPES.items() if kind.chunk in (8, 32)}
SOFTWARE: Variant = {
    "style": "panel",
    "bm": 4,
    "bn": 8,
    "tm": 2,
    "tn": 4,
    "threads": 16,
    "span": 2,
    "unroll": 2,
    "wide": 1,
}


def groups(v: Variant) -> int:
    """Groups of threads that share k."""
    return int(v["threads"] // (v["bm"] // v["tm"] * (v["bn"] // v["tn"])))


def shared_bytes(v: Variant) -> int:
    """Workgroup memory at most: the groups' sums and a column of squares, and the codes of NF4."""
    return 4 * (groups(v) * (v["bm"] * (v["bn"] + 1) + 1) + 16)


def offered(traits: Traits, problem: Problem) -> list[Variant]:
    """The best known first, then what differs from it in one way; `problem` is that of the whole matrix."""
    if traits.software:  # one for all: it is there to be checked, not used
        return [SOFTWARE]
    m, k = problem["m"], problem["k"]
    bm = next((rows for rows in (4, 8) if m <= rows), 16)
    counts = {bn: ceil_div(problem["n"], bn) * ceil_div(m, bm) for bn in _WIDTHS}
    bn = next((bn for bn, count in counts.items() if count >= _BUSY), _WIDTHS[-1])
    wide = 2 if problem["weight"] in WIDE and k % WIDE[problem["weight"]] == 0 else 1
    first = {"bm": bm, "bn": bn, "tm": 4, "tn": 4, "unroll": 3 - wide, "wide": wide, "span": 4}
    others: list[dict[str, int]] = [{"bn": width} for width in (2 * bn, bn // 2) if width in _WIDTHS]
    others += [{"tm": tm, "tn": tn} for tm, tn in _TILES if tm <= bm]
    others += [{"unroll": 3 - first["unroll"]}, {"span": 1}, {"span": 8}, {"threads": 128}, {"threads": 512}]
    others += [{"wide": 1, "unroll": 2}] * (wide > 1) + [{"bm": 32, "tm": 8}] * (m > 16)
    return list(_fitting(traits, k, [first, *({**first, **other} for other in others)]))


def _fitting(traits: Traits, k: int, shapes: Iterable[dict[str, int]]) -> Iterable[Variant]:
    seen: list[Variant] = []
    for shape in shapes:
        for threads in [shape["threads"]] if "threads" in shape else _by_steps(shape, k):
            v: Variant = {"style": "panel", **shape, "threads": threads}
            fits = shared_bytes(v) <= traits.workgroup_bytes and threads <= traits.max_invocations
            if fits and refused(v) is None:
                if v not in seen:
                    seen.append(v)
                    yield v
                break


def _by_steps(shape: dict[str, int], k: int) -> list[int]:
    """Those first that need the fewest steps; of them, those with the fewest idle threads."""
    units = ceil_div(k, 4 * shape["wide"])
    return sorted(_THREADS, key=lambda n: (ceil_div(units, max(1, groups({**shape, "threads": n}))), n))


def refused(v: Variant) -> str | None:
    """Why a panel cannot be cut so."""
    places = v["bm"] // v["tm"] * (v["bn"] // v["tn"])
    if v["bm"] % v["tm"] or v["bn"] % v["tn"]:
        return f"tiles of {v['tm']} x {v['tn']} do not fill a panel of {v['bm']} x {v['bn']}"
    if not places or v["threads"] % (places * v["span"]):
        return f"{v['threads']} threads are no multiple of {places} tiles with {v['span']} threads each"
    return None
