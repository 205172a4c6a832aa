"""The products of many rows with their experts' weights: an expert's rows are multiplied together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from .. import weighted
from ..draw import draw
from ..grid import MOST, Grid
from ..kernel import Arrays, BenchCase, Binding, Case, Out, Problem, Variant, case, in_fours, reads, writes
from ..products import tiles
from ..products.gemm import Gemm, accesses
from .expert_gemv import chosen, product_of
from .expert_sort import KERNEL as SORT
from .expert_sort import most_tiles

# Tiles by their rows: (bm, bn, bk, tm, tn) of those in workgroup memory, and columns of those in registers.
_SHARED = {32: (32, 32, 32, 4, 4), 64: (64, 64, 16, 8, 4)}
_REGISTER = {4: 4, 8: 8, 16: 8}
TILES = (*_REGISTER, *_SHARED)
# n counts columns of y. Columns from `first_up` on are ups, whose rows of weights are `apart` further on than those of
# more gates would be. `shared`: the pairs of a row (a row and an expert each) have one x; otherwise each has its own.
_PLAIN: dict[str, Any] = {"compute": "f32", "shared": True, "bias": False}


def layout_of(n: int, experts: int, ups: bool, fused: bool = False) -> dict[str, int]:
    """Where rows are: gates of all experts, then all ups; or `fused`, both of each expert together."""
    if fused or not ups:
        return {"stride": n, "apart": 0, "first_up": n}
    return {"stride": n // 2, "apart": (experts - 1) * (n // 2), "first_up": n // 2}


def problem_of(
    weight: str, rows: int, top: int, experts: int, n: int, k: int, tile: int, **more: Any
) -> dict[str, Any]:
    """A complete problem; `tile` is that of expert_sort."""
    sizes = {"rows": rows, "top": top, "experts": experts, "n": n, "k": k, "tile": tile}
    return {"weight": weight, **sizes, **layout_of(n, experts, False), **_PLAIN, **more}


def _case(why: str, weight: str, sizes: tuple[int, ...], ups: bool = False, fused: bool = False, **more: Any) -> Case:
    rows, top, experts, n, k, tile = sizes
    where = layout_of(n, experts, ups, fused)
    return case(why, **problem_of(weight, rows, top, experts, n, k, tile, **where, **more))


def _cases() -> list[Case]:
    cases = []
    for weight in weighted.WEIGHTS:
        cases.append(_case("gates and ups, ragged tiles of rows", weight, (37, 3, 5, 72, 256, 8), ups=True))
    for tile in TILES:
        cases += [
            _case(
                "an x for each pair; nothing is a multiple of anything", "f16", (13, 2, 5, 67, 203, tile), shared=False
            ),
            _case("vec4 rows, whole stores", weighted.NIBBLES, (41, 2, 3, 132, 36, tile), ups=True),
        ]
    cases += [
        _case("biases of gates and ups", "f16", (19, 4, 6, 74, 64, 8), ups=True, bias=True),
        _case("biases, gate and up together", weighted.BYTES, (9, 2, 7, 40, 96, 32), ups=True, fused=True, bias=True),
        _case("biases of down", "f32", (9, 2, 7, 33, 44, 4), shared=False, bias=True),
        _case("one pair", "f32", (1, 1, 1, 1, 3, 4)),
        _case("an expert with many tiles", "f16", (300, 1, 2, 12, 32, 8)),
    ]
    return cases


class ExpertGemm(Gemm):
    """Tiles have the rows of one expert (expert_sort), in a grid for the worst case: workgroups of empty tiles end."""

    name = "expert_gemm"
    math = "y[i] = W[ids[i]] . x[row of i] + b[ids[i]], for the pairs i = order[..] of every tile"
    bindings: tuple[Binding, ...] = (
        *Gemm.bindings[:3],
        reads("order", "u32", "rows*top"),
        reads("tiles", "vec4<u32>", ""),
        reads("b", sizes="n"),
        writes("y", Gemm.bindings[3].elem),
    )
    params = (
        *(("n", "u32"), ("k", "u32"), ("quads", "u32"), ("per_row", "u32")),
        *(("stride", "u32"), ("apart", "u32"), ("first_up", "u32")),
    )
    software_teams = ()
    cases: Sequence[Case] = weighted.CasesOfTypes(_cases)
    bench_cases = tuple(
        BenchCase(problem_of(weight, 512, 8, 128, n, k, 32, **layout_of(n, 128, ups), shared=ups), note, software=False)
        for weight in ("f16", weighted.GROUPS)
        for n, k, ups, note in (
            (1536, 2048, True, "Qwen3-30B-A3B gate/up, 512 tokens"),
            (2048, 768, False, "Qwen3-30B-A3B down, 512 tokens"),
        )
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return tuple(b for b in super().bound(problem) if b.name != "b" or problem["bias"])

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        places = sorted_pairs(rng, problem)
        matrix = {**problem, "n": problem["experts"] * problem["n"]}
        rows = problem["rows"] * (1 if problem["shared"] else problem["top"])
        return {
            "x": draw(rng, (rows, problem["k"])),
            **weighted.random_weights(rng, matrix),
            **places,
            **({"b": draw(rng, (matrix["n"],))} if problem["bias"] else {}),
        }

    def operands(self, problem: Problem) -> dict[str, Out]:
        pairs, experts = problem["rows"] * problem["top"], problem["experts"]
        x = Out((problem["rows"] if problem["shared"] else pairs, problem["k"]))
        tiles = Out((most_tiles(pairs, experts, problem["tile"]), 4), "u32")
        return {**super().operands({**problem, "m": 0, "n": experts * problem["n"]}), "x": x, "tiles": tiles}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["rows"] * problem["top"], problem["n"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        x = inputs["x"].astype(np.float64)
        x = np.repeat(x, problem["top"], axis=0) if problem["shared"] else x
        ids = np.zeros(len(x), np.uint32)
        for expert, first, end, _ in inputs["tiles"]:
            ids[inputs["order"][first:end]] = expert
        gates = problem["first_up"]
        if gates == problem["n"]:
            return {"y": product_of(x, ids, inputs, {**problem, "act": "none"})}
        apart = problem["apart"] + gates
        return {"y": product_of(x, ids, inputs, {**problem, "n": gates, "apart": apart, "act": "both"})}

    def flops(self, problem: Problem) -> int:
        pairs = int(problem["rows"]) * int(problem["top"])
        return 2 * pairs * int(problem["n"]) * int(problem["k"])

    def bytes(self, problem: Problem) -> int:
        """Each expert's weights once."""
        pairs, n, k = int(problem["rows"]) * int(problem["top"]), int(problem["n"]), int(problem["k"])
        x_rows = pairs // int(problem["top"]) if problem["shared"] else pairs
        return min(pairs, int(problem["experts"])) * weighted.weight_bytes(problem) + 4 * (x_rows * k + pairs * n)

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        tile = problem["tile"]
        styles: list[Variant] = []
        if tile in _SHARED:
            (bm, bn, bk, tm, tn), unroll = _SHARED[tile], 4 if traits.software else 16
            styles.append({"style": "shared", "bm": bm, "bn": bn, "bk": bk, "tm": tm, "tn": tn, "unroll": unroll})
        if tile in _REGISTER:
            styles.append({"style": "register", "bm": tile, "bn": _REGISTER[tile], "threads": 16})
        halves = weighted.half_modes(traits.f16, problem["weight"])
        return [
            {**style, "half": half, **access} for half in halves for style in styles for access in accesses(problem)
        ]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if most_tiles(problem["rows"] * problem["top"], problem["experts"], problem["tile"]) > MOST:
            return f"more than {MOST} tiles of rows"
        return super().refuses({**problem, "m": problem["tile"]}, variant)

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        quads = weighted.weight_type(problem["weight"]).padded(problem["k"]) // 4
        where = {key: problem[key] for key in ("n", "k", "stride", "apart", "first_up")}
        return {**where, "quads": quads, "per_row": problem["top"] if problem["shared"] else 1}

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"bias": problem["bias"]}

    def template(self, variant: Variant) -> str:
        return "expert_gemm.wgsl"

    def tune_key(self, problem: Problem) -> str:
        return f"{problem['weight']} {problem['tile']} {in_fours(problem['rows'] * problem['top'], problem['n'])}"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        across, _, _ = tiles.grid(problem["tile"], problem["n"], variant)
        return (across, most_tiles(problem["rows"] * problem["top"], problem["experts"], problem["tile"]), 1)


def sorted_pairs(rng: np.random.Generator, problem: Problem) -> Arrays:
    """Random experts of each row, as expert_sort leaves them."""
    ids = chosen(rng, problem["rows"], problem["top"], problem["experts"])
    places = SORT.reference({"ids": ids}, {**problem, "pairs": ids.size})
    return {name: array.astype(np.uint32) for name, array in places.items()}


KERNEL = ExpertGemm()
