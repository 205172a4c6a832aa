"""The token of each row from its parts, and the row's next position: the second half of greedy decoding."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..gpu import Traits
from .grid import Grid, ceil_div, linear
from .kernel import Arrays, BenchCase, Kernel, Out, Problem, Variant, case, in_fours, reads, writes
from .next_token import LEAST_INDEX, advanced, kept_where_idle, random_rows

_SOFTWARE_ROWS = 4


class ArgmaxPick(Kernel):
    name = "argmax_pick"
    math = "tokens[b] = lowest index among the parts[b] with the largest key; position += 1; idle rows stay"
    bindings = (reads("parts", "vec2<u32>"), writes("tokens", "u32"), writes("rows", "vec2<u32>"))
    params = (("rows", "u32"), ("parts", "u32"))
    cases = (
        case("one part", rows=1, parts=1),
        case("ties between parts, idle rows", rows=7, parts=50, idle=3),
        case("every row idle", rows=4, parts=48, idle=1),
        case("more parts than threads, NaN rows", rows=5, parts=301, values="nan"),
        case("more than 65,535 rows: a second grid dimension", rows=65_541, parts=3, idle=5),
    )
    bench_cases = (
        BenchCase({"rows": 1, "parts": 149}, "Qwen2.5, one sequence", software=False),
        BenchCase({"rows": 1, "parts": 4}, "one sequence", software=True),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        shape = (problem["rows"], problem["parts"])
        parts = np.empty((*shape, 2), np.uint32)
        # Few different keys, above and below the middle of u32: ties, and an order that is unsigned.
        parts[..., 0] = rng.choice(np.array([5, 0x7FFFFFFF, 0x80000001, 0xC1000000], np.uint32), shape)
        parts[..., 1] = np.arange(shape[1]) * 100 + rng.integers(0, 100, shape)
        rng.permuted(parts, axis=1, out=parts)  # a part's place says nothing about its index
        if problem.get("values") == "nan":
            parts[..., 0] = 0
            parts[:, shape[1] // 2 :, 1] = LEAST_INDEX
        tokens = rng.integers(0, 1000, shape[0], np.uint32)
        return {"parts": parts, "tokens": tokens, "rows": random_rows(rng, problem)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"tokens": Out((problem["rows"],), "u32"), "rows": Out((problem["rows"], 2), "u32")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        keys, indices = np.moveaxis(inputs["parts"].astype(np.int64), 2, 0)
        best = np.where(keys == keys.max(axis=1, keepdims=True), indices, LEAST_INDEX).min(axis=1)
        rows = inputs["rows"]
        return {"tokens": kept_where_idle(rows, best, inputs["tokens"]), "rows": advanced(rows)}

    def bytes(self, problem: Problem) -> int:
        return int(problem["rows"]) * (8 * problem["parts"] + 20)

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        reduces = ("subgroup", "workgroup") if traits.subgroups else ("workgroup",)
        shared: list[Variant] = [{"reduce": r, "threads": 64} for r in reduces]
        alone: Variant = {"reduce": "thread", "threads": _SOFTWARE_ROWS}
        return [alone, *shared] if traits.software else [*shared, alone]

    def tune_key(self, problem: Problem) -> str:
        return in_fours(problem["rows"], problem["parts"])

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        each = variant["threads"] if variant["reduce"] == "thread" else 1
        return linear(ceil_div(problem["rows"], each))


KERNEL = ArgmaxPick()
