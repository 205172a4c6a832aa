"""Gradient of an embedding table: rows of dy added up by their ids, in an order that the host has sorted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..gpu import Traits
from .draw import draw
from .embed import PADDING
from .grid import Grid, ceil_div, linear
from .kernel import Arrays, BenchCase, Kernel, Out, Problem, Variant, case, reads, vec4_if, writes


def sorted_ids(ids: NDArray[np.uint32]) -> Arrays:
    """`order`: rows by id; `starts`: where each distinct id's rows begin in it; `ids`: those ids. Padding is left out.

    All have their full lengths whatever the ids are, so that a recorded step takes them: what is over is empty.
    """
    rows = len(ids)
    used = np.flatnonzero(ids != PADDING)
    order = used[np.argsort(ids[used], kind="stable")]
    distinct, first = np.unique(ids[order], return_index=True)
    found = {"order": np.zeros(rows, np.uint32), "ids": np.full(rows, PADDING, np.uint32)}
    found["order"][: len(order)] = order
    found["ids"][: len(distinct)] = distinct
    found["starts"] = np.full(rows + 1, len(order), np.uint32)
    found["starts"][: len(first)] = first
    return found


class EmbedBackward(Kernel):
    """Each distinct id is summed by one owner, in the order of its rows. A part of the table as in `embed`."""

    name = "embed_backward"
    math = "dtable[ids[d] - first, :] += sum of dy[order[j], :] over starts[d] <= j < starts[d+1]"
    bindings = (
        reads("dy", vec4_if("x")),
        reads("order", "u32"),
        reads("starts", "u32"),
        reads("ids", "u32"),
        writes("dtable", vec4_if("x")),
    )
    params = tuple((name, "u32") for name in ("rows", "n", "first", "width", "parts"))
    cases = (
        case("ids that repeat, padding among them", rows=70, n=23, hidden=132, first=0),
        case("rows that end inside a load", rows=37, n=11, hidden=67, first=0),
        case("a later part of a table", rows=40, n=9, hidden=96, first=13),
        case("one row, one column", rows=1, n=1, hidden=1, first=0),
        case("long sums of one id", rows=5003, n=2, hidden=12, first=0),
        case("more than 65,535 rows: a second grid dimension", rows=65_541, n=301, hidden=3, first=2),
    )
    bench_cases = (
        BenchCase({"rows": 2048, "n": 49152, "hidden": 576, "first": 0}, "SmolLM2, 4x512 tokens", software=False),
        BenchCase({"rows": 128, "n": 4096, "hidden": 576, "first": 0}, "128 tokens", software=True),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        rows, n, first = problem["rows"], problem["n"], problem["first"]
        ids = rng.integers(max(0, first - 4), first + n + (4 if first else 0), rows).astype(np.uint32)
        if rows > 1:
            ids[rng.random(rows) < 0.1] = PADDING
        dy, dtable = draw(rng, (rows, problem["hidden"])), draw(rng, (n, problem["hidden"]))
        dy[ids == PADDING] = np.nan
        return {"dy": dy, "dtable": dtable, **sorted_ids(ids)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"dtable": Out((problem["n"], problem["hidden"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        dtable: NDArray[np.float64] = inputs["dtable"].astype(np.float64)
        for d, wanted in enumerate(inputs["ids"].astype(np.int64) - problem["first"]):
            rows = inputs["order"][inputs["starts"][d] : inputs["starts"][d + 1]]
            if len(rows) and 0 <= wanted < problem["n"]:
                dtable[wanted] += inputs["dy"][rows].sum(axis=0, dtype=np.float64)
        return {"dtable": dtable}

    def flops(self, problem: Problem) -> int:
        return int(problem["rows"]) * int(problem["hidden"])

    def bytes(self, problem: Problem) -> int:
        rows, n, hidden = int(problem["rows"]), int(problem["n"]), int(problem["hidden"])
        return 4 * (rows * (hidden + 3) + 2 * min(rows, n) * hidden)

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        thin, fat = {"threads": 64, "items": 1}, {"threads": 64, "items": 16}
        styles = [fat, thin] if traits.software else [thin, fat]
        return [{**style, "x": x} for style in styles for x in ("vec4", "scalar")]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if variant["x"] == "vec4" and problem["hidden"] % 4:
            return f"vec4 loads need rows of a multiple of 4, and they have {problem['hidden']}"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        given = {name: problem[name] for name in ("rows", "n", "first")}
        return {**given, "width": _width(problem, variant), "parts": _parts(problem, variant)}

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(problem["rows"] * _parts(problem, variant))


def _width(problem: Problem, variant: Variant) -> int:
    """Elements of the bindings to a row: vec4s or single ones."""
    return int(problem["hidden"]) // (4 if variant["x"] == "vec4" else 1)


def _parts(problem: Problem, variant: Variant) -> int:
    """Workgroups to a row."""
    return ceil_div(_width(problem, variant), variant["threads"] * variant["items"])


KERNEL = EmbedBackward()
