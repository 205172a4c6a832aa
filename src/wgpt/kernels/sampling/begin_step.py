"""The beginning of a step: the host's changes to the state of the sequences, then the tokens of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from ..grid import Grid
from ..kernel import Arrays, BenchCase, Binding, Case, Kernel, Out, Problem, Variant, case, reads, writes
from .slots import IDLE, LORA, POSITION, RECORD_WORDS, TOKEN, constants

CONTROL_WORDS = 2  # before the slots of the rows: epoch, number of changes


def _case(why: str, rows: int, slots: int, changes: int, most_rows: int = 128, extra: int = 0, **more: Any) -> Case:
    """`extra`: words of other state after the records."""
    words = RECORD_WORDS * slots + extra + 1
    return case(why, rows=rows, most_rows=most_rows, words=words, changes=changes, **more)


class BeginStep(Kernel):
    """Applies the changes of `control` to `state`, once per epoch, and gathers the rows of the step.

    `state` begins with the records of the slots (slots.py) and ends with the epoch of the last control that was
    applied. `control` is [epoch, number of changes, slots of rows 0 .. most_rows - 1, (address, value) of each change];
    addresses are distinct. A Program may replay with the same control: its changes are not applied again. With rows = 0
    only the changes are applied, and `ids`, `rows` and `loras` are not bound.
    """

    name = "begin_step"
    math = (
        "if control.epoch != state.epoch: state[address] = value for each change, state.epoch = control.epoch; "
        "ids[r], rows[r], loras[r] = token, (slot, position), LoRA of the record of row r's slot"
    )
    bindings = (
        reads("control", "u32", ""),
        writes("state", "u32"),
        writes("ids", "u32"),
        writes("rows", "vec2<u32>"),
        writes("loras", "u32"),
    )
    params = (("rows", "u32"), ("most_rows", "u32"), ("words", "u32"))
    cases = (
        _case("one row, one slot, nothing to change", 1, 1, 0, most_rows=1),
        _case("slots in any order, more of them than rows, idle ones, state after the records", 5, 9, 40, extra=77),
        _case("the same epoch again: nothing changes", 5, 9, 40, extra=77, repeated=True),
        _case("more rows and changes than threads", 300, 301, 3000, most_rows=512, extra=1000),
        _case("no rows: only the changes", 0, 7, 150, extra=3),
        _case("no rows, the same epoch again", 0, 7, 150, repeated=True),
        _case("slots that do not exist", 6, 4, 3, most_rows=9),
    )
    bench_cases = (
        BenchCase(_case("", 1, 1, 0, most_rows=1).problem, "one sequence"),
        BenchCase(_case("", 64, 128, 128, extra=128 * 64).problem, "64 sequences"),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        words, changes, most_rows = problem["words"], problem["changes"], problem["most_rows"]
        state = rng.integers(0, 2**32, words, np.uint32)
        slots = (words - 1) // RECORD_WORDS
        records = state[: slots * RECORD_WORDS].reshape(slots, RECORD_WORDS)
        records[rng.random(slots) < 0.2, POSITION] = IDLE
        epoch = 5 if problem.get("repeated") else 6
        state[-1] = 5
        used = rng.permutation(slots + slots // 2)[: problem["rows"]]  # a third of them do not exist
        rows = np.full(most_rows, IDLE, np.uint32)
        rows[: len(used)] = used
        rows[: problem["rows"] : 7] = np.where(slots > 1, IDLE, 0)
        pairs = np.empty((changes, 2), np.uint32)
        pairs[:, 0] = rng.permutation(words + 9)[:changes]  # the epoch and what follows must not change
        pairs[:, 1] = rng.integers(0, 2**32, changes, np.uint32)
        control = np.concatenate([np.array([epoch, changes], np.uint32), rows, pairs.reshape(-1)])
        return {"control": control.astype(np.uint32), "state": state}

    def operands(self, problem: Problem) -> dict[str, Out]:
        return {"control": Out((CONTROL_WORDS + problem["most_rows"],), "u32")}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        rows = problem["rows"]
        outputs = {"state": Out((problem["words"],), "u32")}
        if rows:
            outputs |= {"ids": Out((rows,), "u32"), "rows": Out((rows, 2), "u32"), "loras": Out((rows,), "u32")}
        return outputs

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        control, state = inputs["control"], inputs["state"].copy()
        if control[0] != state[-1]:
            first = CONTROL_WORDS + problem["most_rows"]
            for address, value in control[first : first + 2 * int(control[1])].reshape(-1, 2):
                if address < len(state) - 1:
                    state[address] = value
            state[-1] = control[0]
        ids, rows, loras = (np.zeros((problem["rows"], *shape)) for shape in ((), (2,), ()))
        for row in range(problem["rows"]):
            slot = int(control[CONTROL_WORDS + row])
            if slot >= (len(state) - 1) // RECORD_WORDS:
                rows[row] = (0, IDLE)
                continue
            record = state[RECORD_WORDS * slot : RECORD_WORDS * (slot + 1)]
            rows[row] = (slot, record[POSITION])
            if record[POSITION] != IDLE:
                ids[row], loras[row] = record[TOKEN], record[LORA]
        results = {"state": state.astype(np.float64), "ids": ids, "rows": rows, "loras": loras}
        return {name: results[name] for name in self.outputs(problem)}

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["rows"] * 8 + problem.get("changes", 0) * 3)

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return self.bindings if problem["rows"] else self.bindings[:2]

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        sizes = (16, 128) if traits.software else (128, 16)
        return [{"threads": threads} for threads in sizes]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["rows"] > problem["most_rows"]:
            return f"rows must be at most most_rows, {problem['most_rows']}, and are {problem['rows']}"
        if problem["words"] <= RECORD_WORDS:
            return f"words must be more than a record's {RECORD_WORDS}, and are {problem['words']}"
        return None

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {**constants(), "has_rows": problem["rows"] > 0}

    def tune_key(self, problem: Problem) -> str:
        return "any"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return (1, 1, 1)


KERNEL = BeginStep()
