"""The products of few rows with their experts' weights: only the chosen experts are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu import Traits
from ...quant.weights import weight_type
from .. import weighted
from ..draw import draw
from ..elementwise.activations import clamped, gated, gelu
from ..grid import MOST, Grid
from ..kernel import Arrays, BenchCase, Binding, Case, Out, Problem, Variant, case, distinct, in_twos, reads, writes
from ..products import gemv_styles
from ..products.gemv import Gemv

# Activations of a gate and an up; "both" has both results, in references only.
GATED = ("swiglu", "geglu", "clamped", "both")
ACTS = ("none", "swiglu", "geglu", "clamped")
# The matrix has the rows of all experts: row n of expert e is row e * stride + n, and its up, where there is one,
# `apart` rows further on. `gather`: "each" is a result for each of a row's `top` experts, of one x per row, "sum" adds
# them up, weighted by gates, of one x per expert. `alpha` and `limit` are those of "clamped". `short`: x may be rounded
# to 16 bits (gemv_digits.wgsl).
_PLAIN: dict[str, Any] = {"gather": "each", "act": "none", "norm": False, "bias": False, "add": False, "eps": 1e-5}
_PLAIN |= {"alpha": 1.702, "limit": 7.0, "short": False}
_Shape = tuple[tuple[int, int, int, int, int], dict[str, Any], str]


def layout_of(n: int, experts: int, act: str, fused: bool = False) -> dict[str, int]:
    """Where rows are: gates of all experts, then all ups; or `fused`, both of each expert together."""
    return {"stride": 2 * n, "apart": n} if fused else {"stride": n, "apart": experts * n if act in GATED else 0}


def problem_of(weight: str, rows: int, top: int, experts: int, n: int, k: int, **more: Any) -> dict[str, Any]:
    """A complete problem. n counts outputs, so a gated activation has 2n rows of weights per expert."""
    where = layout_of(n, experts, more.get("act", "none"))
    return {"weight": weight, "rows": rows, "top": top, "experts": experts, "n": n, "k": k, **where, **_PLAIN, **more}


def _case(why: str, weight: str, sizes: tuple[int, int, int, int, int], fused: bool = False, **more: Any) -> Case:
    rows, top, experts, n, k = sizes
    where = layout_of(n, experts, more.get("act", "none"), fused)
    return case(why, **problem_of(weight, rows, top, experts, n, k, **{**more, **where}))


def _cases() -> list[Case]:
    up: dict[str, Any] = {"act": "swiglu", "norm": True}
    down: dict[str, Any] = {"gather": "sum", "add": True}
    cases = []
    for weight in weighted.WEIGHTS:
        cases += [
            _case("gate and up of the experts, of all experts' gates first", weight, (1, 4, 7, 37, 256), **up),
            _case("the weighted sum of the experts' down", weight, (1, 4, 7, 33, 256), **down),
        ]
    for weight in ("f16", weighted.NIBBLES, weighted.BYTES):
        cases += [
            _case("several rows; ragged K", weight, (3, 2, 5, 21, 203), act="swiglu"),
            _case("several rows, K below a block", weight, (3, 2, 5, 9, 44), **down),
        ]
    cases += [
        _case("gate and up of each expert together", "f16", (2, 3, 6, 21, 96), True, **up),
        _case("one expert, one output", "f32", (1, 1, 1, 1, 67), act="swiglu"),
        _case("clamped, with biases", "f16", (2, 2, 5, 37, 64), act="clamped", bias=True, norm=True, values="huge"),
        _case("clamped, with biases, together", weighted.NIBBLES, (1, 4, 5, 21, 96), True, act="clamped", bias=True),
        _case("a weighted sum with biases", weighted.BYTES, (2, 3, 5, 33, 160), gather="sum", bias=True, add=True),
        _case("a weighted sum with biases, no residual", "f16", (2, 3, 5, 21, 203), gather="sum", bias=True),
        _case("GEGLU", "f16", (2, 3, 6, 21, 96), act="geglu", norm=True),
        _case("GEGLU, gate and up of each expert together", weighted.NIBBLES, (1, 4, 5, 37, 160), True, act="geglu"),
        _case("gates alone", weighted.BYTES, (2, 3, 5, 33, 64), bias=True),
        _case("more than 65,535 outputs: a second grid dimension", weighted.NIBBLES, (1, 1, 2, 65_543 * 2, 32)),
    ]
    for weight in (weighted.GROUPS, weighted.BYTES, weighted.SMALL_FLOATS):
        cases += [
            _case("x in 16 bits, gate and up", weight, (1, 4, 7, 37, 512), short=True, **up),
            _case("x in 16 bits, a weighted sum", weight, (1, 4, 7, 33, 768), short=True, **down),
        ]
    return cases


def _bench_cases() -> tuple[BenchCase, ...]:
    qwen: tuple[_Shape, ...] = (
        ((1, 8, 128, 768, 2048), {"act": "swiglu", "norm": True}, "Qwen3-30B-A3B gate/up"),
        ((1, 8, 128, 2048, 768), {"gather": "sum", "add": True}, "Qwen3-30B-A3B down"),
    )
    oss: tuple[_Shape, ...] = (
        ((1, 4, 32, 2880, 2880), {"act": "clamped", "norm": True, "bias": True}, "gpt-oss-20b gate/up"),
        ((1, 4, 32, 2880, 2880), {"gather": "sum", "add": True, "bias": True}, "gpt-oss-20b down"),
    )
    types = {"f16": qwen, weighted.GROUPS: qwen, weighted.TWO_SCALES: qwen, weighted.BYTES: qwen}
    types[weighted.SMALL_FLOATS] = oss
    return tuple(
        BenchCase(problem_of(weight, *sizes, short=weight_type(weight).whole_codes, **fused), note, software=False)
        for weight, shapes in types.items()
        for sizes, fused, note in shapes
    )


class ExpertGemv(Gemv):
    name = "expert_gemv"
    params = (*Gemv.params, ("eps", "f32"))
    math = (
        "y[m,j] = act(W[ids[m,j]] . rmsnorm(x[m], g) + b); or y[m] = r[m] + sum_j gates[m,j] (W[ids[m,j]] . x[m,j] + b)"
    )
    bindings: tuple[Binding, ...] = (
        *Gemv.bindings[:3],
        reads("ids", "u32", "rows top"),
        reads("gates", sizes="rows top"),
        reads("g", Gemv.bindings[0].elem, "k"),
        reads("b", sizes=""),
        reads("r", sizes="rows n"),
        writes("y"),
    )
    cases: Sequence[Case] = weighted.CasesOfTypes(_cases)
    bench_cases = _bench_cases()

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        absent = {name for name, key in (("g", "norm"), ("b", "bias"), ("r", "add")) if not problem[key]}
        absent |= set() if problem["gather"] == "sum" else {"gates"}
        return tuple(b for b in weighted.bound(self.bindings, problem) if b.name not in absent)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        rows, top, n, k = (problem[key] for key in ("rows", "top", "n", "k"))
        pairs = rows * top
        extra: Arrays = {
            "ids": chosen(rng, rows, top, problem["experts"]),
            "gates": draw(rng, (pairs,)),
            "g": draw(rng, (k,)),
            "b": draw(rng, (all_rows(problem)["n"],), problem.get("values", "normal")),
            "r": draw(rng, (rows, n)),
        }
        names = {b.name for b in self.bound(problem)}
        return {
            "x": draw(rng, (rows if problem["gather"] == "each" else pairs, k)),
            **weighted.random_weights(rng, all_rows(problem)),
            **{name: array for name, array in extra.items() if name in names},
        }

    def operands(self, problem: Problem) -> dict[str, Out]:
        matrices, rows = all_rows(problem), problem["rows"] * (1 if problem["gather"] == "each" else problem["top"])
        operands = {**super().operands(problem), **weighted.plane_shapes(matrices), "x": Out((rows, problem["k"]))}
        return operands | ({"b": Out((matrices["n"],))} if problem["bias"] else {})

    def outputs(self, problem: Problem) -> dict[str, Out]:
        rows = problem["rows"] * (problem["top"] if problem["gather"] == "each" else 1)
        return {"y": Out((rows, problem["n"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        x, top = inputs["x"].astype(np.float64), problem["top"]
        if problem["norm"]:
            x = x / np.sqrt(np.mean(x**2, axis=1, keepdims=True) + problem["eps"]) * inputs["g"]
        if problem["gather"] == "each":
            x = np.repeat(x, top, axis=0)
        y = product_of(x, inputs["ids"], inputs, problem)
        if problem["gather"] == "sum":
            y = (y * inputs["gates"].astype(np.float64)[:, None]).reshape(problem["rows"], top, -1).sum(axis=1)
        return {"y": y + inputs["r"] if problem["add"] else y}

    def flops(self, problem: Problem) -> int:
        return int(problem["rows"]) * int(problem["top"]) * super().flops(of_expert(problem))

    def bytes(self, problem: Problem) -> int:
        """Of the weights, those of the chosen experts."""
        rows, top, n, k = (int(problem[key]) for key in ("rows", "top", "n", "k"))
        read = min(rows * top, int(problem["experts"])) * weighted.weight_bytes(of_expert(problem))
        shared = problem["gather"] == "each"
        return read + 4 * rows * (k * (1 if shared else top) + n * (top if shared else 1 + problem["add"]))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """Those of GEMV for as many rows as there are outputs, but no single threads."""
        count = {**of_expert(problem), "n": of_expert(problem)["n"] * problem["rows"] * _results(problem)}
        variants = [v for v in super().variants(traits, count) if v["reduce"] != "thread"]
        if traits.software:
            variants = [v for v in variants if v["half"] == "packed"]
        if problem["gather"] == "sum":
            variants = [v for v in variants if not v["stage"] or v["groups"]]
            if problem["rows"] == 1:  # all experts' rows of x are staged once, which no other style can
                variants.sort(key=lambda v: not v["groups"])
        if problem["act"] in GATED:
            variants = [{**v, "rows": max(1, v["rows"] // 2)} for v in variants]
        return distinct(variants)

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["act"] not in ACTS or problem["gather"] not in ("each", "sum"):
            return (
                f"act must be one of {ACTS}, and is {problem['act']!r}; gather each or sum, not {problem['gather']!r}"
            )
        if problem["gather"] == "sum" and (problem["act"] != "none" or problem["norm"]):
            return "a sum over experts has neither a norm nor an activation"
        if problem["gather"] == "each" and problem["add"]:
            return "a residual is added to the sum over experts"
        if problem["rows"] * _results(problem) > MOST:
            return f"{problem['rows'] * _results(problem)} results are more than {MOST}"
        return super().refuses(problem, variant)

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        keys = ("gather", "act", "norm", "bias", "add", "top", "stride", "apart", "alpha", "limit")
        fused = {key: problem[key] for key in keys} | {"approximate": "tanh"}
        if variant["fixed"]:
            fused["eps"] = problem["eps"]
        return {**super().baked(problem, variant), **fused}

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {**super().uniforms(problem, variant), "eps": problem["eps"]}

    def tune_key(self, problem: Problem) -> str:
        sizes = in_twos(problem["n"], problem["k"], problem["rows"] * problem["top"])
        return f"{problem['weight']} {problem['gather']} {problem['act']} {sizes}"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        x, y, _ = super().grid(problem, variant)
        return (x, y, problem["rows"] * _results(problem))

    def turns(self, problem: Problem, variant: Variant) -> int:
        return gemv_styles.turns(variant, problem["n"] * problem["rows"] * _results(problem))


def _results(problem: Problem) -> int:
    """Results of a row."""
    return int(problem["top"]) if problem["gather"] == "each" else 1


def of_expert(problem: Problem) -> dict[str, Any]:
    """The problem with n as the rows of one expert's matrix."""
    return {**problem, "n": problem["n"] * (2 if problem["act"] in GATED else 1)}


