"""Gradient of attention with respect to the queries; scores are computed again, and none is stored."""

from __future__ import annotations

from .attention_backward import ROW, RUNS, STATS, AttentionBackward, gradients
from .kernel import Arrays, Out, Problem, reads, writes


class AttentionBackwardQ(AttentionBackward):
    name = "attention_backward_q"
    math = "p_j = exp(scale q . k_j - lse); dq = scale sum_j p_j (dout . v_j - out . dout) k_j"
    bindings = (reads("q", ROW), reads("k", ROW), reads("v", ROW), reads("dout", ROW), STATS, RUNS, writes("dq", ROW))
    products = 3

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"dq": Out((problem["rows"], problem["heads"] * problem["head_dim"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"dq": gradients(inputs, problem)["dq"]}


KERNEL = AttentionBackwardQ()
