"""Backward pass of attention: statistics of each row, then the gradients of queries and of keys and values.

The first part is shared: runs of rows, the assignment of query-key pairs to threads, and float64 references.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu import Traits
from ..draw import draw
from ..grid import MOST, Grid, ceil_div
from ..kernel import Arrays, BenchCase, Case, Kernel, Out, Problem, Variant, case, reads, writes
from . import attending
from .attending import Float, place, shape

ROW = "vec4<f32>"
RUNS = reads("runs", "vec2<u32>", "slots 2")  # per slot: first row and number of rows; positions start at 0
STATS = reads("stats", "vec2<f32>", "rows heads 2")  # per row and head: log of the sum of exponentials, and out . dout
WIDE = "rows heads*head_dim"
GRADIENT_READS = (reads("q", ROW, WIDE), reads("k", ROW, ""), reads("v", ROW, ""), reads("dout", ROW, WIDE))
_SOFTWARE_THREADS = 16
_SOFTWARE_OTHERS = (8, 4)  # rows per iteration: four compile in half the time, and take 10 % longer to run
_MANY_ROWS = 256
# Rows that a workgroup owns, other rows per iteration, own rows per thread (each with four other rows), and vec4s of
# a row staged at a time: an even number, so that with one vec4 of padding threads use different banks.
_TILES = ((64, 64, 4, 8), (64, 64, 8, 8), (32, 64, 4, 8), (32, 32, 4, 8))
_SOFTWARE_TILE = (8, 16, 2, 2)  # for checking the results of tiles, not for speed
_SOFTWARE_WIDEST = 24  # with more dimensions a software driver takes a minute to compile tiles

SMOLLM2_F32, QWEN2_F32 = shape(9, 3, 64, "f32"), shape(12, 2, 128, "f32")
# For the kernels on matrix units, too.
SMOLLM2_CASE = case(
    "SmolLM2's heads, sequences of many lengths, an empty slot, padding, one position alone",
    **SMOLLM2_F32,
    **place(5, 80, (3, 0, 71), (3, -1, 2), (0, 0, 33), (4, 0, 1), (2, -1, 3), (2, 0, 17)),
    window=0,
)
QWEN2_CASE = case(
    "Qwen2.5's heads, a window that leaves whole tiles out",
    **QWEN2_F32,
    **place(2, 90, (1, 0, 83), (0, 0, 40)),
    window=19,
)
ODD_CASE = case(
    "every query head has its own key head; a head that no power of two divides; a scale of its own",
    **shape(3, 3, 80, "f32"),
    **place(2, 40, (0, 0, 37), (0, -1, 4), (1, 0, 40)),
    window=0,
    scale=0.3,
)


def _cases() -> tuple[Case, ...]:
    return (
        SMOLLM2_CASE,
        case("two heads of one key head", **shape(2, 1, 64, "f32"), **place(1, 130, (0, 0, 130)), window=0),
        QWEN2_CASE,
        ODD_CASE,
        case(
            "five heads of one key head, runs of neighbours, tiles that are whole and others that are not",
            **shape(5, 1, 24, "f32"),
            **place(3, 33, (1, 0, 32), (0, 0, 33), (2, 0, 9)),
            window=0,
        ),
        case(
            "soft-capped scores, most of them near the cap, and a window",
            **shape(4, 2, 24, "f32"),
            **place(2, 70, (1, 0, 40), (0, 0, 9)),
            window=21,
            scale=0.5,
            cap=3.0,
        ),
        case("a window of two", **shape(5, 1, 24, "f32"), **place(1, 70, (0, 0, 21)), window=2),
        case(
            "scores of hundreds: exp of them overflows",
            **shape(2, 1, 64, "f32"),
            **place(2, 50, (1, 0, 47)),
            window=0,
            values="swings",
        ),
        case("the widest head", **shape(1, 1, 256, "f32"), **place(1, 20, (0, 0, 19)), window=0),
        case("the smallest head", **shape(2, 2, 8, "f32"), **place(2, 40, (0, 0, 3), (1, 0, 40)), window=9),
    )


def bench_case(model: str, heads: dict[str, Any], sequences: int, length: int, software: bool | None) -> BenchCase:
    placed = place(sequences, length, *((slot, 0, length) for slot in range(sequences)))
    return BenchCase({**heads, **placed, "window": 0}, f"{model}, {sequences} x {length} tokens", software=software)


class AttentionBackward(Kernel):
    """A workgroup owns rows of one sequence and one query head, and loops over the rows they form pairs with.

    It does so in tiles, or with one own row per thread ("thread", for drivers where barriers are expensive).
    """

    products: int  # dot products of head_dim elements, per pair
    params: tuple[tuple[str, str], ...] = (
        ("rows", "u32"),
        ("capacity", "u32"),
        ("window", "u32"),
        ("quads", "u32"),
        ("scale", "f32"),
    )
    static = ("heads", "kv_heads", "head_dim")
    cases: Sequence[Case] = _cases()
    bench_cases: tuple[BenchCase, ...] = (
        bench_case("SmolLM2", SMOLLM2_F32, 4, 512, False),
        bench_case("SmolLM2", SMOLLM2_F32, 2, 128, True),
        bench_case("Qwen2.5-1.5B", QWEN2_F32, 4, 512, False),
    )

    def operands(self, problem: Problem) -> dict[str, Out]:
        operands = super().operands(problem)
        return operands | {name: attending.cache_out(problem) for name in "kv" if name in operands}

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        arrays = self.drawn(rng, problem)
        arrays["out"] = gradients(arrays, problem)["out"].astype(np.float32)
        stats = row_stats(arrays, problem)
        arrays["log_sum"] = stats[..., 0].astype(np.float32)
        arrays["stats"] = self.with_sizes(stats, arrays, problem).astype(np.float32)
        return {b.name: arrays[b.name] for b in self.bindings if b.access == "read"}

    def with_sizes(self, stats: Float, arrays: Arrays, problem: Problem) -> Float:
        """The statistics that the kernel reads."""
        return stats

    def drawn(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        """Rows outside every run, and the cache after the end of each, are NaN: reading them would show."""
        runs, width = runs_of(problem), problem["heads"] * problem["head_dim"]
        arrays = {"runs": runs, **attending.random_cache(rng, problem, {i: range(n) for i, (_, n) in enumerate(runs)})}
        blank = ~in_runs(problem)
        for name, kind in (("q", problem.get("values", "normal")), ("dout", "normal")):
            arrays[name] = draw(rng, (problem["rows"], width), kind)
            arrays[name][blank] = np.nan
        return arrays

    def flops(self, problem: Problem) -> int:
        width = int(problem["heads"]) * int(problem["head_dim"])
        return 2 * self.products * width * attending.seen_keys(problem)

    def bytes(self, problem: Problem) -> int:
        """Rows as wide as all query heads, and the keys and values of the same number of rows."""
        d, rows = 4 * int(problem["head_dim"]), int(problem["rows"])
        heads = [problem["kv_heads"] if b.name in "kv" else problem["heads"] for b in self.bindings if b.elem == ROW]
        return rows * (d * int(sum(heads)) + 8 * int(problem["heads"]))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        alone: list[Variant] = [
            {"style": "thread", "own": _SOFTWARE_THREADS, "unroll": others} for others in _SOFTWARE_OTHERS
        ]
        if traits.software:
            alone.sort(key=lambda v: v["unroll"], reverse=problem["rows"] >= _MANY_ROWS)
            return [*alone, _tiles(*_SOFTWARE_TILE, 1)] if problem["head_dim"] <= _SOFTWARE_WIDEST else alone
        tiles = [_tiles(*sizes, sizes[-1]) for sizes in _TILES]
        return [v for v in tiles if _memory(v) <= traits.workgroup_bytes] + alone[:1]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        reason = attending.refused_shape(problem)
        if reason:
            return reason
        if problem["head_dim"] > attending.MOST_WITH_GRADIENTS:
            return f"head_dim must be up to {attending.MOST_WITH_GRADIENTS}, and is {problem['head_dim']}"
        if problem["cache"] != "f32":
            return f"the backward of attention takes keys and values in f32, not {problem['cache']}"
        if max(self.grid(problem, variant)) > MOST:
            return f"heads {problem['heads']}, slots {problem['slots']} or capacity {problem['capacity']} are too many"
        return None

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"windowed": problem["window"] > 0, "cap": attending.cap_of(problem)}

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        derived = {"quads": problem["head_dim"] // 4, "scale": attending.scale_of(problem)}
        return super().uniforms({**problem, **derived}, variant)

    def tune_key(self, problem: Problem) -> str:
        return f"head_dim={problem['head_dim']}"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        """Tiles are the last dimension, so that the tiles with the most pairs of all sequences start first."""
        return (problem["heads"], problem["slots"], ceil_div(problem["capacity"], variant["own"]))


def _tiles(own: int, other: int, each: int, depth: int, unroll: int) -> Variant:
    return {"style": "tiles", "own": own, "other": other, "each": each, "depth": depth, "unroll": unroll}


def _memory(v: Variant) -> int:
    """Bytes of workgroup memory: staged rows, and the weight of each pair (or the partial sums of a row)."""
    return int(16 * (v["own"] + v["other"]) * (v["depth"] + 1) + 16 * v["own"] * (v["other"] // 4 + 1))


# Runs ------------------------------------------------------------------------------------------------------


def runs_of(problem: Problem) -> NDArray[np.uint32]:
    """[slots, (first row, count)] from the runs of a case."""
    runs, row = np.zeros((problem["slots"], 2), np.uint32), 0
    for slot, first, count in problem["runs"]:
        if first >= 0:
            runs[slot] = row, count
        row += count
    return runs


def in_runs(problem: Problem) -> NDArray[np.bool_]:
    """Which rows belong to a sequence."""
    return ~attending.is_padding(attending.rows_of(problem), problem)


# In float64 ------------------------------------------------------------------------------------------------


def probabilities(inputs: Arrays, problem: Problem) -> Iterator[tuple[slice, int, Float, Float]]:
    """For each sequence and query head: rows, head, softmax(scale q k), and the log of the sums of exponentials."""
    d, group = problem["head_dim"], problem["heads"] // problem["kv_heads"]
    q = inputs["q"].astype(np.float64).reshape(problem["rows"], -1, d)
    for slot, (first, count) in enumerate(inputs["runs"].tolist()):
        at, apart = slice(first, first + count), np.subtract.outer(np.arange(count), np.arange(count))
        seen = (apart >= 0) & (apart < (problem["window"] or count + 1))
        for head in range(problem["heads"] if count else 0):
            k = inputs["k"][slot, head // group, :count].astype(np.float64)
            scores = np.where(seen, attending.scores_of(q[at, head] @ k.T, problem), -np.inf)
            peak = scores.max(-1, keepdims=True)
            e = np.exp(scores - peak)
            total = e.sum(-1, keepdims=True)
            yield at, head, e / total, (peak + np.log(total))[:, 0]


def gradients(inputs: Arrays, problem: Problem) -> Arrays:
    """out, dq, dk, dv: [rows, heads head_dim], NaN in rows outside every run.

    dk and dv hold the contribution of each query head, in the row of the key.
    """
    d, scale, group = problem["head_dim"], attending.scale_of(problem), problem["heads"] // problem["kv_heads"]
    cap = attending.cap_of(problem)
    q, dout = (inputs[name].astype(np.float64).reshape(problem["rows"], -1, d) for name in ("q", "dout"))
    results = {name: np.full_like(q, np.nan) for name in ("out", "dq", "dk", "dv")}
    slots = {first: slot for slot, (first, count) in enumerate(inputs["runs"].tolist()) if count}
    for at, h, p, _ in probabilities(inputs, problem):
        k, v = (inputs[name][slots[at.start], h // group, : len(p)].astype(np.float64) for name in ("k", "v"))
        out = p @ v
        ds = scale * p * (dout[at, h] @ v.T - (out * dout[at, h]).sum(-1, keepdims=True))
        if cap:
            ds *= 1 - (attending.scores_of(q[at, h] @ k.T, problem) / cap) ** 2
        results["out"][at, h], results["dv"][at, h] = out, p.T @ dout[at, h]
        results["dq"][at, h], results["dk"][at, h] = ds @ k, ds.T @ q[at, h]
    return {name: x.reshape(len(x), -1) for name, x in results.items()}


def row_stats(inputs: Arrays, problem: Problem) -> Float:
    """[rows, heads, (log of the sum of exponentials, out . dout)]; NaN in rows outside every run."""
    out, dout = (
        inputs[name].astype(np.float64).reshape(problem["rows"], problem["heads"], -1) for name in ("out", "dout")
    )
    stats = np.full((*out.shape[:2], 2), np.nan)
    for at, h, _, lse in probabilities(inputs, problem):
        stats[at, h] = np.stack([lse, (out[at, h] * dout[at, h]).sum(-1)], -1)
    return stats


class AttentionStats(AttentionBackward):
    """Per-row statistics for the backward kernels: the log of the sum of exponentials, and out . dout."""

    name = "attention_stats"
    math = "stats[row, head] = (log sum_j exp(scale q . k_j), out . dout)"
    bindings = (
        reads("q", ROW, WIDE),
        reads("k", ROW, ""),
        *(reads(name, ROW, WIDE) for name in ("out", "dout")),
        RUNS,
        writes("stats", "vec2<f32>"),
    )
    products = 1

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"stats": Out((problem["rows"], problem["heads"], 2))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"stats": row_stats(inputs, problem)}


class AttentionBackwardQ(AttentionBackward):
    """Gradient of attention with respect to the queries. Scores are recomputed, not stored."""

    name = "attention_backward_q"
    math = "p_j = exp(scale q . k_j - lse); dq = scale sum_j p_j (dout . v_j - out . dout) k_j"
    bindings = (*GRADIENT_READS, STATS, RUNS, writes("dq", ROW))
    products = 3

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"dq": Out((problem["rows"], problem["heads"] * problem["head_dim"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"dq": gradients(inputs, problem)["dq"]}


class AttentionBackwardKV(AttentionBackward):
    """Gradient with respect to keys and values: the contribution of each query head, which rope_cache_backward sums.

    Summing the heads of a group here would leave too few workgroups: 96 of 64 keys for four sequences of SmolLM2.
    """

    name = "attention_backward_kv"
    math = "dv = sum_i p_i dout_i; dk = scale sum_i p_i (dout_i . v - out_i . dout_i) q_i, over rows i that see the key"
    bindings = (
        *GRADIENT_READS,
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


KERNELS = (AttentionStats(), AttentionBackwardQ(), AttentionBackwardKV())
