"""Panels: variants for the few rows of a batch that decodes (gemm_panel.wgsl)."""

from __future__ import annotations

from ...gpu import Traits
from ...quant.weights import weight_type
from ..grid import ceil_div
from ..kernel import Problem, Variant, distinct

MOST_ROWS = 32  # of x; for more rows only a few are offered, and mostly slabs are better
_BM = 16  # the height of the tallest panel
_BUSY = 130  # workgroups that keep a large GPU busy
_WIDTHS = (32, 16, 8, 4)
_THREADS = (256, 128, 64)
# Further parameters to tune, and for which widths of a panel.
_OTHERS: tuple[tuple[dict[str, int], tuple[int, ...]], ...] = (
    ({"unroll": 2}, _WIDTHS),
    ({"unroll": 1, "wide": 1}, (4,)),
    ({"tm": 8, "tn": 4}, (16,)),
)
# For any number of rows, in order of preference: bn, tm, tn, threads.
_TALL = ((4, 8, 4, 64), (4, 4, 4, 128), (8, 4, 4, 256), (16, 4, 4, 256))
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


def wide_chunk(weight: str) -> int:
    """The chunk size of types whose loads hold two quads (16 bytes of halves, or a word of nibbles); otherwise 0.

    Such loads need rows of whole chunks.
    """
    chunk = weight_type(weight).chunk
    return chunk if chunk in (8, 32) else 0


def groups(v: Variant) -> int:
    """Groups of threads that share k."""
    return int(v["threads"] // (v["bm"] // v["tm"] * (v["bn"] // v["tn"])))


def shared_bytes(v: Variant) -> int:
    """Maximum workgroup memory: the sums of the groups, a column of squares, and the codes of NF4."""
    return 4 * (groups(v) * (v["bm"] * (v["bn"] + 1) + 1) + 16)


def offered(traits: Traits, problem: Problem) -> list[Variant]:
    """Panels in order of preference; `problem` is that of the whole matrix.

    The rows decide on the height, the other sizes only on the order. Small cases therefore check all panels that
    large problems use.
    """
    if traits.software:  # only one, as a check; it is never the fastest
        return [SOFTWARE]
    m, k = problem["m"], problem["k"]
    bm = next((rows for rows in (4, 8) if m <= rows), _BM)
    chunk = wide_chunk(problem["weight"])
    wide = 2 if chunk and k % chunk == 0 else 1
    base = {"style": "panel", "bm": bm, "tm": 4, "tn": 4, "span": 4, "unroll": 3 - wide, "wide": wide}
    variants: list[Variant] = []
    if m <= MOST_ROWS:
        variants += [{**base, "bn": bn, "threads": threads} for bn in _WIDTHS for threads in _THREADS]
        variants += [{**base, "bn": bn, "threads": _THREADS[0], **other} for other, widths in _OTHERS for bn in widths]
    if bm == _BM:
        tall = (dict(zip(("bn", "tm", "tn", "threads"), sizes, strict=True)) for sizes in _TALL)
        variants += [{**base, **sizes, "unroll": 2} for sizes in tall]
    unique = distinct(v for v in variants if refused(v) is None)
    counts = {bn: ceil_div(problem["n"], bn) * ceil_div(m, bm) for bn in _WIDTHS}
    best = next((bn for bn, count in counts.items() if count >= traits.filling(_BUSY)), _WIDTHS[-1])

    def preference(v: Variant) -> tuple[int, bool]:
        """Sort key: distance from the best width, then whether there are more groups than work."""
        return max(v["bn"], best) // min(v["bn"], best), groups(v) > ceil_div(k, 4 * wide)

    fitting = [v for v in unique if shared_bytes(v) <= traits.workgroup_bytes]
    return fitting if m > MOST_ROWS else sorted(fitting, key=preference)


def ordinary(v: Variant) -> bool:
    """Whether it differs from the default only in width and threads."""
    return (v["tm"], v["tn"], v["span"], v["unroll"] * v["wide"]) == (4, 4, 4, 2)


def refused(v: Variant) -> str | None:
    """Why the sizes of a panel are invalid; None if they are valid."""
    places = v["bm"] // v["tm"] * (v["bn"] // v["tn"])
    if v["bm"] % v["tm"] or v["bn"] % v["tn"]:
        return f"tiles of {v['tm']} x {v['tn']} do not fill a panel of {v['bm']} x {v['bn']}"
    if not places or v["threads"] % (places * v["span"]):
        return f"{v['threads']} threads are no multiple of {places} tiles with {v['span']} threads each"
    return None
