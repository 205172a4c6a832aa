"""What the backward of attention needs to know of each row: how large its scores are together, and out . dout."""

from __future__ import annotations

from .attention_backward import ROW, RUNS, AttentionBackward, row_stats
from .kernel import Arrays, Out, Problem, reads, writes


class AttentionStats(AttentionBackward):
    name = "attention_stats"
    math = "stats[row, head] = (log sum_j exp(scale q . k_j), out . dout)"
    bindings = (
        reads("q", ROW),
        reads("k", ROW),
        reads("out", ROW),
        reads("dout", ROW),
        RUNS,
        writes("stats", "vec2<f32>"),
    )
    products = 1

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"stats": Out((problem["rows"], problem["heads"], 2))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"stats": row_stats(inputs, problem)}


KERNEL = AttentionStats()
