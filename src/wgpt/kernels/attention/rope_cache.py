"""Prefill: turns rows of q, k and v into rotated queries and cache entries; and the backward pass of that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.sizes import PAGE
from ...gpu import Traits
from ..draw import draw
from ..grid import Grid, ceil_div, linear
from ..kernel import Arrays, BenchCase, Binding, Kernel, Out, Problem, Variant, case, reads, writes
from . import attending, cache_types
from .attending import NORMED, PLAIN, QWEN2, SMOLLM2, Float, paged, place, shape
from .attention_backward import QWEN2_F32, SMOLLM2_F32, in_runs
from .cache_types import QUANTISED
from .head_layout import (
    cached_names,
    grown,
    head_order,
    is_ragged,
    joined_heads,
    only_forward,
    rotary_of,
    rotated,
    split_heads,
)
from .layout_cases import prefill_cases

_GPU_THREADS, _SOFTWARE_THREADS = 128, 16


class RopeCache(Kernel):
    """Prefill: applies norms and RoPE to q and k of every row, and writes k and v into the cache.

    A thread handles the pairs of two vec4s or, on software drivers, a whole head.
    """

    name = "rope_cache"
    math = "q, k = rope(norm(q, k), position); K[slot, position], V[slot, position] = k, v"
    bindings = (
        reads("qkv", "vec4<f32>", ""),
        attending.ROWS,
        attending.STEPS,
        attending.GAINS,
        writes("q", "vec4<f32>"),
        *attending.cache_writes(attending.QUAD),
        attending.PAGES,
    )
    params = (("rows", "u32"), ("slots", "u32"), ("capacity", "u32"), ("eps", "f32"))
    static = ("heads", "kv_heads", "head_dim", "cache", "rope", "qk_norm")
    cases = (
        case(
            "SmolLM2's heads, two sequences, padding between them",
            **SMOLLM2,
            **place(3, 24, (2, 0, 20), (2, -1, 3), (0, 7, 14)),
            **PLAIN,
        ),
        case(
            "far along: position times frequency is thousands of radians",
            **shape(9, 3, 64, "f32"),
            **place(1, 8192, (0, 8187, 5)),
            **PLAIN,
            theta=1e5,
        ),
        case(
            "the cache's last position, and rows beyond it that must write nowhere",
            **SMOLLM2,
            **place(2, 11, (0, 6, 8), (1, 11, 1)),
            **PLAIN,
        ),
        case(
            "Qwen3's norm of each head, small values where eps decides",
            **shape(6, 2, 128, "f32"),
            **place(2, 16, (1, 3, 13)),
            **NORMED | {"eps": 1e-7},
            values="small",
        ),
        case(
            "norm in a head that no power of two divides",
            **shape(2, 1, 80),
            **place(1, 8, (0, 0, 7)),
            **NORMED,
        ),
        case("the smallest head", **shape(1, 1, 8), **place(1, 8, (0, 1, 5)), **PLAIN),
        case(
            "three quarters of a head rotated, and longer for it",
            **shape(4, 2, 128),
            **paged(5, **place(2, 128, (1, 61, 6), (0, 0, 3))),
            **PLAIN,
            rotary=96,
            amplitude=1.2,
        ),
        case(
            "a quarter of a head rotated, norms, f32 cache",
            **shape(2, 1, 64, "f32"),
            **place(1, 40, (0, 20, 7)),
            **NORMED,
            rotary=16,
        ),
        case(
            "norm without rotation, the widest head",
            **shape(2, 2, 256, "f32"),
            **place(1, 8, (0, 2, 3)),
            **NORMED | {"rope": False},
        ),
        case(
            "neither (GPT-2), values that no half can hold",
            **shape(3, 3, 64),
            **place(2, 9, (1, 1, 7)),
            **PLAIN | {"rope": False},
            values="huge",
        ),
        case(
            "a head of three pieces, a slot that does not exist",
            **shape(3, 1, 24, "f32"),
            **place(2, 9, (1, 1, 2), (2, 0, 2)),
            **PLAIN,
        ),
        case(
            "pages in random order, a run across two of them, rows beyond the capacity and a slot that does not exist",
            **SMOLLM2,
            **paged(12, **place(3, 150, (2, 60, 9), (0, 146, 6), (1, -1, 3), (3, 0, 2))),
            **PLAIN,
        ),
        case(
            "pages of an f32 cache, norms of each head, small values where eps decides",
            **shape(6, 2, 128, "f32"),
            **paged(5, **place(2, 128, (1, 61, 6), (0, 0, 3))),
            **NORMED | {"eps": 1e-7},
            values="small",
        ),
        case(
            "pages of small heads without rotation",
            **shape(3, 1, 8),
            **paged(2, **place(1, 70, (0, 62, 4))),
            **PLAIN | {"rope": False},
        ),
        case(
            "codes and scales in pages, a run across two of them, rows beyond the capacity and a missing slot",
            **shape(9, 3, 64, QUANTISED),
            **paged(13, **place(3, 150, (2, 60, 9), (0, 146, 6), (1, -1, 3), (3, 0, 2))),
            **PLAIN,
        ),
        case(
            "three blocks of codes in a head, whose last word of scales is half empty; norms",
            **shape(2, 1, 96, QUANTISED),
            **paged(3, **place(1, 128, (0, 61, 7))),
            **NORMED,
        ),
        case(
            "norms of a head of one block of codes: half of its threads have nothing to do",
            **shape(4, 2, 32, QUANTISED),
            **paged(3, **place(1, 128, (0, 61, 7))),
            **NORMED,
        ),
        case(
            "codes of Qwen3's heads, whose threads share the norm's sum",
            **shape(6, 2, 128, QUANTISED),
            **paged(5, **place(2, 128, (1, 61, 6), (0, 0, 3))),
            **NORMED,
        ),
        case(
            "codes of the widest head, with scales below the smallest normal half",
            **shape(2, 2, 256, QUANTISED),
            **paged(2, **place(1, 70, (0, 62, 4))),
            **PLAIN,
            values="small",
        ),
        case(
            "codes that saturate: no half can hold their scale; one block is the whole head",
            **shape(3, 3, 32, QUANTISED),
            **paged(2, **place(1, 70, (0, 60, 7))),
            **PLAIN | {"rope": False},
            values="enormous",
        ),
        case(
            "codes of heads that are all zeros, beside others",
            **shape(4, 2, 64, QUANTISED),
            **paged(2, **place(1, 70, (0, 60, 7))),
            **PLAIN,
            values="blank",
        ),
        *prefill_cases(),
    )
    bench_cases = (
        BenchCase({**SMOLLM2, **paged(1024 // PAGE, **place(1, 1024, (0, 0, 512))), **PLAIN}, "SmolLM2, 512 tokens"),
        BenchCase(
            {**QWEN2, **paged(1024 // PAGE, **place(1, 1024, (0, 0, 512))), **PLAIN},
            "Qwen2.5-1.5B, 512 tokens",
            software=False,
        ),
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        bindings = attending.without_unused(self.bindings, problem)
        return tuple(b for b in bindings if b.name not in ("k", "v", "pages")) if problem.get("stored") else bindings

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        arrays = attending.random_qkv(rng, problem, attending.rows_of(problem))
        return arrays if problem.get("stored") else {**arrays, **attending.random_cache(rng, problem, {})}

    def operands(self, problem: Problem) -> dict[str, Out]:
        return {**attending.with_tables(super().operands(problem), problem), "qkv": attending.qkv_out(problem)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        q = {"q": Out((problem["rows"], problem["heads"] * problem["head_dim"]))}
        return q if problem.get("stored") else q | dict.fromkeys(cached_names(problem), attending.cache_out(problem))

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        rows = inputs["rows"]
        q, k, v = attending.turned(inputs, rows, problem)
        q[attending.is_padding(rows, problem)] = 0
        if problem.get("stored"):
            return {"q": q.reshape(len(rows), -1)}
        caches = attending.Caches(inputs, problem)
        caches.store(rows, k, v)
        return {"q": q.reshape(len(rows), -1), **caches.arrays}

    def bytes(self, problem: Problem) -> int:
        d, rows, kv_heads = int(problem["head_dim"]), int(problem["rows"]), int(problem["kv_heads"])
        return rows * (8 * d * int(problem["heads"]) + 2 * kv_heads * (4 * d + attending.head_bytes(problem)))

    def flops(self, problem: Problem) -> int:
        turned = int(problem["heads"]) + int(problem["kv_heads"])
        return (3 * problem["rope"] + 4 * problem["qk_norm"]) * turned * int(problem["rows"]) * int(problem["head_dim"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """The squares of a head are summed by its threads together, or by each thread again."""
        pairs = problem["head_dim"] // 8
        teams = ["unit"]
        if problem["qk_norm"] and traits.subgroup_size >= pairs and pairs & (pairs - 1) == 0:
            teams.insert(0, "shuffle")
        on_gpu: list[Variant] = [{"team": team, "threads": _GPU_THREADS} for team in teams]
        alone: Variant = {"team": "thread", "threads": _SOFTWARE_THREADS}
        return [alone, *on_gpu] if traits.software else [*on_gpu, alone]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        reason = attending.refused_shape(problem)
        if reason is None and variant["team"] == "thread" and _in_blocks(problem):
            return f"the scales of {problem['cache']} need a thread per unit"
        return reason

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {**attending.turning(problem), **attending.paging(problem), "in_blocks": _in_blocks(problem)}

    def tune_key(self, problem: Problem) -> str:
        return " ".join(f"{key}={problem[key]}" for key in ("head_dim", "qk_norm", "cache"))

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        units = problem["rows"] * _written_heads(problem)
        if variant["team"] != "thread":
            words = cache_types.scale_words(problem["head_dim"])
            units *= 8 * words if _in_blocks(problem) else problem["head_dim"] // 8
        return linear(ceil_div(units, variant["threads"]))


_GPU_THREADS, _ALONE_THREADS = 128, 32


class RopeCacheBackward(Kernel):
    """Gradient with respect to qkv: sums the heads of a group, rotates back, and goes through the norm of each head.

    The gradients of the gains are not computed.

    A thread handles the pairs of two vec4s, or a whole head ("thread").
    """

    name = "rope_cache_backward"
    math = "dx = d norm(x) of (rotation back of dy); dy of k and v: the sum of their group's"
    bindings = (
        *(reads(name, "vec4<f32>", "rows heads*head_dim") for name in ("dq", "dk", "dv")),
        reads("qkv", "vec4<f32>", ""),
        attending.ROWS,
        attending.STEPS,
        attending.GAINS,
        writes("dqkv", "vec4<f32>"),
    )
    params = (("rows", "u32"), ("slots", "u32"), ("eps", "f32"))
    static = ("heads", "kv_heads", "head_dim", "rope", "qk_norm")
    cases = (
        case(
            "SmolLM2's heads, two sequences, padding between them",
            **SMOLLM2_F32,
            **place(3, 24, (2, 0, 20), (2, -1, 3), (0, 0, 14)),
            **PLAIN,
        ),
        case(
            "Qwen3's norm of each head, small values where eps decides",
            **shape(6, 2, 128, "f32"),
            **place(2, 16, (1, 0, 13), (0, -1, 2)),
            **NORMED | {"eps": 1e-7},
            values="small",
        ),
        case(
            "norm in a head that no power of two divides", **shape(2, 1, 80, "f32"), **place(1, 8, (0, 0, 7)), **NORMED
        ),
        case(
            "far along, and a slot that does not exist",
            **shape(2, 1, 64, "f32"),
            **place(1, 8192, (0, 8187, 5), (1, 0, 2)),
            **NORMED,
            theta=1e5,
        ),
        case("the beginning of a sequence", **shape(2, 1, 64, "f32"), **place(1, 9, (0, 0, 9)), **NORMED),
        case("one row alone", **shape(2, 1, 8, "f32"), **place(1, 8, (0, 7, 1)), **PLAIN),
        case(
            "three quarters of a head rotated, and longer for it",
            **shape(4, 2, 128, "f32"),
            **place(2, 16, (1, 0, 13), (0, -1, 2)),
            **PLAIN,
            rotary=96,
            amplitude=1.2,
        ),
        case(
            "a quarter of a head rotated, norms",
            **shape(2, 1, 64, "f32"),
            **place(1, 40, (0, 20, 7)),
            **NORMED,
            rotary=16,
        ),
        case("the smallest head", **shape(2, 1, 8, "f32"), **place(1, 8, (0, 1, 5)), **PLAIN),
        case(
            "norm without rotation, the widest head",
            **shape(2, 2, 256, "f32"),
            **place(1, 8, (0, 2, 3)),
            **NORMED | {"rope": False},
        ),
        case("neither (GPT-2)", **shape(3, 3, 64, "f32"), **place(2, 9, (1, 1, 7)), **PLAIN | {"rope": False}),
        case("a head of three pieces", **shape(3, 1, 24, "f32"), **place(2, 9, (1, 1, 2), (0, 0, 2)), **PLAIN),
        *prefill_cases("f32"),
    )
    bench_cases = (
        BenchCase({**SMOLLM2_F32, **place(1, 2048, (0, 0, 2048)), **PLAIN}, "SmolLM2, 2,048 tokens"),
        BenchCase({**QWEN2_F32, **place(1, 2048, (0, 0, 2048)), **PLAIN}, "Qwen2.5-1.5B, 2,048 tokens", software=False),
        BenchCase({**QWEN2_F32, **place(1, 2048, (0, 0, 2048)), **NORMED}, "the same with norms", software=False),
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        """Without norms the gradient does not depend on qkv, so it is not bound."""
        bindings = attending.without_unused(self.bindings, problem)
        return bindings if problem["qk_norm"] else tuple(b for b in bindings if b.name != "qkv")

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        """The gradients of padding rows are NaN, because nothing writes them."""
        arrays = attending.random_qkv(rng, problem, attending.rows_of(problem))
        blank = ~in_runs(problem)
        for name in ("dq", "dk", "dv"):
            arrays[name] = draw(rng, (problem["rows"], problem["heads"] * problem["head_dim"]))
            arrays[name][blank] = np.nan
        return {b.name: arrays[b.name] for b in self.bound(problem) if b.access == "read"}

    def operands(self, problem: Problem) -> dict[str, Out]:
        qkv = {"qkv": attending.qkv_out(problem)} if problem["qk_norm"] else {}
        return {**attending.with_tables(super().operands(problem), problem), **qkv}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"dqkv": Out((problem["rows"], _all_heads(problem) * problem["head_dim"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        kv_heads, d = problem["kv_heads"], problem["head_dim"]
        dq, dk, dv = (inputs[name].astype(np.float64).reshape(problem["rows"], -1, d) for name in ("dq", "dk", "dv"))
        dk, dv = (x.reshape(problem["rows"], kv_heads, -1, d).sum(2) for x in (dk, dv))
        dq = grown(dq, inputs["rows"][:, 1], problem)
        if problem["rope"]:
            dq, dk = (_turned_back(x, inputs["rows"][:, 1], problem) for x in (dq, dk))
        if problem["qk_norm"]:
            q, k, _ = split_heads(inputs["qkv"].astype(np.float64), problem)
            parts = zip((q, k), inputs["gains"], (dq, dk), strict=True)
            dq, dk = (_through_norm(part, dy * gain, problem["eps"]) for part, gain, dy in parts)
        dqkv = joined_heads(dq, dk, dv, problem)
        dqkv[~in_runs(problem)] = 0
        return {"dqkv": dqkv}

    def bytes(self, problem: Problem) -> int:
        """Three gradients as wide as the query heads; qkv is read only if there are norms."""
        width = 3 * int(problem["heads"]) + _all_heads(problem) * (2 if problem["qk_norm"] else 1)
        return 4 * int(problem["rows"]) * int(problem["head_dim"]) * width

    def flops(self, problem: Problem) -> int:
        turned = (3 * problem["rope"] + 8 * problem["qk_norm"]) * (int(problem["heads"]) + int(problem["kv_heads"]))
        return int(problem["rows"]) * int(problem["head_dim"]) * (turned + 2 * int(problem["heads"]))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """Norms need the whole head: its threads must be in one subgroup, or one thread handles it alone."""
        units = problem["head_dim"] // 8
        alone: Variant = {"team": "thread", "threads": _ALONE_THREADS}
        on_gpu: list[Variant] = []
        if not problem["qk_norm"]:
            on_gpu.append({"team": "unit", "threads": _GPU_THREADS})
        elif traits.subgroup_size >= units and units & (units - 1) == 0:
            on_gpu.append({"team": "shuffle", "threads": _GPU_THREADS})
        return [alone, *on_gpu] if traits.software else [*on_gpu, alone]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["head_dim"] > attending.MOST_WITH_GRADIENTS:
            return f"head_dim must be up to {attending.MOST_WITH_GRADIENTS}, and is {problem['head_dim']}"
        if is_ragged(problem) and variant["team"] != "thread":  # they would write elements of the same vec4
            return f"{rotary_of(problem)} rotated dimensions need a thread per head"
        return attending.refused_shape(problem) or only_forward(problem)

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return attending.turning(problem)

    def tune_key(self, problem: Problem) -> str:
        return " ".join(f"{key}={problem[key]}" for key in ("head_dim", "qk_norm"))

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        units = problem["rows"] * _all_heads(problem)
        if variant["team"] != "thread":
            units *= problem["head_dim"] // 8
        return linear(ceil_div(units, variant["threads"]))


def _in_blocks(problem: Problem) -> bool:
    """Whether it writes codes and scales."""
    return attending.in_blocks(problem) and not problem.get("stored")


def _written_heads(problem: Problem) -> int:
    """Heads of q, and of k and v as far as they are written."""
    if problem.get("latent"):
        return int(problem["heads"]) + int(problem["kv_heads"])
    return int(problem["heads"]) if problem.get("stored") else _all_heads(problem)


def _all_heads(problem: Problem) -> int:
    return int(problem["heads"]) + 2 * int(problem["kv_heads"])


def _turned_back(x: Float, positions: NDArray[np.uint32], problem: Problem) -> Float:
    """Rotated back, and in the order of qkv."""
    back = np.empty_like(x)
    back[..., head_order(problem)] = x
    omega = attending.inverse_frequencies(rotary_of(problem), problem.get("theta", 1e4))
    return rotated(back, -np.outer(positions, omega)[:, None], problem)


def _through_norm(x: Float, dy: Float, eps: float) -> Float:
    """The gradient with respect to x, where dy is the gradient of x / sqrt(mean(x^2) + eps)."""
    r = 1.0 / np.sqrt((x * x).mean(-1, keepdims=True) + eps)
    return np.asarray(r * (dy - x * r**2 * (x * dy).mean(-1, keepdims=True)))


KERNELS = (RopeCache(), RopeCacheBackward())
