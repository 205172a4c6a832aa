"""GEMV: one row of activations against resident weights (decode, M = 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..gpu import Traits
from ..quant.weights import weight_type
from . import weighted
from .grid import Grid, ceil_div, linear
from .kernel import (
    Arrays,
    BenchCase,
    Binding,
    Case,
    Kernel,
    Out,
    Problem,
    Variant,
    case,
    in_twos,
    reads,
    vec4_if,
    writes,
)


def _cases() -> list[Case]:
    found = []
    for weight in weighted.WEIGHTS:
        few = weight in weighted.ALIKE
        long = 320 if weight == "nf4_dq" else 1280 if few else 1056  # short where a look-up is slow to compile
        found += [
            case("whole chunks, more rows than a workgroup", weight=weight, n=130, k=256),
            case("K is no multiple of 4, a block or a subgroup", weight=weight, n=37, k=203),
            case("some lanes have more chunks than their neighbours", weight=weight, n=5, k=long),
        ]
        if not few:
            found.append(case("one row, K below one chunk", weight=weight, n=1, k=3))
    found.append(case("whole chunks, but not whole blocks", weight="q8_0", n=5, k=48))
    found.append(case("more than 65,535 rows: a second grid dimension", weight="q4_1", n=65535 * 9 + 7, k=32))
    found.append(case("a long row: more than 65,535 steps per invocation", weight="f32", n=24, k=262_148))
    return found


# (threads, lanes, rows, unroll)
_THREAD = ((8, 1, 16, 1), (16, 1, 4, 1), (32, 1, 2, 1))
_STAGED = ((128, 16, 4, 1), (128, 16, 3, 1), (192, 16, 1, 1), (64, 8, 1, 1), (32, 4, 1, 1))
_DIGITS = ((128, 16, 2, 1), (128, 16, 3, 1), (128, 8, 1, 1), (128, 8, 2, 1))
_WHOLE = ("q4_0", "q4_1", "q4_k", "q8_0")  # codes that are whole numbers of at most eight bits
_SUBGROUP = ((256, 32, 2, 3), (128, 32, 1, 3), (32, 8, 1, 2), (64, 4, 2, 2))
_WORKGROUP = ((64, 64, 1, 2), (128, 128, 1, 2), (256, 256, 2, 2))
# More for `wgpt tune` to choose from, where compiling them takes no minutes.
_MORE_SUBGROUP = ((128, 32, 2, 1), (128, 32, 4, 1), (256, 32, 1, 1), (64, 32, 1, 1), (64, 32, 2, 1))
_MORE_WORKGROUP = (
    (128, 128, 2, 1), (128, 128, 4, 1), (64, 64, 2, 1), (256, 256, 2, 1),
    (96, 96, 1, 1), (96, 96, 2, 1), (96, 96, 4, 1), (64, 64, 4, 1), (192, 192, 1, 1), (192, 192, 2, 1),
)  # fmt: skip
_MORE_DIGITS = (
    (128, 16, 4, 1), (192, 16, 1, 1), (256, 16, 1, 1), (256, 16, 2, 1), (256, 32, 1, 1), (384, 32, 1, 1),
    (512, 32, 1, 1),
)  # fmt: skip
_FEW_DIGITS = (16, 4, 2, 1)
_TREE = ((256, 64, 1, 1), (256, 32, 2, 1), (256, 256, 1, 1))
_BUSY_LANES = 95_000  # under this many, more lanes a row keep more of a GPU busy
_BUSY_STAGED = 40_000  # the same where a lane takes 32 weights at a time
_MOST_STEPS = 12  # more units than this, one after the other, make a lane wait for memory too often
_STRAIGHT = 12  # so many steps of known sizes are written out, one after the other
# What gemv_fused does around the product.
UNFUSED = {"fused": False, "norm": False, "bias": False, "add": False, "act": "none", "splits": 0}
_STAGE_BYTES = 36 << 10  # more workgroup memory than this leaves too few workgroups on a GPU's core


def _style(
    reduce: str, shape: tuple[int, int, int, int], width: int, *, subgroups: bool = False, stage: bool = False
) -> Variant:
    threads, lanes, rows, unroll = shape
    sizes = {"threads": threads, "lanes": lanes, "rows": rows, "unroll": unroll, "width": width}
    return {
        "reduce": reduce,
        "subgroups": subgroups,
        "stage": stage,
        "digits": 0,
        "ahead": False,
        "fixed": False,
        **sizes,
    }


def _digits(shape: tuple[int, int, int, int], ahead: bool = False) -> Variant:
    return {**_style("subgroup", shape, 4, subgroups=True, stage=True), "digits": 3, "ahead": ahead}


def _fixed(style: Variant, problem: Problem) -> Variant:
    """With the sizes in the code; how many steps a loop takes at a time is nothing to code without a loop."""
    straight = _units(problem, style) <= _STRAIGHT * style["lanes"]
    return {**style, "fixed": True, "unroll": 1 if straight else style["unroll"]}


def _for_tuning(style: Variant) -> bool:
    shape = (style["threads"], style["lanes"], style["rows"])
    return style["fixed"] and any(shape == more[:3] for more in (*_MORE_SUBGROUP, *_MORE_WORKGROUP))


def _units(problem: Problem, variant: Variant) -> int:
    """What a row is walked in: chunks of 16 bytes, or words."""
    return weighted.chunks_per_row(problem) * 4 // int(variant["width"])


def _styles(traits: Traits, problem: Problem) -> list[Variant]:
    """Teams in order of preference on this adapter."""
    quantised = problem["weight"] in weighted.QUANTISED
    width = 1 if quantised else 4
    teams = []
    if traits.subgroups:
        fit = traits.subgroup_size
        if problem["weight"] in _WHOLE and not traits.software:
            teams += [_digits(s, ahead=True) for s in _DIGITS if s[1] <= fit]
        if quantised:
            teams += [_style("subgroup", s, 4, subgroups=True, stage=True) for s in _STAGED if s[1] <= fit]
        teams += [_style("subgroup", s, width, subgroups=True) for s in _SUBGROUP if s[1] <= fit]
        teams += [_style("workgroup", s, width, subgroups=True) for s in _WORKGROUP]
        teams = _busiest_first(teams, problem)
        if not traits.software:
            teams += [_style("subgroup", s, width, subgroups=True) for s in _MORE_SUBGROUP if s[1] <= fit]
            teams += [_style("workgroup", s, width, subgroups=True) for s in _MORE_WORKGROUP]
            if problem["weight"] in _WHOLE:
                teams += [_digits(s, ahead=True) for s in _MORE_DIGITS if s[1] <= fit]
                teams += [_digits(s) for s in (*_DIGITS, *_MORE_DIGITS) if s[1] <= fit]
    teams += [_style("workgroup", s, width) for s in _TREE]
    # Scaled sums are one register a row, so many rows share the loads of x; others are four, and spill.
    one_thread = [_style("thread", s, 4) for s in (_THREAD if quantised else _THREAD[::-1])]
    if traits.software:
        # What only a GPU would choose is there to be checked: once.
        checked = {"f16": _style("workgroup", _WORKGROUP[0], 4, subgroups=True)}
        checked |= {
            weight: _digits(_FEW_DIGITS) for weight in ("q4_1", "q8_0") if traits.subgroup_size >= _FEW_DIGITS[1]
        }
        extra = checked.get(problem["weight"]) if traits.subgroups else None
        return one_thread + teams + ([] if extra is None else [_fixed(extra, problem)])
    found: list[Variant] = []
    for style in (_fixed(team, problem) for team in teams):
        fits = not style["stage"] or _stage_bytes(style, problem) <= traits.workgroup_bytes
        if fits and style not in found:
            found.append(style)
    return found + one_thread


def _stage_bytes(variant: Variant, problem: Problem) -> int:
    """Workgroup memory that x takes: floats, or digits with a scale; and a sum."""
    chunk = weight_type(problem["weight"]).chunk
    each = (variant["digits"] * chunk // 16 | 1) * 16 + 8 if variant["digits"] else 4 * chunk + 16 + 4
    return int(weighted.chunks_per_row(problem) * each)


def _busiest_first(teams: list[Variant], problem: Problem) -> list[Variant]:
    """Those that fill a GPU, in the order given; then the others, the one with the most lanes at work first."""
    words = weighted.chunks_per_row(problem) * 4

    def lanes_at_work(v: Variant) -> float:
        return float(problem["n"] * min(v["lanes"], words // v["width"]) / v["rows"])

    def fills(v: Variant) -> bool:
        enough = lanes_at_work(v) >= (_BUSY_STAGED if v["stage"] else _BUSY_LANES)
        return enough and words <= v["width"] * v["lanes"] * _MOST_STEPS

    return [v for v in teams if fills(v)] + sorted((v for v in teams if not fills(v)), key=lanes_at_work, reverse=True)


class Gemv(Kernel):
    name = "gemv"
    math = "y[n] = sum_k W[n,k] * x[k]"
    bindings: tuple[Binding, ...] = (
        reads("x", vec4_if("x")),
        reads("w", "{{ 'mat2x4<f16>' if half == 'native' else 'vec4<u32>' if width == 4 else 'u32' }}"),
        reads("s", weighted.SCALE_ELEM),
        writes("y"),
    )
    params: tuple[tuple[str, str], ...] = (("n", "u32"), ("k", "u32"), ("units", "u32"))
    static = ("weight",)
    cases = tuple(_cases())
    bench_cases: tuple[BenchCase, ...] = (
        BenchCase({"weight": "f16", "n": 151936, "k": 1536}, "Qwen2.5-1.5B LM head", software=False),
        BenchCase({"weight": "q4_1", "n": 151936, "k": 1536}, "Qwen2.5-1.5B LM head", software=False),
        BenchCase({"weight": "q6_k", "n": 151936, "k": 1536}, "Qwen2.5-1.5B LM head", software=False),
        *(BenchCase({"weight": w, "n": 8960, "k": 1536}, "Qwen2.5-1.5B up", software=False) for w in weighted.WEIGHTS),
        BenchCase({"weight": "f16", "n": 1536, "k": 8960}, "Qwen2.5-1.5B down", software=False),
        BenchCase({"weight": "f16", "n": 1536, "k": 1536}, "Qwen2.5-1.5B q", software=False),
        BenchCase({"weight": "f16", "n": 576, "k": 576}, "SmolLM2 q", software=False),
        *(
            BenchCase({"weight": w, "n": 1536, "k": 576 if 576 % weight_type(w).block == 0 else 512}, "SmolLM2 up")
            for w in weighted.WEIGHTS
        ),
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return weighted.bound(self.bindings, problem)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        x = rng.standard_normal((problem["k"],)).astype(np.float32)
        return {"x": x, **weighted.random_weights(rng, problem)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["n"],))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"y": weighted.dequantised(inputs, problem) @ inputs["x"].astype(np.float64)}

    def flops(self, problem: Problem) -> int:
        return 2 * int(problem["n"]) * int(problem["k"])

    def bytes(self, problem: Problem) -> int:
        return weighted.weight_bytes(problem) + 4 * (int(problem["k"]) + int(problem["n"]))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        halves = weighted.half_modes(traits.f16, problem["weight"])
        styles = _styles(traits, problem)
        return [
            {**style, "x": x, "half": half}
            for style in styles
            for half in halves
            for x in ("vec4", "scalar")
            if x == "vec4" or not _for_tuning(style)  # the others take any K
        ]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        whole = weight_type(problem["weight"]).row_multiple  # rows are padded to this; x is not
        if variant["x"] == "vec4" and problem["k"] % whole:
            return f"vec4 loads need K to be a multiple of {whole} for {problem['weight']}, and K is {problem['k']}"
        if variant["stage"]:
            if variant["x"] != "vec4":
                return "x is staged in vec4 loads"
            if _stage_bytes(variant, problem) > _STAGE_BYTES:
                return f"x of {problem['k']} does not fit into {_STAGE_BYTES} bytes of workgroup memory"
        return None

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        found = {**UNFUSED, "straight": _STRAIGHT}
        if variant["fixed"]:
            found |= {"n": problem["n"], "k": problem["k"], "units": _units(problem, variant)}
        if variant["reduce"] == "thread":
            found["units"] = weighted.chunks_per_row(problem)
        if variant["stage"]:
            found["chunks"] = weighted.chunks_per_row(problem)
        return found

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"n": problem["n"], "k": problem["k"], "units": _units(problem, variant)}

    def parameters(self, variant: Variant) -> tuple[tuple[str, str], ...]:
        return () if variant["fixed"] else self.params

    def tune_key(self, problem: Problem) -> str:
        """Long and short, wide and narrow matrices differ; in steps of two."""
        return f"{problem['weight']} {in_twos(problem['n'], problem['k'])}"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        teams = variant["threads"] // variant["lanes"]
        return linear(ceil_div(problem["n"], teams * variant["rows"]))


KERNEL = Gemv()
