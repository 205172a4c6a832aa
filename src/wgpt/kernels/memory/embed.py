"""Embedding lookup in a table of any weight type, by ids on the GPU; and the gradient of the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu import Traits
from ...quant.weights import weight_type
from .. import weighted
from ..draw import draw
from ..grid import Grid, ceil_div, linear
from ..kernel import Arrays, BenchCase, Binding, Case, Kernel, Out, Problem, Variant, case, reads, vec4_if, writes

PADDING = 0xFFFFFFFF  # an id that selects no row


def _problem(weight: str, rows: int, n: int, k: int, **more: Any) -> dict[str, Any]:
    return {"weight": weight, "rows": rows, "n": n, "k": k, "first": 0, "stride": 1, "offset": 0, "add": False, **more}


def _cases() -> list[Case]:
    cases = []
    for weight in weighted.WEIGHTS:
        cases += [
            case("whole chunks and blocks, padding among the ids", **_problem(weight, 5, 19, 512, ids="padded")),
            case("K is no multiple of 4 or a block", **_problem(weight, 7, 23, 203)),
        ]
    pairs = {"stride": 2, "offset": 1}
    return [
        *cases,
        case("one row, more columns than a workgroup", **_problem(weighted.BYTES, 1, 9, 1280)),
        case("one element", **_problem("f32", 1, 1, 1)),
        case(
            "the first part of a table: other ids are left alone", **_problem(weighted.NIBBLES, 33, 11, 96, ids="any")
        ),
        case("a later part: padding is left alone too", **_problem(weighted.NIBBLES, 33, 11, 96, first=7, ids="any")),
        case("added, ids the second of pairs", **_problem("f32", 9, 31, 64, **pairs, add=True, ids="any")),
        case("added, ragged, a later part", **_problem("f16", 9, 31, 67, **pairs, add=True, first=5, ids="any")),
        case("more than 65,535 rows: a second grid dimension", **_problem("f16", 65_541, 7, 12, ids="any")),
    ]


class Embed(Kernel):
    """Embedding: looks up rows of a table of any weight type, by ids on the GPU.

    A table that is split across bindings needs one dispatch per part. A part holds rows first .. first + n - 1 and
    ignores ids of other parts.

    An id of 0xffffffff is padding: the part that begins at 0 writes zeros for it, or nothing if rows are added.
    """

    name = "embed"
    math = "y[m,:] = (y[m,:] +) table[ids[m * stride + offset] - first, :] for ids within first .. first + n - 1"
    bindings = (
        reads("ids", "u32", "rows stride"),
        *weighted.PLANES,
        writes("y", vec4_if("store")),
    )
    params = tuple((name, "u32") for name in ("k", "n", "first", "stride", "offset", "quads", "parts", "rows"))
    static = ("weight", "add")
    cases = weighted.CasesOfTypes(_cases)
    bench_cases = (
        BenchCase(_problem(weighted.BYTES, 1, 49152, 576), "SmolLM2, a token"),
        BenchCase(_problem(weighted.BYTES, 512, 49152, 576), "SmolLM2, 512 tokens"),
        BenchCase(_problem(weighted.TWO_SCALES, 512, 151936, 1536), "Qwen2.5-1.5B, 512 tokens", software=False),
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return weighted.bound(self.bindings, problem)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        """`ids` are within this part of the table unless the problem's `ids` is "padded" or "any"."""
        rows, n, first, kind = problem["rows"], problem["n"], problem["first"], problem.get("ids", "within")
        row_ids = rng.integers(first, first + n, rows)
        if kind == "any":
            row_ids = rng.integers(0, first + 2 * n, rows)
        if kind != "within":
            row_ids[rng.random(rows) < 0.2] = PADDING
            row_ids[-1] = PADDING
        ids = rng.integers(0, 1 << 32, (rows, problem["stride"])).astype(np.uint32)
        ids[:, problem["offset"]] = row_ids
        return {"ids": ids, "y": draw(rng, (rows, problem["k"])), **weighted.random_weights(rng, problem)}

    def operands(self, problem: Problem) -> dict[str, Out]:
        return {**super().operands(problem), **weighted.plane_shapes(problem)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["rows"], problem["k"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        y: NDArray[np.float64] = inputs["y"].astype(np.float64)
        ids = inputs["ids"].reshape(problem["rows"], -1)[:, problem["offset"]].astype(np.int64)
        here = (ids >= problem["first"]) & (ids < problem["first"] + problem["n"])
        picked = weighted.dequantised(inputs, problem)[ids[here] - problem["first"]]
        y[here] = y[here] + picked if problem["add"] else picked
        if not problem["add"] and problem["first"] == 0:
            y[ids == PADDING] = 0
        return {"y": y}

    def bytes(self, problem: Problem) -> int:
        rows, k = int(problem["rows"]), int(problem["k"])
        return weight_type(problem["weight"]).nbytes(rows, k) + 4 * rows * (k * (2 if problem["add"] else 1) + 1)

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """A workgroup handles threads * items vec4s of one row. Software drivers prefer few, large workgroups."""
        thin, fat = {"threads": 64, "items": 1}, {"threads": 64, "items": 16}
        styles = [fat, thin] if traits.software else [thin, fat]
        halves = weighted.half_modes(traits.f16, problem["weight"])
        return [{**v, "half": half, "store": store} for v in styles for half in halves for store in ("vec4", "scalar")]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["offset"] >= problem["stride"]:
            return f"offset must be under stride {problem['stride']}, and is {problem['offset']}"
        if variant["store"] == "vec4" and problem["k"] % 4:
            return f"vec4 stores need K to be a multiple of 4, and K is {problem['k']}"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        quads = weight_type(problem["weight"]).padded(problem["k"]) // 4
        sizes = {name: problem[name] for name in ("k", "n", "first", "stride", "offset", "rows")}
        return {**sizes, "quads": quads, "parts": _parts(problem, variant)}

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(problem["rows"] * _parts(problem, variant))


def _parts(problem: Problem, variant: Variant) -> int:
    """Workgroups per row."""
    return ceil_div(ceil_div(problem["k"], 4), variant["threads"] * variant["items"])


def sorted_ids(ids: NDArray[np.uint32]) -> Arrays:
    """`order`: rows sorted by id, without padding; `ids`: the distinct ids; `starts`: where each begins in `order`.

    The lengths of the arrays do not depend on the ids, so that a recorded step can use them; unused entries are empty.
    """
    rows = len(ids)
    used = np.flatnonzero(ids != PADDING)
    order = used[np.argsort(ids[used], kind="stable")]
    distinct, first = np.unique(ids[order], return_index=True)
    arrays = {"order": np.zeros(rows, np.uint32), "ids": np.full(rows, PADDING, np.uint32)}
    arrays["order"][: len(order)] = order
    arrays["ids"][: len(distinct)] = distinct
    arrays["starts"] = np.full(rows + 1, len(order), np.uint32)
    arrays["starts"][: len(first)] = first
    return arrays


class EmbedBackward(Kernel):
    """Gradient of an embedding table: sums the rows of dy by their ids, which the host has sorted.

    Each distinct id is summed by one workgroup, in the order of its rows. The table may be a part, as in `embed`.
    """

    name = "embed_backward"
    math = "dtable[ids[d] - first, :] += sum of dy[order[j], :] over starts[d] <= j < starts[d+1]"
    bindings = (
        reads("dy", vec4_if("x"), "rows hidden"),
        *(reads(name, "u32", "rows") for name in ("order", "starts", "ids")),
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

    def operands(self, problem: Problem) -> dict[str, Out]:
        return {**super().operands(problem), "starts": Out((problem["rows"] + 1,), "u32")}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"dtable": Out((problem["n"], problem["hidden"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        dtable: NDArray[np.float64] = inputs["dtable"].astype(np.float64)
        for d, table_row in enumerate(inputs["ids"].astype(np.int64) - problem["first"]):
            rows = inputs["order"][inputs["starts"][d] : inputs["starts"][d + 1]]
            if len(rows) and 0 <= table_row < problem["n"]:
                dtable[table_row] += inputs["dy"][rows].sum(axis=0, dtype=np.float64)
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
        sizes = {name: problem[name] for name in ("rows", "n", "first")}
        return {**sizes, "width": _width(problem, variant), "parts": _backward_parts(problem, variant)}

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(problem["rows"] * _backward_parts(problem, variant))


def _width(problem: Problem, variant: Variant) -> int:
    """Elements of a binding per row: vec4s or single values."""
    return int(problem["hidden"]) // (4 if variant["x"] == "vec4" else 1)


def _backward_parts(problem: Problem, variant: Variant) -> int:
    """Workgroups per row."""
    return ceil_div(_width(problem, variant), variant["threads"] * variant["items"])


KERNELS = (Embed(), EmbedBackward())
