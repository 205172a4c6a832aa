"""Attention of a prompt's rows over the cache on matrix units (subgroup matrices): f16 products, f32 sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.errors import PreconditionError
from ...core.sizes import PAGE
from ...gpu import Traits
from ...gpu.webgpu.interface import Matrix
from ..grid import MOST, Grid, ceil_div
from ..kernel import Arrays, BenchCase, Binding, Case, Out, Problem, Variant, case, distinct, in_fours, writes
from . import attending
from .attending import QWEN2, SMOLLM2, paged, place, shape
from .attention_prefill import AttentionPrefill

PRECISIONS = ("fast", "f32")
LEAST_TILE = 16  # rows of one sequence side by side: of fewer, most rows of a fragment would wait for the others
# Subgroups, fragments of rows of each, keys at a time, and whether the next keys are prefetched. The value is the
# number of workgroups from which on the shape is worth it on a large GPU (Traits.filling). An H200 was fastest with
# the first for SmolLM2's prompts of 2,048 tokens and more, with the second for 512.
_SHAPES = {
    (4, 1, 32, True): 200,
    (4, 1, 64, True): 0,
    (4, 1, 32, False): 0,
    (6, 1, 32, True): 0,
    (8, 1, 32, True): 0,
    (4, 1, 64, False): 0,
    (6, 2, 32, True): 0,
    (4, 2, 32, True): 0,
    (4, 2, 64, True): 0,
    (2, 1, 32, True): 0,
    (1, 1, 32, False): 0,
}
# Keys and values are halves: those of an f32 cache are rounded.
_CACHES = {"fast": ("f16", "f32"), "f32": ("f16",)}
QWEN3 = shape(32, 8, 128)
_LARGE = 2.0**17  # q up to about half a million


def _cases() -> list[Case]:
    several = ((3, 0, 5), (3, -1, 11), (0, 90, 26), (0, -1, 6), (2, 7, 16), (1, -1, 8))
    rows = {**place(1, 90, (0, 60, 20)), "window": 0}
    small = shape(4, 2, 16)
    cases = []
    for compute in PRECISIONS:
        cases += [
            case(
                "SmolLM2's heads, one prompt from its beginning, a ragged last tile",
                **{**SMOLLM2, **place(1, 80, (0, 0, 75)), "window": 0, "compute": compute},
            ),
            case(
                "sequences of many lengths side by side, padding, a chunk far into its prompt",
                **{**small, **place(4, 130, *several), "window": 0, "compute": compute},
            ),
            case(
                "one row of each sequence",
                **{**small, **place(3, 40, (1, 17, 1), (0, 39, 1), (2, 0, 1)), "window": 0, "compute": compute},
            ),
            case(
                "a window that leaves whole tiles out, positions that are not consecutive",
                **shape(6, 1, 32),
                **place(2, 700, (1, 100, 9), (1, 311, 7), (1, 600, 16), (0, 3, 16)),
                **{"window": 37, "compute": compute},
            ),
            case("Qwen2.5's heads", **QWEN2, **rows, compute=compute),
            case("Qwen3's heads", **QWEN3, **rows, compute=compute),
            case(
                "a head that no power of two divides; every query head has its own key head",
                **{**shape(3, 3, 80), **place(2, 64, (1, 31, 32), (0, 0, 13)), "window": 0, "compute": compute},
            ),
            case(
                "one key head for five; a slot that does not exist, rows beyond the cache",
                **{**shape(5, 1, 16), **place(2, 40, (1, 30, 16), (2, 0, 8)), "window": 0, "compute": compute},
            ),
            case(
                "pages in random order, the first of them shared by all; padding",
                **small,
                **paged(25, 1, **place(4, 300, (3, 120, 16), (0, 64, 20), (0, -1, 12), (2, 200, 16), (1, -1, 8))),
                **{"window": 0, "compute": compute},
            ),
            case(
                "soft-capped scores, most of them near the cap, and a window",
                **{**small, **place(2, 70, (1, 0, 40), (0, 33, 9)), "window": 21, "compute": compute},
                **{"scale": 0.5, "cap": 3.0},
            ),
            case(
                "sinks in pages and a window, padding",
                **{**small, **paged(4, **place(2, 70, (1, 0, 40), (0, 33, 9), (0, -1, 7))), "window": 21},
                **{"compute": compute, "sinks": True},
            ),
            case(
                "values beyond f16",
                **{**small, **place(1, 70, (0, 0, 37)), "window": 0, "compute": compute},
                **{"values": "large", "scale": 0.25 / _LARGE},
            ),
            case(
                "scores that grow from key to key: sums are scaled again and again",
                **{**small, **place(1, 90, (0, 70, 20)), "window": 0, "compute": compute, "values": "growing"},
            ),
        ]
    cases.append(
        case(
            "keys and values of f32 are rounded",
            **{**shape(4, 2, 16, "f32"), **place(2, 50, (1, 0, 20), (0, 33, 9)), "window": 0, "compute": "fast"},
        )
    )
    cases.append(
        case(
            "the logs of the sums, for the backward pass; padding",
            **{**shape(4, 2, 16, "f32"), **place(2, 50, (1, 0, 20), (1, -1, 4), (0, 33, 9)), "window": 7},
            **{"compute": "fast", "log_sums": True},
        )
    )
    return cases


class AttentionMatrix(AttentionPrefill):
    """As attention_prefill; rows may belong to sequences in any order.

    compute "fast" rounds q and the shares to f16: eleven bits each. "f32" splits them into two halves, which is as
    exact as f32 arithmetic; keys and values must be halves already. `log_sums`: also the log of each row's sum of
    exponentials, 0 for padding.
    """

    name = "attention_matrix"
    math = "out = softmax(scale q . K[:position + 1]) V[:position + 1], of each row's own slot; products of f16"
    bindings = (*AttentionPrefill.bindings, writes("log_sum"))
    static = ("heads", "kv_heads", "head_dim", "cache", "compute")
    cases = tuple(_cases())
    bench_cases = tuple(
        BenchCase(
            {**heads, **paged(ceil_div(rows, PAGE), **place(1, rows, (0, 0, rows))), "window": 0, "compute": compute},
            f"{model}, {rows} tokens, {compute}",
            software=False,
        )
        for model, heads, rows, compute in (
            ("SmolLM2", SMOLLM2, 6000, "fast"),
            ("SmolLM2", SMOLLM2, 6000, "f32"),
            ("SmolLM2", SMOLLM2, 2048, "fast"),
            ("SmolLM2", SMOLLM2, 512, "fast"),
            ("Qwen2.5-1.5B", QWEN2, 2048, "fast"),
            ("Qwen2.5-1.5B", QWEN2, 512, "fast"),
            ("Qwen2.5-1.5B", QWEN2, 512, "f32"),
            ("Qwen3-4B", QWEN3, 512, "fast"),
        )
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return tuple(b for b in super().bound(problem) if b.name != "log_sum" or problem.get("log_sums"))

    def outputs(self, problem: Problem) -> dict[str, Out]:
        more = {"log_sum": Out((problem["rows"], problem["heads"]))} if problem.get("log_sums") else {}
        return {**super().outputs(problem), **more}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        out, log_sum = self.attended(inputs, problem)
        return {"out": out, **({"log_sum": log_sum} if problem.get("log_sums") else {})}

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        values = problem.get("values", "normal")
        arrays = super().inputs(rng, {**problem, "values": "normal"})
        if values == "large":
            arrays["q"] *= np.float32(_LARGE)
        elif values == "growing":
            # All scores of a key are about the same, and those of the last one about 60.
            d = problem["head_dim"]
            keys = np.linspace(0.0, 60.0 / (attending.scale_of(problem) * d), problem["capacity"])
            arrays["q"] = (1.0 + 0.01 * arrays["q"]).astype(np.float32)
            arrays["k"] = (0.01 * arrays["k"] + keys[:, None]).astype(np.float16)
        return arrays

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        product = unit_of(traits, problem["head_dim"])
        offered: list[Variant] = []
        fitting: list[Variant] = []
        for sizes, enough in _SHAPES.items():
            variant = _variant(product, sizes, problem, traits.subgroup_size)
            if not variant or _bytes(problem, variant) > traits.workgroup_bytes:
                continue
            x, y, _ = self.grid(problem, variant)
            (fitting if x * y >= traits.filling(enough) else offered).append(variant)
        if not fitting and not offered:
            raise PreconditionError(f"tiles of matrix units do not fit into {traits.workgroup_bytes} bytes")
        return distinct([*fitting, *offered])

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["compute"] not in PRECISIONS:
            return f"compute must be one of {PRECISIONS}, and is {problem['compute']!r}"
        if reason := attending.refused_shape(problem):
            return reason
        if problem["cache"] not in _CACHES[problem["compute"]]:
            return f"{problem['compute']} on matrix units reads no cache of {problem['cache']}"
        if problem.get("latent"):
            return "matrix units read no latent keys"
        if self.grid(problem, variant)[0] > MOST:
            return f"at most {MOST * variant['rows']} rows at a time, and there are {problem['rows']}"
        return None

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        asked = {"windowed": problem["window"] > 0, "log_sums": bool(problem.get("log_sums"))}
        return {**asked, **attending.scoring(problem), **attending.paging(problem)}

    def tune_key(self, problem: Problem) -> str:
        group = problem["heads"] // problem["kv_heads"]
        jobs = in_fours(problem["rows"] * problem["heads"])
        return f"head_dim={problem['head_dim']} {problem['compute']} group={group} jobs={jobs}"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return (ceil_div(problem["rows"], variant["rows"]), problem["heads"] // variant["share"], 1)


def unit_of(traits: Traits, head_dim: int) -> Matrix:
    """The largest one that divides a head, and has whole lanes for each row and vectors of eight halves."""
    units = traits.half_matrices if traits.f16 and traits.subgroups else ()
    if not units:
        raise PreconditionError("matrix units (subgroup matrices of f16 and f32) are missing on this GPU")
    for unit in units:
        if not (unit.k % 8 or unit.n % 8 or traits.subgroup_size % unit.m or head_dim % unit.k or head_dim % unit.n):
            return unit
    raise PreconditionError(
        f"heads of {head_dim} dimensions fit none of this GPU's matrices: {', '.join(map(str, units))}"
    )


def _variant(product: Matrix, sizes: tuple[int, int, int, bool], problem: Problem, lanes: int) -> dict[str, Any]:
    """As many heads as share a key head, at most one for each subgroup; empty if the keys are no multiple of what
    fragments and lanes take."""
    subgroups, wm, bn, ahead = sizes
    if bn % product.k or bn % product.n or bn % (8 * lanes // product.m):
        return {}
    group = problem["heads"] // problem["kv_heads"]
    share = max(n for n in range(1, subgroups + 1) if group % n == 0)
    groups = subgroups // share
    return {
        **{"mm": product.m, "mn": product.n, "mk": product.k, "wm": wm, "bn": bn, "ahead": ahead},
        **{"share": share, "groups": groups, "rows": groups * wm * product.m},
        **{"lanes": lanes, "threads": share * groups * lanes},
    }


def _bytes(problem: Problem, v: Variant) -> int:
    """Workgroup memory: tiles of keys and values, and the scores of each subgroup; or q, before."""
    subgroups, row = v["share"] * v["groups"], problem["head_dim"] // 8 + 1
    scores = subgroups * v["wm"] * v["mm"] * (v["bn"] // 4 + v["lanes"] // v["mm"])
    return int(16 * max(2 * v["bn"] * row + scores, subgroups * v["mm"] * row)) + 4


KERNEL = AttentionMatrix()


def takes(traits: Traits, problem: Problem) -> bool:
    """Whether this GPU's matrix units can compute the problem."""
    try:
        return bool(KERNEL.usable(traits, problem))
    except PreconditionError:
        return False
