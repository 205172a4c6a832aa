"""Embedding: rows of a table of any weight type, picked by ids on the GPU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..gpu import Traits
from ..quant.weights import TYPES, weight_type
from . import weighted
from .draw import draw
from .grid import Grid, ceil_div, linear
from .kernel import Arrays, BenchCase, Binding, Case, Kernel, Out, Problem, Variant, case, reads, vec4_if, writes

PADDING = 0xFFFFFFFF  # an id that stands for no row


def _problem(weight: str, rows: int, n: int, k: int, **more: Any) -> dict[str, Any]:
    return {"weight": weight, "rows": rows, "n": n, "k": k, "first": 0, "stride": 1, "offset": 0, "add": False, **more}


def _cases() -> list[Case]:
    found = []
    for weight in TYPES:
        found += [
            case("whole chunks and blocks, padding among the ids", **_problem(weight, 5, 19, 512, ids="padded")),
            case("K is no multiple of 4 or a block", **_problem(weight, 7, 23, 203)),
        ]
    pairs = {"stride": 2, "offset": 1}
    return [
        *found,
        case("one row, more columns than a workgroup", **_problem("q8_0", 1, 9, 1280)),
        case("one element", **_problem("f32", 1, 1, 1)),
        case("the first part of a table: other ids are left alone", **_problem("q4_1", 33, 11, 96, ids="any")),
        case("a later part: padding is left alone too", **_problem("q4_1", 33, 11, 96, first=7, ids="any")),
        case("added, ids the second of pairs", **_problem("f32", 9, 31, 64, **pairs, add=True, ids="any")),
        case("added, ragged, a later part", **_problem("f16", 9, 31, 67, **pairs, add=True, first=5, ids="any")),
        case("more than 65,535 rows: a second grid dimension", **_problem("f16", 65_541, 7, 12, ids="any")),
    ]


class Embed(Kernel):
    """A table split across bindings takes a dispatch for each part, which holds rows first .. first + n - 1.

    Ids elsewhere are left to the other parts. An id of 0xffffffff is padding: zeros, written by the part that begins
    at 0, or nothing where rows are added.
    """

    name = "embed"
    math = "y[m,:] = (y[m,:] +) table[ids[m * stride + offset] - first, :] for ids within first .. first + n - 1"
    bindings = (
        reads("ids", "u32"),
        reads("w", weighted.QUAD_ELEM),
        reads("s", weighted.SCALE_ELEM),
        writes("y", vec4_if("store")),
    )
    params = tuple((name, "u32") for name in ("k", "n", "first", "stride", "offset", "quads", "parts", "rows"))
    static = ("weight", "add")
    cases = tuple(_cases())
    bench_cases = (
        BenchCase(_problem("q8_0", 1, 49152, 576), "SmolLM2, a token"),
        BenchCase(_problem("q8_0", 512, 49152, 576), "SmolLM2, 512 tokens"),
        BenchCase(_problem("q6_k", 512, 151936, 1536), "Qwen2.5-1.5B, 512 tokens", software=False),
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return weighted.bound(self.bindings, problem)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        """`ids`: within this part of the table unless the problem asks for padding or for any."""
        rows, n, first, kind = problem["rows"], problem["n"], problem["first"], problem.get("ids", "within")
        wanted = rng.integers(first, first + n, rows)
        if kind == "any":
            wanted = rng.integers(0, first + 2 * n, rows)
        if kind != "within":
            wanted[rng.random(rows) < 0.2] = PADDING
            wanted[-1] = PADDING
        ids = rng.integers(0, 1 << 32, (rows, problem["stride"])).astype(np.uint32)
        ids[:, problem["offset"]] = wanted
        return {"ids": ids, "y": draw(rng, (rows, problem["k"])), **weighted.random_weights(rng, problem)}

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
        """A workgroup takes threads * items vec4s of one row: software drivers like few, fat workgroups."""
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
        given = {name: problem[name] for name in ("k", "n", "first", "stride", "offset", "rows")}
        return {**given, "quads": quads, "parts": _parts(problem, variant)}

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(problem["rows"] * _parts(problem, variant))


def _parts(problem: Problem, variant: Variant) -> int:
    """Workgroups to a row."""
    return ceil_div(ceil_div(problem["k"], 4), variant["threads"] * variant["items"])


KERNEL = Embed()
