"""A causal convolution of few taps along each sequence, and the state that it leaves for the rows that follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from ..attention.attending import PADDING, ROWS, is_padding, place, rows_of
from ..draw import draw
from ..elementwise.activations import logistic
from ..grid import Grid
from ..kernel import Arrays, BenchCase, Kernel, Out, Problem, Variant, case, reads, writes
from ..pieces.each import each_grid

_VEC4 = "vec4<f32>"
MOST_TAPS = 8


class ShortConv(Kernel):
    """Rows of a sequence follow each other, with consecutive positions. Columns are independent: each has its taps.

    `state` [slots, taps - 1, n] has the inputs of the last positions of each sequence, the oldest first. At position 0
    a sequence begins: what its state held is not read. Rows are of `stride` values. `gated`: they begin with B, C and
    X of n values each, the inputs are B X, and the results are multiplied by C. Otherwise the inputs are the first n,
    and `silu` is applied to the results.

    A thread has four columns of a row. That of the first row of a run also has those of the rows behind it that need
    the state, and writes the new one: no other thread reads what it writes.
    """

    name = "short_conv"
    math = "y[m] = C[m] sum_t w[t] u[m - taps + 1 + t], u = B X; or y[m] = silu(sum_t w[t] x[m - taps + 1 + t])"
    bindings = (
        reads("x", _VEC4, "rows stride"),
        ROWS,
        reads("w", _VEC4, "n taps"),
        writes("y", _VEC4),
        writes("state", _VEC4),
    )
    params = (("rows", "u32"), ("slots", "u32"), ("n", "u32"), ("stride", "u32"))
    static = ("taps", "gated", "silu")
    cases = (
        case(
            "gates: two sequences, one that begins, one that goes on, padding between them and behind",
            **place(3, 64, (2, 0, 9), (2, -1, 3), (0, 7, 6), (0, -1, 2)),
            **{"n": 36, "stride": 108, "taps": 3, "gated": True, "silu": False},
        ),
        case(
            "gates, every row another sequence: first positions, an idle row, a slot that does not exist",
            **place(6, 64, (3, 0, 1), (1, 1, 1), (0, 2, 1), (2, -1, 1), (6, 3, 1), (5, 40, 1)),
            **{"n": 20, "stride": 60, "taps": 3, "gated": True, "silu": False},
        ),
        case(
            "silu: runs shorter than the taps and longer, from the first positions on; rows have more columns",
            **place(6, 64, (3, 0, 2), (1, 1, 1), (0, 2, 3), (2, 1, 4), (4, 30, 17)),
            **{"n": 68, "stride": 100, "taps": 4, "gated": False, "silu": True},
        ),
    )
    bench_cases = (
        BenchCase(
            {**place(1, 1024, (0, 5, 1)), "n": 2048, "stride": 6144, "taps": 3, "gated": True, "silu": False},
            "LFM2-1.2B, a token",
        ),
        BenchCase(
            {**place(1, 1024, (0, 0, 512)), "n": 8192, "stride": 12352, "taps": 4, "gated": False, "silu": True},
            "Qwen3.5-4B, 512 tokens",
            software=False,
        ),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        rows, n, taps = rows_of(problem), problem["n"], problem["taps"]
        state = draw(rng, (problem["slots"], taps - 1, n))
        for slot, first, _ in problem["runs"]:
            if 0 <= first < taps - 1 and slot < len(state):
                state[slot, : taps - 1 - first] = np.nan  # before its beginning
        return {"x": draw(rng, (len(rows), problem["stride"])), "rows": rows, "w": draw(rng, (n, taps)), "state": state}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        n = problem["n"]
        return {"y": Out((problem["rows"], n)), "state": Out((problem["slots"], problem["taps"] - 1, n))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        n, taps, rows = problem["n"], problem["taps"], inputs["rows"]
        x, w, state = (inputs[name].astype(np.float64) for name in ("x", "w", "state"))
        u = x[:, :n] * x[:, 2 * n : 3 * n] if problem["gated"] else x[:, :n]
        y = np.zeros((len(rows), n))
        for m in np.flatnonzero(~is_padding(rows, problem)):
            slot, position = rows[m].tolist()
            known = min(position, taps - 1)
            past = np.concatenate([np.zeros((taps - 1 - known, n)), state[slot, taps - 1 - known :], u[m : m + 1]])
            y[m] = (past * w.T).sum(axis=0)
            state[slot] = past[1:]
        if problem["silu"]:
            y = y * logistic(y)
        return {"y": y * x[:, n : 2 * n] if problem["gated"] else y, "state": state}

    def flops(self, problem: Problem) -> int:
        return (2 * int(problem["taps"]) + 2) * int(problem["rows"]) * int(problem["n"])

    def bytes(self, problem: Problem) -> int:
        rows, n = int(problem["rows"]), int(problem["n"])
        runs = len(problem.get("runs", ())) or min(rows, int(problem["slots"]))
        return 4 * n * (rows * (4 if problem["gated"] else 2) + (int(problem["taps"]) - 1) * 2 * runs)

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        gpu, fat = {"threads": 128, "items": 1}, {"threads": 32, "items": 16}
        return [fat, gpu] if traits.software else [gpu, fat]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["n"] % 4 or problem["stride"] % 4:
            return f"n and stride must be multiples of 4, and are {problem['n']} and {problem['stride']}"
        if not 2 <= problem["taps"] <= MOST_TAPS:
            return f"taps must be from 2 to {MOST_TAPS}, and are {problem['taps']}"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        quads = {"n": problem["n"] // 4, "stride": problem["stride"] // 4}
        return {"rows": problem["rows"], "slots": problem["slots"], **quads}

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"PADDING": PADDING}

    def tune_key(self, problem: Problem) -> str:
        return f"taps={problem['taps']}"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return each_grid(problem["rows"] * problem["n"] // 4, variant)


KERNEL = ShortConv()
