"""The rows of a speculative step: of each sequence its newest token, then guesses of those that follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from ..grid import Grid, ceil_div, linear
from ..kernel import Arrays, BenchCase, Case, Kernel, Out, Problem, Variant, case, reads, writes
from .reference import random_rows, random_slots
from .slots import BIASED, FLAGS, IDLE, MASKED, PENALISED, RECORD_WORDS, constants
from .speculation import GUESS_WORDS, MOST_GUESSES, refused_width
from .speculation import constants as guess_constants


def _case(why: str, rows: int, width: int, slots: int, capacity: int, **more: Any) -> Case:
    return case(why, rows=rows, width=width, slots=slots, capacity=capacity, **more)


class SpecRows(Kernel):
    """`ids`, `rows` and `loras` are as begin_step leaves them; row `width` b is sequence b's newest token.

    Rows without a guess are padding, and so are those after the capacity's end. A sequence whose choices depend on the
    tokens before them (penalties, a mask) has no guesses: its later rows would be chosen with outdated ones.
    """

    name = "spec_rows"
    math = (
        "all_ids[b,i], all_rows[b,i], all_loras[b,i] = ids[b], rows[b], loras[b] for i = 0; guesses[slot,i], (slot, "
        "position + i), loras[b] for the guesses of a sequence that allows them; 0, (slot, IDLE), 0 for padding"
    )
    bindings = (
        reads("ids", "u32", "rows"),
        reads("rows", "vec2<u32>", "rows 2"),
        reads("loras", "u32", "rows"),
        reads("slots", "u32", f"slots {RECORD_WORDS}"),
        reads("guesses", "u32", f"slots {GUESS_WORDS}"),
        writes("all_ids", "u32"),
        writes("all_rows", "vec2<u32>"),
        writes("all_loras", "u32"),
    )
    params = (("rows", "u32"), ("width", "u32"), ("slots", "u32"), ("capacity", "u32"))
    cases = (
        _case("one sequence", 1, 4, 1, 5000),
        _case("every number of guesses, slots in any order, idle rows", 37, 8, 41, 5000, idle=5),
        _case("as many rows as guesses allow, flags of every kind", 40, 16, 40, 5000, flags=True),
        _case("positions around the capacity", 21, 8, 21, 4, at=8),
        _case("slots that do not exist", 9, 4, 5, 5000),
        _case("every row idle", 6, 16, 6, 5000, idle=1),
        _case("more than 65,535 workgroups: a second grid dimension", 262_145, 4, 300_000, 4090, idle=3),
    )
    bench_cases = (BenchCase(_case("", 64, 8, 64, 8192).problem, "64 sequences"),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        count, slots = problem["rows"], problem["slots"]
        rows, records = random_rows(rng, problem), random_slots(rng, slots)
        if "at" in problem:
            rows[:, 1] %= problem["at"]
        if problem.get("flags"):
            records[:, FLAGS] = rng.choice([0, BIASED, PENALISED, MASKED, BIASED | MASKED], slots)
        guesses = rng.integers(0, 1000, (slots, GUESS_WORDS), np.uint32)
        guesses[:, 0] = rng.integers(0, MOST_GUESSES, slots, endpoint=True)
        ids, loras = rng.integers(0, 1000, (2, count), np.uint32)
        return {"ids": ids, "rows": rows, "loras": loras, "slots": records, "guesses": guesses}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        total = problem["rows"] * problem["width"]
        return {"all_ids": Out((total,), "u32"), "all_rows": Out((total, 2), "u32"), "all_loras": Out((total,), "u32")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        width, slots = problem["width"], problem["slots"]
        own, position = (column[:, None].astype(np.int64) for column in inputs["rows"].T)
        slot = np.minimum(own, slots - 1)[:, 0]
        i = np.arange(width)
        guesses = inputs["guesses"][slot].astype(np.int64)
        allowed = (inputs["slots"][slot, FLAGS] & (PENALISED | MASKED)) == 0
        live = (i <= guesses[:, :1]) & allowed[:, None] & (position + i < problem["capacity"])
        live = np.where(i == 0, position != IDLE, live & (position != IDLE)) & (own < slots)
        ids = np.where(i == 0, inputs["ids"][:, None], guesses[:, :width])
        rows = np.stack([own + 0 * i, np.where(live, position + i, IDLE)], axis=2)
        loras = np.where(live, inputs["loras"][:, None], 0)
        results = {"all_ids": np.where(live, ids, 0), "all_rows": rows, "all_loras": loras}
        shapes = {name: out.shape for name, out in self.outputs(problem).items()}
        return {name: array.astype(np.float64).reshape(shapes[name]) for name, array in results.items()}

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["rows"]) * (5 + 5 * problem["width"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        sizes = (16, 64) if traits.software else (64, 16)
        return [{"threads": threads} for threads in sizes]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        return refused_width(problem["width"])

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {**constants(), **guess_constants()}

    def tune_key(self, problem: Problem) -> str:
        return "any"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(ceil_div(problem["rows"] * problem["width"], variant["threads"]))


KERNEL = SpecRows()