def all_rows(problem: Problem) -> dict[str, Any]:
    """The problem with n as the rows of the whole matrix."""
    return {**problem, "n": of_expert(problem)["n"] * problem["experts"]}


def chosen(rng: np.random.Generator, rows: int, top: int, experts: int) -> NDArray[np.uint32]:
    """Random experts of each row, flat; the last expert is among them."""
    ids = np.stack([rng.permutation(experts)[:top] for _ in range(rows)]).astype(np.uint32)
    if experts - 1 not in ids:
        ids[-1, -1] = experts - 1
    return ids.reshape(-1)


def product_of(
    x: NDArray[np.float64], ids: NDArray[np.uint32], inputs: Arrays, problem: Problem
) -> NDArray[np.float64]:
    """act(W[ids[i]] . x[i] + b[ids[i]]) for each row of x, [n] each."""
    matrix, count = weighted.dequantised(inputs, all_rows(problem)), problem["n"]
    results = np.zeros((len(x), of_expert(problem)["n"]))
    for i, expert in enumerate(ids.astype(np.int64)):
        at = np.arange(count) + expert * problem["stride"]
        rows = np.concatenate([at, at + problem["apart"]]) if problem["act"] in GATED else at
        results[i] = matrix[rows] @ x[i] + (inputs["b"][rows] if problem["bias"] else 0)
    if problem["act"] == "swiglu":
        return gated(results)
    if problem["act"] == "geglu":
        gate, up = np.split(results, 2, axis=-1)
        return gelu(gate, "tanh") * up
    return clamped(results, problem["alpha"], problem["limit"]) if problem["act"] == "clamped" else results


KERNEL = ExpertGemv()
