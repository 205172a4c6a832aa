"""The products of many rows with their experts' weights on matrix units: an expert's rows are multiplied together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from .. import weighted
from ..draw import draw
from ..grid import MOST, Grid, ceil_div
from ..kernel import Arrays, BenchCase, Binding, Case, Out, Problem, Variant, case, in_fours, reads, writes
from ..products.gemm_matrix import GemmMatrix
from ..products.row_halves import in_halves, vectors
from .expert_gemm import layout_of, sorted_pairs
from .expert_sort import most_tiles

# Rows of a tile, by the rows of an expert on average up to which it is best.
_TILES = {12: 16, 24: 32, 48: 64, 1 << 30: 128}


def tile_of(rows: float) -> int:
    """Rows of a tile, for this number of rows of an expert on average: few are mostly empty, and few weights are
    unpacked twice."""
    return next(tile for most, tile in _TILES.items() if rows <= most)


def problem_of(
    weight: str, rows: int, top: int, experts: int, n: int, k: int, tile: int, **more: Any
) -> dict[str, Any]:
    """A complete problem; keys as those of expert_gemm, and x_parts and w_parts as those of gemm_matrix."""
    sizes = {"rows": rows, "top": top, "experts": experts, "n": n, "k": k, "tile": tile}
    parts = {"x_parts": 1, "w_parts": 1, "across": False, "shared": True, "bias": False}
    problem = {"weight": weight, **sizes, **parts, **layout_of(n, experts, False), **more}
    if weight == "f16":
        problem.setdefault("w_width", 8 * vectors(k))
    return problem


def _case(why: str, weight: str, sizes: tuple[int, ...], ups: bool = False, fused: bool = False, **more: Any) -> Case:
    rows, top, experts, n, k, tile = sizes
    where = layout_of(n, experts, ups, fused)
    return case(why, **problem_of(weight, rows, top, experts, n, k, tile, **where, **more))


def _cases() -> list[Case]:
    exact: dict[str, Any] = {"x_parts": 2, "w_parts": 2}
    cases = []
    for weight in weighted.WEIGHTS:
        cases.append(_case("gates and ups, ragged tiles of rows", weight, (37, 3, 5, 72, 256, 8), ups=True))
    for weight, parts in (("f16", {}), ("f32", exact)):
        ragged = (13, 2, 5, 67, 203, 4)
        cases += [
            _case("an x for each pair; nothing is a multiple of anything", weight, ragged, shared=False, **parts),
            _case("an expert with many tiles, in parts", weight, (150, 1, 2, 12, 40, 64), **parts),
        ]
    return [
        *cases,
        _case("rows in two halves", "f16", (21, 2, 4, 36, 96, 16), x_parts=2),
        _case("biases of gates and ups", "f16", (19, 4, 6, 74, 64, 8), ups=True, bias=True),
        _case("biases, gate and up together", weighted.BYTES, (9, 2, 7, 40, 96, 32), ups=True, fused=True, bias=True),
        _case("biases of down", weighted.SMALL_FLOATS, (9, 2, 7, 33, 64, 4), shared=False, bias=True),
        _case("one pair", "f16", (1, 1, 1, 1, 3, 4)),
    ]


def _bench_cases() -> list[BenchCase]:
    qwen = ("Qwen3-30B-A3B", 128, 8, (1536, 2048, True), (2048, 768, False))
    oss = ("gpt-oss-20b", 32, 4, (5760, 2880, True), (2880, 2880, False))
    cases = []
    for weight, (model, experts, top, *layer) in (("f16", qwen), (weighted.GROUPS, qwen), (weighted.SMALL_FLOATS, oss)):
        for rows in (32, 64, 128, 512):
            tile = tile_of(rows * top / experts)
            for n, k, ups in layer:
                where = layout_of(n, experts, ups)
                problem = problem_of(weight, rows, top, experts, n, k, tile, **where, shared=ups)
                note = f"{model} {'gate/up' if ups else 'down'} {weight}, {rows} rows"
                cases.append(BenchCase(problem, note, software=False))
    return cases


class ExpertMatrix(GemmMatrix):
    """As expert_gemm. A tile of expert_sort is cut into as many as a variant's are shorter, or is not filled."""

    name = "expert_matrix"
    math = "y[i] = scale[row of i] sum_k x[row of i,k] W[ids[i],k] / up + b[ids[i]], for the pairs i of every tile"
    bindings: tuple[Binding, ...] = (
        reads("x", "vec4<u32>", ""),
        reads("scale", sizes=""),
        reads("w", "vec4<u32>", ""),
        reads("s", weighted.SCALE_ELEM, ""),
        reads("order", "u32", "rows*top"),
        reads("tiles", "vec4<u32>", ""),
        reads("b", sizes=""),
        writes("y", GemmMatrix.bindings[-1].elem),
    )
    params = tuple(
        (name, "u32") for name in ("m", "n", "k", "x_vecs", "w_vecs", "per_row", "stride", "apart", "first_up")
    )
    cases: Sequence[Case] = weighted.CasesOfTypes(_cases)
    bench_cases = tuple(_bench_cases())

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return tuple(b for b in weighted.bound(self.bindings, problem) if b.name != "b" or problem["bias"])

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        places = sorted_pairs(rng, problem)
        x, scale = in_halves(draw(rng, (_rows(problem), problem["k"])), problem["x_parts"])
        return {
            "x": x,
            "scale": scale,
            **self._weights(rng, _of_all(problem)),
            **places,
            **({"b": draw(rng, (_of_all(problem)["n"],))} if problem["bias"] else {}),
        }

    def operands(self, problem: Problem) -> dict[str, Out]:
        pairs, rows = problem["rows"] * problem["top"], _rows(problem)
        operands = {
            "x": Out((problem["x_parts"], rows, 8 * vectors(problem["k"])), "f16"),
            "scale": Out((rows,)),
            "order": Out((pairs,), "u32"),
            "tiles": Out((most_tiles(pairs, problem["experts"], problem["tile"]), 4), "u32"),
        }
        operands |= self._planes(_of_all(problem))
        return operands | ({"b": Out((_of_all(problem)["n"],))} if problem["bias"] else {})

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["rows"] * problem["top"], problem["n"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        n, k = problem["n"], problem["k"]
        x = inputs["x"].astype(np.float64).sum(axis=0)[:, :k] * inputs["scale"][:, None]
        x = np.repeat(x, problem["top"], axis=0) if problem["shared"] else x
        w = self._values(inputs, _of_all(problem))[:, :k]
        columns = np.arange(n)
        columns = columns + np.where(columns >= problem["first_up"], problem["apart"], 0)
        y = np.zeros((len(x), n))
        for expert, first, end, _ in inputs["tiles"]:
            rows = int(expert) * problem["stride"] + columns
            for pair in inputs["order"][first:end]:
                y[pair] = w[rows] @ x[pair] + (inputs["b"][rows] if problem["bias"] else 0.0)
        return {"y": y}

    def flops(self, problem: Problem) -> int:
        return 2 * int(problem["rows"]) * int(problem["top"]) * int(problem["n"]) * int(problem["k"])

    def bytes(self, problem: Problem) -> int:
        """Each expert's weights once."""
        pairs, n, k = int(problem["rows"]) * int(problem["top"]), int(problem["n"]), int(problem["k"])
        weights = min(pairs, int(problem["experts"])) * self._weight_bytes(problem)
        return weights + 2 * _rows(problem) * k * int(problem["x_parts"]) + 4 * pairs * n

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """Those of gemm_matrix for a tile's rows, those of its height first."""
        offered = super().variants(traits, {**problem, "m": problem["tile"], "at": 0, "width": problem["n"]})
        return sorted(offered, key=lambda v: ceil_div(problem["tile"], v["bm"]) * v["bm"])

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if max(self.grid(problem, variant)) > MOST:
            return f"more than {MOST} tiles"
        plain = {"at": 0, "width": problem["n"], "by_block": False, "blocks": 1}
        return super().refuses({**problem, **plain}, variant)

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, int]:
        sizes = {"m": _rows(problem), "x_vecs": vectors(problem["k"]), "w_vecs": self._w_vecs(problem)}
        where = {key: problem[key] for key in ("n", "k", "stride", "apart", "first_up")}
        return {**sizes, **where, "per_row": problem["top"] if problem["shared"] else 1}

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        cuts = ceil_div(problem["tile"], variant["bm"])
        kind = {"experts": True, "bias": problem["bias"], "split": False, "by_block": False}
        return {**kind, "cuts": cuts, **self._depths(problem, variant)}

    def tune_key(self, problem: Problem) -> str:
        sizes = in_fours(problem["rows"] * problem["top"], problem["n"])
        return f"{problem['weight']} {problem['x_parts']} {problem['w_parts']} {problem['tile']} {sizes}"

    def template(self, variant: Variant) -> str:
        return "gemm_matrix.wgsl"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        tiles = most_tiles(problem["rows"] * problem["top"], problem["experts"], problem["tile"])
        return (ceil_div(problem["n"], variant["bn"]), tiles * ceil_div(problem["tile"], variant["bm"]), 1)


def _rows(problem: Problem) -> int:
    """Rows of x."""
    return int(problem["rows"]) * (1 if problem["shared"] else int(problem["top"]))


def _of_all(problem: Problem) -> dict[str, Any]:
    """The problem with n as the rows of all experts' weights."""
    return {**problem, "n": problem["n"] * problem["experts"]}


KERNEL = ExpertMatrix()
