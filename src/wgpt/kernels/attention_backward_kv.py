"""Gradient of attention with respect to keys and values: each query head's share, for rope_cache_backward to add up.

Adding up the heads of a group here would leave too few workgroups: 96 of 64 keys for four sequences of SmolLM2.
"""

from __future__ import annotations

from .attention_backward import ROW, RUNS, STATS, AttentionBackward, gradients
from .kernel import Arrays, Out, Problem, reads, writes


class AttentionBackwardKV(AttentionBackward):
    name = "attention_backward_kv"
    math = "dv = sum_i p_i dout_i; dk = scale sum_i p_i (dout_i . v - out_i . dout_i) q_i, over rows i that see the key"
    bindings = (
        reads("q", ROW),
        reads("k", ROW),
        reads("v", ROW),
        reads("dout", ROW),
        STATS,
        RUNS,
        writes("dk", ROW),
        writes("dv", ROW),
    )
    products = 4

    def outputs(self, problem: Problem) -> dict[str, Out]:
        share = Out((problem["rows"], problem["heads"] * problem["head_dim"]))
        return {"dk": share, "dv": share}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        exact = gradients(inputs, problem)
        return {name: exact[name] for name in ("dk", "dv")}


KERNEL = AttentionBackwardKV()
