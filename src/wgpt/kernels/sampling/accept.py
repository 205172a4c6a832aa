"""The end of a speculative step: how many guesses were right, and the tokens that follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from ..grid import Grid, ceil_div, linear
from ..kernel import Arrays, BenchCase, Binding, Case, Kernel, Out, Problem, Variant, case, reads, writes
from .reference import random_rows, random_slots
from .slots import COUNTER, FLAGS, IDLE, NO_TOKEN, PENALISED, POSITION, RECORD_WORDS, TOKEN, constants
from .speculation import refused_width


def _case(why: str, rows: int, width: int, slots: int, **more: Any) -> Case:
    return case(why, rows=rows, width=width, slots=slots, **more)


class Accept(Kernel):
    """Takes the chosen tokens of a sequence's rows while the guess of the next row is the token that was chosen.

    `ids` and `rows` are as spec_rows leaves them, `tokens` as argmax_pick or sample choose them with advance = False.
    With `counts` (and `vocab`), the new tokens of sequences with penalties are counted, too.
    """

    name = "accept"
    math = (
        "m = the first i with tokens[b,i] != ids[b,i + 1], or no such row, or no token; drawn[b,:m + 1] = "
        "tokens[b,:m + 1], count[b] = m + 1; the slot's token = tokens[b,m], position += m + 1, counter += m + 1; "
        "idle rows: 0"
    )
    bindings = (
        *(reads(name, "u32", "rows*width") for name in ("tokens", "ids")),
        reads("rows", "vec2<u32>", "rows*width 2"),
        writes("slots", "u32"),
        writes("drawn", "u32"),
        writes("count", "u32"),
        writes("counts", "u32"),
    )
    params = (("rows", "u32"), ("width", "u32"), ("slots", "u32"), ("vocab", "u32"))
    cases = (
        _case("one sequence, all guesses right", 1, 4, 1, right=1.0),
        _case("any number of guesses, slots in any order, idle rows", 41, 8, 50, idle=4, vocab=3),
        _case("most guesses right", 33, 16, 33, right=0.95),
        _case("guesses that are wrong, some followed by right ones", 20, 4, 20, right=0.4),
        _case("no token in some rows", 30, 8, 30, right=0.9, no_token=True),
        _case("slots that do not exist", 9, 4, 6),
        _case("every row idle", 5, 16, 5, idle=1),
        _case("counts of some sequences", 30, 4, 37, counts=True, vocab=53, no_token=True),
    )
    bench_cases = (BenchCase(_case("", 64, 8, 64).problem, "64 sequences"),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        count, width, slots = problem["rows"], problem["width"], problem["slots"]
        vocab, i = problem.get("vocab", 50), np.arange(width)
        own, records = random_rows(rng, problem), random_slots(rng, slots)
        tokens, ids = rng.integers(0, vocab, (2, count, width), np.uint32)
        right = rng.random((count, width - 1)) < problem.get("right", 0.7)
        ids[:, 1:] = np.where(right, tokens[:, :-1], ids[:, 1:])
        rows = np.empty((count, width, 2), np.uint32)
        rows[..., 0] = own[:, :1]
        live = (i < rng.integers(1, width, (count, 1), endpoint=True)) & (own[:, 1:] != IDLE)
        if "idle" not in problem:
            live[::3] = True
        rows[..., 1] = np.where(live, own[:, 1:] + i, IDLE)
        ids[~live] = tokens[~live] = 0
        if problem.get("no_token"):
            tokens[live & (rng.random(live.shape) < 0.3)] = NO_TOKEN
            ids[:, 1:][tokens[:, :-1] == NO_TOKEN] = NO_TOKEN
        arrays: Arrays = {"tokens": tokens, "ids": ids, "rows": rows, "slots": records}
        if problem.get("counts"):
            records[:, FLAGS] = PENALISED * (rng.random(slots) < 0.7)
            arrays["counts"] = rng.integers(0, 100, (slots, vocab), np.uint32)
        return {name: array.reshape(-1, 2) if name == "rows" else array for name, array in arrays.items()}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        rows, slots = problem["rows"], problem["slots"]
        outputs = {"slots": Out((slots, RECORD_WORDS), "u32")}
        outputs |= {"drawn": Out((rows, problem["width"]), "u32"), "count": Out((rows,), "u32")}
        return outputs | ({"counts": Out((slots, problem["vocab"]), "u32")} if problem.get("counts") else {})

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        count, width = problem["rows"], problem["width"]
        tokens, ids = (inputs[name].reshape(count, width) for name in ("tokens", "ids"))
        rows = inputs["rows"].reshape(count, width, 2)
        used = (rows[:, 0, 1] != IDLE) & (rows[:, 0, 0] < problem["slots"])
        goes_on = (tokens[:, :-1] == ids[:, 1:]) & (rows[:, 1:, 1] != IDLE) & (tokens[:, :-1] != NO_TOKEN)
        drawn_count = np.where(used, 1 + goes_on.cumprod(axis=1).sum(axis=1), 0)
        drawn = np.where(np.arange(width) < drawn_count[:, None], tokens, 0).astype(np.float64)
        results: Arrays = {"slots": inputs["slots"].astype(np.float64), "drawn": drawn}
        results["count"] = drawn_count.astype(np.float64)
        slot, newest = rows[used, 0, 0], drawn[used, drawn_count[used] - 1]
        results["slots"][slot, TOKEN] = np.where(newest == NO_TOKEN, 0, newest)
        for word in (POSITION, COUNTER):
            results["slots"][slot, word] += drawn_count[used]
        if problem.get("counts"):
            results["counts"] = inputs["counts"].astype(np.float64)
            for row in np.flatnonzero(used):
                if inputs["slots"][rows[row, 0, 0], FLAGS] & PENALISED:
                    new = tokens[row, : drawn_count[row]]
                    np.add.at(results["counts"][rows[row, 0, 0]], new[new != NO_TOKEN], 1)
        return results

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["rows"]) * (5 * problem["width"] + 7)

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return tuple(b for b in self.bindings if b.name != "counts" or problem.get("counts"))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        sizes = (16, 64) if traits.software else (64, 16)
        return [{"threads": threads} for threads in sizes]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        return refused_width(problem["width"])

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return super().uniforms({"vocab": 0, **problem}, variant)

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {**constants(), "counts": bool(problem.get("counts"))}

    def tune_key(self, problem: Problem) -> str:
        return "any"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(ceil_div(problem["rows"], variant["threads"]))


KERNEL = Accept()
