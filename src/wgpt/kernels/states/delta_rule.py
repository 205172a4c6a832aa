"""The gated delta rule: linear attention whose state forgets, and learns only what it does not know yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu import Traits
from ..attention.attending import PADDING, ROWS, is_padding, place, rows_of
from ..draw import draw
from ..elementwise.activations import logistic
from ..grid import Grid, ceil_div, linear
from ..kernel import Arrays, BenchCase, Kernel, Out, Problem, Variant, case, reads, writes

EPS = 1e-6  # of the norms of q and k
_THREADS = 32
MOST_KEY = 128
Float = NDArray[np.float64]


def heads(k_heads: int, v_heads: int, k_dim: int, v_dim: int, **more: Any) -> dict[str, Any]:
    return {"k_heads": k_heads, "v_heads": v_heads, "k_dim": k_dim, "v_dim": v_dim, "tiled": False, **more}


class DeltaRule(Kernel):
    """Rows of a sequence follow each other, with consecutive positions; each has q and k heads, then v heads.

    `gates` are rows of `stride` values: b and a of each v head from column `at` on. `rates`: A of each v head, then
    dt. `state` [slots, v_heads, k_dim / 4, v_dim, 4] is each sequence's; at position 0 a sequence begins, and what its
    state held is not read. A k head is that of v_heads / k_heads v heads that follow each other, or, if `tiled`, of
    those k_heads apart.

    Columns of a state are independent: a thread has one of them in registers and goes through the rows of a run.
    "share": the threads of a workgroup load q and k together; otherwise each loads them, and loops are not written out.
    """

    name = "delta_rule"
    math = (
        "q, k = q / |q| / sqrt(k_dim), k / |k|; S = exp(A softplus(a + dt)) S; "
        "S += k (sigmoid(b) (v - S^T k))^T; y = S^T q"
    )
    bindings = (
        reads("x", "vec4<f32>", ""),
        reads("gates", sizes="rows stride"),
        ROWS,
        reads("rates", sizes="2*v_heads"),
        writes("y"),
        writes("state", "vec4<f32>"),
    )
    params = (("rows", "u32"), ("slots", "u32"), ("stride", "u32"), ("at", "u32"))
    static = ("k_heads", "v_heads", "k_dim", "v_dim", "tiled")
    cases = (
        case(
            "two v heads of a k head, columns that are no whole workgroup; a sequence that begins, one that goes on, "
            "padding, a slot that does not exist",
            **place(3, 64, (2, 0, 9), (2, -1, 3), (0, 7, 6), (3, 0, 1)),
            **heads(2, 4, 8, 36, stride=19, at=9),
        ),
        case(
            "the same in tiles, every row another sequence",
            **place(5, 64, (3, 0, 1), (1, 1, 1), (2, -1, 1), (4, 40, 1)),
            **heads(2, 4, 8, 36, stride=8, at=0) | {"tiled": True},
        ),
        case(
            "gates whose exp overflows",
            **place(2, 64, (1, 0, 5)),
            **heads(2, 4, 8, 36, stride=8, at=0, values="extreme"),
        ),
        case(
            "more than 65,535 workgroups: a second grid dimension",
            **place(2, 64, (1, -1, 33_000), (0, 3, 4)),
            **heads(1, 2, 4, 4, stride=4, at=0),
        ),
    )
    bench_cases = (
        BenchCase(
            {**place(1, 1024, (0, 5, 1)), **heads(16, 32, 128, 128, stride=12352, at=12288)}, "Qwen3.5-4B, a token"
        ),
        BenchCase(
            {**place(1, 1024, (0, 0, 512)), **heads(16, 32, 128, 128, stride=12352, at=12288)},
            "Qwen3.5-4B, 512 tokens",
            software=False,
        ),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        rows, v_heads = rows_of(problem), problem["v_heads"]
        state = draw(rng, self.outputs(problem)["state"].shape)
        for slot, first, _ in problem["runs"]:
            if first == 0 and slot < len(state):
                state[slot] = np.nan
        rates = np.concatenate([-rng.uniform(0.01, 4.0, v_heads), rng.standard_normal(v_heads)])
        gates = draw(rng, (len(rows), problem["stride"]), problem.get("values", "normal"))
        x = draw(rng, (len(rows), _width(problem)))
        return {"x": x, "gates": gates, "rows": rows, "rates": rates.astype(np.float32), "state": state}

    def operands(self, problem: Problem) -> dict[str, Out]:
        return {**super().operands(problem), "x": Out((problem["rows"], _width(problem)))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        v_heads, v_dim = problem["v_heads"], problem["v_dim"]
        state = (problem["slots"], v_heads, problem["k_dim"] // 4, v_dim, 4)
        return {"y": Out((problem["rows"], v_heads * v_dim)), "state": Out(state)}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        k_heads, v_heads, k_dim, v_dim = (problem[key] for key in ("k_heads", "v_heads", "k_dim", "v_dim"))
        rows, at = inputs["rows"], problem["at"]
        x, gates, rates, state = (inputs[name].astype(np.float64) for name in ("x", "gates", "rates", "state"))
        q, k, v = np.split(x, (k_heads * k_dim, 2 * k_heads * k_dim), axis=1)
        q, k = (_normed(y.reshape(len(rows), k_heads, k_dim)) for y in (q, k))
        order = np.arange(v_heads) % k_heads if problem["tiled"] else np.arange(v_heads) * k_heads // v_heads
        q, k, v = q[:, order] * k_dim**-0.5, k[:, order], v.reshape(len(rows), v_heads, v_dim)
        b, a = gates[:, at : at + v_heads], gates[:, at + v_heads : at + 2 * v_heads]
        decay = np.exp(rates[:v_heads] * np.logaddexp(0, a + rates[v_heads:]))
        state = state.swapaxes(3, 4).reshape(len(state), v_heads, k_dim, v_dim)  # as matrices
        y = np.zeros((len(rows), v_heads, v_dim))
        for m in np.flatnonzero(~is_padding(rows, problem)):
            slot, position = rows[m].tolist()
            s = state[slot] * decay[m][:, None, None] if position else np.zeros(state.shape[1:])
            delta = (v[m] - np.einsum("hij,hi->hj", s, k[m])) * logistic(b[m])[:, None]
            s = s + k[m][:, :, None] * delta[:, None]
            y[m] = np.einsum("hij,hi->hj", s, q[m])
            state[slot] = s
        state = state.reshape(len(state), v_heads, k_dim // 4, 4, v_dim).swapaxes(3, 4)
        return {"y": y.reshape(len(rows), -1), "state": state}

    def flops(self, problem: Problem) -> int:
        return 7 * int(problem["rows"]) * int(problem["v_heads"]) * int(problem["k_dim"]) * int(problem["v_dim"])

    def bytes(self, problem: Problem) -> int:
        rows, v_heads, v_dim = (int(problem[key]) for key in ("rows", "v_heads", "v_dim"))
        runs = len(problem.get("runs", ())) or min(rows, int(problem["slots"]))
        states = 8 * runs * v_heads * int(problem["k_dim"]) * v_dim
        return states + 4 * rows * (_width(problem) + v_heads * (v_dim + 2))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        both: list[Variant] = [{"threads": _THREADS, "share": True}, {"threads": _THREADS, "share": False}]
        return both[::-1] if traits.software else both

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["k_dim"] % 4 or not 4 <= problem["k_dim"] <= MOST_KEY or problem["v_dim"] % 4:
            sizes = f"{problem['k_dim']} and {problem['v_dim']}"
            return f"k_dim and v_dim must be multiples of 4, k_dim up to {MOST_KEY}, and are {sizes}"
        if problem["v_heads"] % problem["k_heads"]:
            return f"v_heads must be a multiple of k_heads, and {problem['v_heads']} is none of {problem['k_heads']}"
        return None

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        blocks = ceil_div(problem["v_dim"], variant["threads"])
        return {"PADDING": PADDING, "eps": EPS, "scale": problem["k_dim"] ** -0.5, "blocks": blocks}

    def tune_key(self, problem: Problem) -> str:
        return " ".join(f"{key}={problem[key]}" for key in ("k_dim", "v_dim"))

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(problem["rows"] * problem["v_heads"] * ceil_div(problem["v_dim"], variant["threads"]))


def _width(problem: Problem) -> int:
    return int(2 * problem["k_heads"] * problem["k_dim"] + problem["v_heads"] * problem["v_dim"])


def _normed(x: Float) -> Float:
    return np.asarray(x / np.sqrt((x * x).sum(axis=-1, keepdims=True) + EPS))


KERNEL = DeltaRule()
