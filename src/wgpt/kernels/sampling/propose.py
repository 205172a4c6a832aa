"""Guesses of the next tokens, by n-gram lookup: what followed when the newest tokens occurred before.

The guesses only decide how much work a speculative step saves, never which tokens are chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu import Traits
from ..grid import Grid, linear
from ..kernel import Arrays, BenchCase, Binding, Case, Kernel, Out, Problem, Variant, case, reads, writes
from .reference import random_rows
from .slots import IDLE, NO_TOKEN
from .speculation import GUESS_WORDS, HIT_WORDS, MOST_GUESSES, constants

LONGEST, SHORTEST = 4, 2  # tokens that must match, by default
_MOST_LONGEST = 8
_POSITION_BITS = 28  # of a match's key; its length has the others
_HEADER = 3  # words of write_history's `entries` before the tokens
_STATE = ("history", "guesses", "hits")


def _state(problem: Problem) -> dict[str, Out]:
    """The state by slot, see speculation.py."""
    sizes = zip(_STATE, (problem["capacity"], GUESS_WORDS, HIT_WORDS), strict=True)
    return {name: Out((problem["slots"], size), "u32") for name, size in sizes}


def _case(why: str, rows: int, capacity: int, width: int = 1, **more: Any) -> Case:
    return case(why, rows=rows, width=width, slots=more.pop("slots", rows), capacity=capacity, **more)


class Propose(Kernel):
    """Appends the tokens of a step to the history of their sequences, and guesses what follows.

    `rows` are the (slot, position) of the sequences before the step. `drawn` [rows, width] and `count` [rows] are the
    new tokens, as `accept` leaves them; with width = 1, `drawn` are the tokens of argmax_pick or sample, and `count` is
    not bound. The guesses are the tokens after the most recent earlier occurrence of the last `longest` tokens; if
    there is none, of fewer, down to `shortest`. An occurrence may overlap the end, and where the known tokens end, they
    are repeated, as a text that has run into a loop goes on.
    """

    name = "propose"
    math = (
        "history[s,position + 1 + i] = drawn[b,i]; hits[s] += (guesses[s] has drawn[b,0] first, guesses[s] has any); "
        "guesses[s] = the tokens after the last earlier occurrence of the longest suffix of history[s] that has one"
    )
    bindings = (
        reads("rows", "vec2<u32>", "rows 2"),
        reads("drawn", "u32", "rows*width"),
        reads("count", "u32", "rows"),
        writes("history", "u32"),
        writes("guesses", "u32"),
        writes("hits", "u32"),
    )
    params = (("rows", "u32"), ("width", "u32"), ("slots", "u32"), ("capacity", "u32"))
    cases = (
        _case("the first token of a context of two", 1, 2, at=0),
        _case("plain steps, slots in any order, idle rows", 23, 300, slots=31, idle=5),
        _case("no token occurs twice: no guess", 5, 200, tokens="distinct"),
        _case("one token only: overlapping matches", 4, 70, tokens="same"),
        _case("a match at the very beginning", 6, 400, tokens="opening", width=4),
        _case("a match of fewer tokens at the very beginning", 6, 400, tokens="opening", width=4, longest=8),
        _case("loops of few tokens, slots that do not exist", 9, 130, slots=6, width=8, tokens="loops"),
        _case("speculative steps, sequences of any length", 17, 500, slots=20, width=16, idle=4),
        _case("two tokens: many matches, the most recent of the longest wins", 8, 1000, width=4, tokens="two"),
        _case("one matching token is enough; longest = shortest", 8, 333, longest=1, shortest=1),
        _case("contexts that are full, or become so", 12, 64, width=4, at="end"),
        _case("sequences that have just begun", 12, 64, width=4, at="start", tokens="two"),
        _case("no token was drawn", 6, 90, width=4, no_token=True),
        _case("a long context", 3, 8192, width=8, at="end", tokens="loops"),
        _case("more than 65,535 rows: a second grid dimension", 65_537, 9, slots=3000, at=1),
    )
    bench_cases = (
        BenchCase(_case("", 1, 8192, at=8100).problem, "one sequence of 8,192 tokens"),
        BenchCase(_case("", 64, 8192, width=8, at=8100).problem, "64 sequences of 8,192 tokens", software=False),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        rows, slots, capacity, width = (problem[key] for key in ("rows", "slots", "capacity", "width"))
        places = random_rows(rng, problem)
        used, at = places[:, 1] != IDLE, problem.get("at", "any")
        lowest, highest = {"any": (0, capacity - 1), "start": (0, 4), "end": (capacity - 12, capacity + 2)}.get(
            at, (at, at)
        )
        places[used, 1] = rng.integers(lowest, highest, rows, endpoint=True)[used]
        history = _tokens(rng, (slots, capacity + width), problem.get("tokens", "few"))
        count = rng.integers(1, width, rows, endpoint=True).astype(np.uint32)
        if problem.get("tokens") == "opening":
            _repeat_openings(history, places, count)
        # What is drawn continues the text, so that texts end as they began.
        drawn = np.zeros((rows, width), np.uint32)
        in_use = np.flatnonzero(used & (places[:, 0] < slots))
        after = np.minimum(places[in_use, 1], capacity - 1)[:, None] + 1 + np.arange(width)
        drawn[in_use] = history[places[in_use, :1], after]
        drawn[np.arange(width) >= count[:, None]] = 0
        if problem.get("no_token"):
            drawn[np.arange(rows), count - 1] = NO_TOKEN
        count[~used] = 0
        drawn[~used] = 0
        guesses = rng.integers(0, 6, (slots, GUESS_WORDS), np.uint32)
        guesses[places[in_use[::2], 0], 1] = drawn[in_use[::2], 0]  # about every other guess is right
        guesses[::3, 0] = 0
        arrays: Arrays = {
            "rows": places,
            "drawn": drawn,
            "history": np.ascontiguousarray(history[:, :capacity]),
            "guesses": guesses,
            "hits": rng.integers(0, 1000, (slots, HIT_WORDS), np.uint32),
        }
        return arrays if width == 1 else {**arrays, "count": count}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return _state(problem)

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        capacity, state = problem["capacity"], {name: inputs[name].astype(np.int64) for name in _STATE}
        drawn = inputs["drawn"].reshape(problem["rows"], problem["width"])
        for row, (slot, position) in enumerate(inputs["rows"].tolist()):
            count = int(inputs["count"][row]) if "count" in inputs else 1
            if position == IDLE or slot >= problem["slots"] or count == 0:
                continue
            history, guesses, hits = (state[name][slot] for name in _STATE)
            new = np.where(drawn[row, :count] == NO_TOKEN, 0, drawn[row, :count])
            free = history[position + 1 : position + 1 + count]
            free[:] = new[: len(free)]
            if guesses[0] > 0:
                hits += [guesses[1] == drawn[row, 0], 1]
            known = position + count + 1
            found = follower(history[:known], *_lengths(problem)) if known <= capacity else None
            following = history[:0] if found is None else np.resize(history[found:known], MOST_GUESSES)
            guesses[:] = 0
            guesses[0] = len(following)
            guesses[1 : 1 + len(following)] = following
        return {name: array.astype(np.float64) for name, array in state.items()}

    def bytes(self, problem: Problem) -> int:
        """Contexts that are full: how long they are is unknown without the rows."""
        return 4 * int(problem["rows"]) * (problem["capacity"] + problem["width"] + 2 * GUESS_WORDS)

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return tuple(b for b in self.bindings if b.name != "count" or problem["width"] > 1)

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        sizes = (16, 256) if traits.software else (256, 16)
        return [{"threads": threads} for threads in sizes]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        longest, shortest = _lengths(problem)
        if not 1 <= shortest <= longest <= _MOST_LONGEST:
            return f"lengths must be 1 <= shortest <= longest <= {_MOST_LONGEST}, and are {shortest} and {longest}"
        if problem["capacity"] >= 1 << _POSITION_BITS:
            return f"capacity must be below {1 << _POSITION_BITS}, and is {problem['capacity']}"
        return None

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        longest, shortest = _lengths(problem)
        lengths = {"longest": longest, "shortest": shortest, "plain": problem["width"] == 1}
        return {**constants(), **lengths, "position_bits": _POSITION_BITS}

    def tune_key(self, problem: Problem) -> str:
        return "any"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(problem["rows"])


def _lengths(problem: Problem) -> tuple[int, int]:
    return problem.get("longest", LONGEST), problem.get("shortest", SHORTEST)


def follower(tokens: NDArray[np.int64], longest: int, shortest: int) -> int | None:
    """The position after the last earlier occurrence of the longest suffix that has one; None if there is none.

    >>> follower(np.array([7, 8, 9, 7, 8, 5, 7, 8]), 4, 2)
    5
    """
    for length in range(longest, shortest - 1, -1):
        for start in range(len(tokens) - length - 1, -1, -1):
            if (tokens[start : start + length] == tokens[len(tokens) - length :]).all():
                return start + length
    return None


def _tokens(rng: np.random.Generator, shape: tuple[int, int], kind: str) -> NDArray[np.uint32]:
    """Texts with repetitions."""
    slots, length = shape
    if kind in ("distinct", "opening"):
        return rng.permuted(np.tile(np.arange(length, dtype=np.uint32), (slots, 1)), axis=1)
    if kind == "same":
        return np.full(shape, 7, np.uint32)
    if kind == "loops":
        periods = rng.integers(1, 40, slots)
        return np.stack([np.arange(length) % period for period in periods]).astype(np.uint32)
    if kind == "two":
        return rng.integers(0, 2, shape, np.uint32)
    return rng.integers(0, 12, shape, np.uint32)


def _repeat_openings(history: NDArray[np.uint32], places: NDArray[np.uint32], count: NDArray[np.uint32]) -> None:
    """Let texts end with 1 to 5 of the tokens that they begin with."""
    for row, (slot, position) in enumerate(places.tolist()):
        length, known = 1 + row % 5, position + int(count[row]) + 1
        if position != IDLE and 2 * length <= known:
            history[slot, known - length : known] = history[slot, :length]


class WriteHistory(Kernel):
    """Sets tokens of a slot's history: the prompt of a sequence that starts there.

    `entries` is [slot, first position, number of tokens, tokens]; a Program recorded for `words` of them can be
    replayed with other lists. Tokens beyond the capacity are ignored, and nothing changes if the slot does not exist.
    The slot has no guesses then, and its hits are 0.
    """

    name = "write_history"
    math = "history[slot,first + i] = tokens[i], guesses[slot,0] = 0, hits[slot] = 0"
    bindings = (reads("entries", "u32", "words"), *(writes(name, "u32") for name in _STATE))
    params = (("words", "u32"), ("slots", "u32"), ("capacity", "u32"))
    cases = (
        case("one token", words=4, slots=1, capacity=1, tokens=1),
        case("a prompt from its beginning, room for more", words=1000, slots=5, capacity=900, tokens=700),
        case("tokens from a position on, ragged", words=515, slots=3, capacity=777, tokens=511, first=130),
        case("tokens beyond the capacity are ignored", words=300, slots=4, capacity=200, tokens=290, first=100),
        case("a first position beyond the capacity", words=300, slots=4, capacity=200, tokens=290, first=2**32 - 9),
        case("a number of tokens beyond the entries", words=64, slots=4, capacity=2000, tokens=61, said=1500),
        case("no tokens: guesses and hits are reset", words=8, slots=3, capacity=50, tokens=0),
        case("a slot that does not exist", words=64, slots=4, capacity=100, tokens=30, missing=True),
    )
    bench_cases = (
        BenchCase({"words": 8192, "slots": 2, "capacity": 8192, "tokens": 8000}, "a prompt of 8,000 tokens"),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        slots = problem["slots"]
        entries = rng.integers(0, 1000, problem["words"], np.uint32)
        slot = slots if problem.get("missing") else slots - 1
        entries[:_HEADER] = (slot, problem.get("first", 0), problem.get("said", problem["tokens"]))
        state = {name: rng.integers(1, 1000, out.shape, np.uint32) for name, out in _state(problem).items()}
        return {"entries": entries, **state}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return _state(problem)

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        results = {name: inputs[name].astype(np.float64) for name in _STATE}
        slot, first, count = (int(word) for word in inputs["entries"][:_HEADER])
        if slot < problem["slots"]:
            free = results["history"][slot, first : first + count]
            tokens = inputs["entries"][_HEADER : _HEADER + len(free)]
            free[: len(tokens)] = tokens
            results["guesses"][slot, 0] = 0
            results["hits"][slot] = 0
        return results

    def bytes(self, problem: Problem) -> int:
        return 8 * int(problem["words"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        sizes = (16, 256) if traits.software else (256, 16)
        return [{"threads": threads} for threads in sizes]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["words"] < _HEADER:
            return f"words must be {_HEADER} or more, and are {problem['words']}"
        return None

    def tune_key(self, problem: Problem) -> str:
        return "any"

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return constants()

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(-(-problem["words"] // variant["threads"]))


def history_entries(slot: int, tokens: Sequence[int], first: int = 0) -> NDArray[np.uint32]:
    """The input `entries` of write_history.

    >>> history_entries(3, [5, 6]).tolist()
    [3, 0, 2, 5, 6]
    """
    return np.array([slot, first, len(tokens), *tokens], np.uint32)


KERNELS = (Propose(), WriteHistory())
