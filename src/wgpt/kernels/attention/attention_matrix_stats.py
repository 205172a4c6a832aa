"""What the backward of attention on matrix units needs besides its inputs: statistics of rows, and sizes of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from ..grid import Grid, ceil_div
from ..kernel import Arrays, Out, Problem, Variant, reads, writes
from .attending import Float
from .attention_backward import GRADIENT_READS, ROW, RUNS, WIDE, AttentionBackward, row_stats

BLOCK = 32  # rows whose largest values are found together
_TEAMS = (8, 4, 16)  # threads that share a row


def stats_shape(problem: Problem) -> tuple[int, int]:
    """Pairs: of each row and head, then of each slot, head (key heads after query heads) and block of rows."""
    heads = problem["heads"] + problem["kv_heads"]
    return problem["rows"] * problem["heads"] + problem["slots"] * heads * ceil_div(problem["capacity"], BLOCK), 2


def with_sizes(stats: Float, inputs: Arrays, problem: Problem) -> Float:
    """Statistics of rows, then largest magnitudes by block: of q and dout of a query head, of k and v of a key head."""
    heads, count = problem["heads"], stats_shape(problem)[0] - problem["rows"] * problem["heads"]
    sizes = np.full((problem["slots"], heads + problem["kv_heads"], ceil_div(problem["capacity"], BLOCK), 2), np.nan)
    q, dout = (np.abs(inputs[name]).reshape(problem["rows"], heads, -1) for name in ("q", "dout"))
    k, v = (np.abs(inputs[name]) for name in "kv")
    for slot, (first, rows) in enumerate(inputs["runs"].tolist()):
        for block, start in enumerate(range(0, rows, BLOCK)):
            stop = min(start + BLOCK, rows)
            at = slice(first + start, first + stop)
            sizes[slot, :heads, block] = np.stack([q[at].max((0, 2)), dout[at].max((0, 2))], -1)
            sizes[slot, heads:, block] = np.stack([x[slot, :, start:stop].max((1, 2)) for x in (k, v)], -1)
    return np.concatenate([stats.reshape(-1, 2), sizes.reshape(count, 2)])


class AttentionMatrixStats(AttentionBackward):
    """The log of each row's sum of exponentials (that of attention_matrix) with out . dout, and the largest magnitudes
    of q, dout, k and v in each block of rows, by which the backward kernels scale them before they become halves."""

    name = "attention_matrix_stats"
    math = (
        "stats = ((log_sum, out . dout) by row and head; (max |q|, max |dout|), (max |k|, max |v|) by head and block)"
    )
    bindings = (
        *GRADIENT_READS[:3],
        *(reads(name, ROW, WIDE) for name in ("out", "dout")),
        reads("log_sum", sizes="rows heads"),
        RUNS,
        writes("stats", "vec2<f32>"),
    )
    params = (("rows", "u32"), ("capacity", "u32"))
    products = 0

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"stats": Out(stats_shape(problem))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"stats": with_sizes(row_stats(inputs, problem), inputs, problem)}

    def bytes(self, problem: Problem) -> int:
        width = int(problem["head_dim"]) * (3 * int(problem["heads"]) + 2 * int(problem["kv_heads"]))
        return 4 * int(problem["rows"]) * (width + 3 * int(problem["heads"]))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        return [{"team": team, "threads": team * BLOCK} for team in _TEAMS]

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"BLOCK": BLOCK}

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        heads = problem["heads"] + problem["kv_heads"]
        return (heads, problem["slots"], ceil_div(problem["capacity"], BLOCK))


KERNEL = AttentionMatrixStats()
