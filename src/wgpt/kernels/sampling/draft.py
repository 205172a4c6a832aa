"""Guesses of the next tokens by a draft model: the rows that it runs, and what it knows after a step.

As with any guesses, they only decide how much work a speculative step saves, never which tokens are chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from ..grid import Grid, ceil_div, linear
from ..kernel import Arrays, BenchCase, Binding, Case, Kernel, Out, Problem, Variant, case, reads, writes
from .reference import random_rows, random_slots
from .slots import BIASED, DRAFTED, FLAGS, IDLE, MASKED, NO_TOKEN, PENALISED, RECORD_WORDS, constants
from .speculation import GUESS_WORDS, MOST_GUESSES, RECENT
from .speculation import constants as guess_constants

_FAR = {"capacity": 5000, "vocab": 1000}  # above all positions and tokens of the cases


def _threads(traits: Traits) -> Sequence[Variant]:
    sizes = (16, 64) if traits.software else (64, 16)
    return [{"threads": threads} for threads in sizes]


def _case(why: str, rows: int, slots: int, **more: Any) -> Case:
    return case(why, rows=rows, slots=slots, **more)


class _Drafting(Kernel):
    """What the three kernels have in common: a thread for each row, or for several."""

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        return _threads(traits)

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {**constants(), **guess_constants()}

    def tune_key(self, problem: Problem) -> str:
        return "any"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(ceil_div(problem["rows"], variant["threads"]))


class DraftRows(_Drafting):
    """The first rows of the draft model: the newest tokens of each sequence that it has not run, at most `window`.

    `ids` and `rows` are as begin_step leaves them. The newest token has the last of the sequence's `window` rows. All
    rows are padding if more tokens are missing, if the context of the draft model is full, or if the sequence's choices
    depend on the tokens before them (see spec_rows). `vocab` and `capacity` are the draft model's.
    """

    name = "draft_rows"
    math = (
        "all_ids[b,i], all_rows[b,i] = min(token, vocab - 1), (slot, at) with at = position - (window - 1 - i) if at "
        ">= drafted, token = ids[b] at the position, recent[slot,at % RECENT] before it; otherwise 0, (slot, IDLE); "
        "guesses[slot,0] = 0"
    )
    bindings = (
        reads("ids", "u32", "rows"),
        reads("rows", "vec2<u32>", "rows 2"),
        reads("slots", "u32", f"slots {RECORD_WORDS}"),
        reads("recent", "u32", f"slots {RECENT}"),
        writes("guesses", "u32"),
        writes("all_ids", "u32"),
        writes("all_rows", "vec2<u32>"),
    )
    params = (("rows", "u32"), ("window", "u32"), ("slots", "u32"), ("capacity", "u32"), ("vocab", "u32"))
    cases = (
        _case("one sequence", 1, 1, window=4, **_FAR, behind=2),
        _case("any number of missing tokens, idle rows", 37, 41, window=4, **_FAR, idle=5),
        _case("a context that is shorter than the sequences", 40, 40, window=4, capacity=2000, vocab=1000),
        _case("flags of every kind", 40, 40, window=4, **_FAR, flags=True),
        _case("tokens that the draft model does not have", 20, 20, window=2, capacity=5000, vocab=300),
        _case("the beginning of the sequences", 30, 30, window=8, **_FAR, at=6),
        _case("slots that do not exist", 9, 5, window=4, **_FAR),
        _case("only the newest token", 12, 12, window=1, **_FAR, idle=3),
        _case("more than 65,535 workgroups", 262_145, 300_000, window=4, capacity=4090, vocab=1000, idle=3),
    )
    bench_cases = (BenchCase(_case("", 8, 8, window=4, capacity=8192, vocab=49_152).problem, "8 sequences"),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        slots = problem["slots"]
        rows, records = random_rows(rng, problem), random_slots(rng, slots)
        if "at" in problem:
            rows[:, 1] %= problem["at"]
        if problem.get("flags"):
            records[:, FLAGS] = rng.choice([0, BIASED, PENALISED, MASKED, BIASED | MASKED], slots)
        behind = rng.integers(0, problem["window"] + 2, slots)
        behind[: slots // 9] = -1  # it cannot be ahead; if it were, it would have no rows
        behind[:] = problem.get("behind", behind)
        exist = rows[:, 0] < slots
        at = rows[exist, 1].astype(np.int64) - behind[rows[exist, 0]]
        records[rows[exist, 0], DRAFTED] = np.maximum(0, at)
        recent = rng.integers(0, 1000, (slots, RECENT), np.uint32)
        guesses = rng.integers(0, 9, (slots, GUESS_WORDS), np.uint32)
        ids = rng.integers(0, 1000, problem["rows"], np.uint32)
        return {"ids": ids, "rows": rows, "slots": records, "recent": recent, "guesses": guesses}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        total = problem["rows"] * problem["window"]
        rows = {"all_ids": Out((total,), "u32"), "all_rows": Out((total, 2), "u32")}
        return {"guesses": Out((problem["slots"], GUESS_WORDS), "u32"), **rows}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        window, slots, recent = problem["window"], problem["slots"], inputs["recent"].astype(np.int64)
        own, position = (column[:, None].astype(np.int64) for column in inputs["rows"].T)
        exists = (own < slots) & (position != IDLE)
        slot = np.minimum(own, slots - 1)
        record, back = inputs["slots"][slot[:, 0]], window - 1 - np.arange(window)
        drafted, at = record[:, DRAFTED, None].astype(np.int64), position - back
        allowed = (record[:, FLAGS, None] & (PENALISED | MASKED)) == 0
        ready = (drafted <= position) & (position - drafted < window) & (position < problem["capacity"])
        live = exists & allowed & ready & (at >= drafted)
        token = np.where(back == 0, inputs["ids"][:, None], recent[slot, at % RECENT])
        guesses = inputs["guesses"].astype(np.float64)
        guesses[own[exists], 0] = 0
        return {
            "guesses": guesses,
            "all_ids": np.where(live, np.minimum(token, problem["vocab"] - 1), 0).astype(np.float64).reshape(-1),
            "all_rows": np.stack([own + 0 * at, np.where(live, at, IDLE)], axis=2).astype(np.float64).reshape(-1, 2),
        }

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["rows"]) * (5 + 4 * problem["window"])

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if not 1 <= problem["window"] <= RECENT // 2:
            return f"window must be from 1 to {RECENT // 2}, and is {problem['window']}"
        return None

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(ceil_div(problem["rows"] * problem["window"], variant["threads"]))


class DraftNext(_Drafting):
    """Takes the draft model's choices as the guesses with this `number`, and as its next rows.

    `rows` are those that it has run, `tokens` its choices; the last of `stride` rows is the sequence's newest.
    `vocab` is that of the model that checks the guesses, `capacity` the draft model's.
    """

    name = "draft_next"
    math = (
        "token, (slot, position) = tokens[b], rows[b] of the last of each `stride` rows; guesses[slot,number] = token, "
        "guesses[slot,0] = number, ids[b], next_rows[b] = token, (slot, position + 1) if the row is not idle, token < "
        "vocab and position + 1 < capacity; otherwise 0, (slot, IDLE)"
    )
    bindings = (
        reads("tokens", "u32", "rows*stride"),
        reads("rows", "vec2<u32>", "rows*stride 2"),
        writes("guesses", "u32"),
        writes("ids", "u32"),
        writes("next_rows", "vec2<u32>"),
    )
    params = tuple((name, "u32") for name in ("rows", "stride", "number", "slots", "capacity", "vocab"))
    cases = (
        _case("one sequence", 1, 1, stride=4, number=1, **_FAR),
        _case("the last of four rows, slots in any order, idle rows", 37, 41, stride=4, number=1, **_FAR, idle=5),
        _case("later guesses", 33, 40, stride=1, number=MOST_GUESSES, **_FAR, idle=4),
        _case("no token in some rows", 30, 30, stride=1, number=3, **_FAR, no_token=True),
        _case("tokens that the model does not have", 30, 30, stride=2, number=2, capacity=5000, vocab=500),
        _case("sequences around the end of the context", 30, 30, stride=1, number=2, capacity=5, vocab=1000, at=8),
        _case("slots that do not exist", 9, 5, stride=4, number=1, **_FAR),
        _case("more than 65,535 workgroups", 1_048_577, 300_000, stride=1, number=2, **_FAR, idle=3),
    )
    bench_cases = (BenchCase(_case("", 8, 8, stride=1, number=2, capacity=8192, vocab=49_152).problem, "8 sequences"),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        count, stride = problem["rows"], problem["stride"]
        rows = np.repeat(random_rows(rng, problem), stride, axis=0)
        if "at" in problem:
            rows[:, 1] %= problem["at"]
        tokens = rng.integers(0, 1000, count * stride, np.uint32)
        if problem.get("no_token"):
            tokens[rng.random(len(tokens)) < 0.3] = NO_TOKEN
        guesses = rng.integers(0, 9, (problem["slots"], GUESS_WORDS), np.uint32)
        return {"tokens": tokens, "rows": rows, "guesses": guesses}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        count = problem["rows"]
        rows = {"ids": Out((count,), "u32"), "next_rows": Out((count, 2), "u32")}
        return {"guesses": Out((problem["slots"], GUESS_WORDS), "u32"), **rows}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        last = slice(problem["stride"] - 1, None, problem["stride"])
        rows, tokens = inputs["rows"][last].astype(np.int64), inputs["tokens"][last].astype(np.int64)
        after = rows[:, 1] + 1
        live = (rows[:, 1] != IDLE) & (rows[:, 0] < problem["slots"])
        live &= (tokens < problem["vocab"]) & (after < problem["capacity"])
        guesses = inputs["guesses"].astype(np.float64)
        guesses[rows[live, 0], 0] = problem["number"]
        guesses[rows[live, 0], problem["number"]] = tokens[live]
        return {
            "guesses": guesses,
            "ids": np.where(live, tokens, 0).astype(np.float64),
            "next_rows": np.stack([rows[:, 0], np.where(live, after, IDLE)], axis=1).astype(np.float64),
        }

    def bytes(self, problem: Problem) -> int:
        return 32 * int(problem["rows"])

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if not 1 <= problem["number"] <= MOST_GUESSES:
            return f"number must be from 1 to {MOST_GUESSES}, and is {problem['number']}"
        return None


class DraftEnd(_Drafting):
    """The end of a step: keeps its tokens, and notes how far the draft model has followed.

    `ids` and `rows` are as begin_step leaves them, `drawn` and `count` as `accept` does. With width = 1, `drawn` are
    the tokens of argmax_pick or sample, and nothing but `recent` changes: the draft model has not run.
    """

    name = "draft_end"
    math = (
        "recent[slot,position % RECENT] = ids[b], recent[slot,(position + 1 + i) % RECENT] = drawn[b,i]; with guesses: "
        "the slot's drafted = position + min(count[b], guesses[slot,0]); report[b] = (drafted, number of guesses)"
    )
    bindings = (
        reads("ids", "u32", "rows"),
        reads("rows", "vec2<u32>", "rows 2"),
        reads("drawn", "u32", "rows*width"),
        reads("count", "u32", "rows"),
        reads("guesses", "u32", f"slots {GUESS_WORDS}"),
        writes("slots", "u32"),
        writes("recent", "u32"),
        writes("report", "vec2<u32>"),
    )
    params = (("rows", "u32"), ("width", "u32"), ("slots", "u32"))
    cases = (
        _case("plain steps, slots in any order, idle rows", 23, 31, width=1, idle=5),
        _case("one sequence", 1, 1, width=4),
        _case("any number of tokens and guesses, idle rows", 50, 60, width=8, idle=6),
        _case("as many tokens as possible", 20, 20, width=16),
        _case("no token in some rows", 20, 20, width=4, no_token=True),
        _case("no token in some rows of a plain step", 20, 20, width=1, no_token=True),
        _case("slots that do not exist", 9, 5, width=4),
        _case("more than 65,535 workgroups", 1_048_577, 300_000, width=1, idle=3),
    )
    bench_cases = (
        BenchCase(_case("", 8, 8, width=8).problem, "8 sequences"),
        BenchCase(_case("", 1, 1, width=1).problem, "one sequence"),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        count, width, slots = (problem[key] for key in ("rows", "width", "slots"))
        records = random_slots(rng, slots)
        records[:, DRAFTED] = rng.integers(0, 4096, slots)
        ids = rng.integers(0, 1000, count, np.uint32)
        drawn = rng.integers(0, 1000, (count, width), np.uint32)
        if problem.get("no_token"):
            drawn[rng.random(drawn.shape) < 0.3] = NO_TOKEN
        arrays: Arrays = {"ids": ids, "rows": random_rows(rng, problem), "drawn": drawn}
        arrays["recent"] = rng.integers(0, 1000, (slots, RECENT), np.uint32)
        if width > 1:
            guesses = rng.integers(0, 1000, (slots, GUESS_WORDS), np.uint32)
            guesses[:, 0] = rng.integers(0, width, slots, endpoint=True)
            arrays |= {"guesses": guesses, "slots": records}
            arrays["count"] = rng.integers(1, width, count, np.uint32, endpoint=True)
        return arrays

    def outputs(self, problem: Problem) -> dict[str, Out]:
        slots, recent = problem["slots"], {"recent": Out((problem["slots"], RECENT), "u32")}
        if problem["width"] == 1:
            return recent
        return {"slots": Out((slots, RECORD_WORDS), "u32"), **recent, "report": Out((problem["rows"], 2), "u32")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        width, recent = problem["width"], inputs["recent"].astype(np.float64)
        rows = inputs["rows"].astype(np.int64)
        used = np.flatnonzero((rows[:, 1] != IDLE) & (rows[:, 0] < problem["slots"]))
        slot, position = rows[used].T
        drawn = inputs["drawn"].reshape(problem["rows"], width)[used]
        count = inputs["count"][used] if width > 1 else np.ones(len(used), np.int64)
        recent[slot, position % RECENT] = inputs["ids"][used]
        for i in range(width):
            new = count > i
            kept = np.where(drawn[new, i] == NO_TOKEN, 0, drawn[new, i])
            recent[slot[new], (position[new] + 1 + i) % RECENT] = kept
        if width == 1:
            return {"recent": recent}
        slots, report = inputs["slots"].astype(np.float64), np.zeros((problem["rows"], 2))
        number = np.minimum(inputs["guesses"][slot, 0], width - 1)
        drafted = position + np.minimum(count, number)
        slots[slot, DRAFTED] = np.where(number > 0, drafted, slots[slot, DRAFTED])
        report[used] = np.stack([slots[slot, DRAFTED], number], axis=1)
        return {"slots": slots, "recent": recent, "report": report}

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["rows"]) * (8 + 2 * problem["width"])

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        unused = ("count", "guesses", "slots", "report") if problem["width"] == 1 else ()
        return tuple(b for b in self.bindings if b.name not in unused)

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if not 1 <= problem["width"] <= RECENT // 2:
            return f"width must be from 1 to {RECENT // 2}, and is {problem['width']}"
        return None

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {**super().baked(problem, variant), "plain": problem["width"] == 1}


KERNELS = (DraftRows(), DraftNext(), DraftEnd())
