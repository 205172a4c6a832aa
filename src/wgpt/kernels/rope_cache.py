"""Prefill: q, k and v of every row normed and rotated; k and v into the cache."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..gpu import Traits
from . import attending
from .attending import NORMED, PLAIN, QWEN2, SMOLLM2, place, shape
from .grid import Grid, ceil_div, linear
from .kernel import Arrays, BenchCase, Binding, Kernel, Out, Problem, Variant, case, reads, writes

_GPU_THREADS, _SOFTWARE_THREADS = 128, 16


class RopeCache(Kernel):
    """A thread turns the pairs of two vec4s; or, on software drivers, a whole head."""

    name = "rope_cache"
    math = "q, k = rope(norm(q, k), position); K[slot, position], V[slot, position] = k, v"
    bindings = (
        reads("qkv", "vec4<f32>"),
        attending.ROWS,
        attending.STEPS,
        attending.GAINS,
        writes("q", "vec4<f32>"),
        *attending.cache_writes(),
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
    )
    bench_cases = (
        BenchCase({**SMOLLM2, **place(1, 1024, (0, 0, 512)), **PLAIN}, "SmolLM2, 512 tokens"),
        BenchCase({**QWEN2, **place(1, 1024, (0, 0, 512)), **PLAIN}, "Qwen2.5-1.5B, 512 tokens", software=False),
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return attending.without_unused(self.bindings, problem)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        found = attending.random_qkv(rng, problem, attending.rows_of(problem))
        return {**found, **attending.random_cache(rng, problem, {})}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        cache = attending.cache_out(problem)
        return {"q": Out((problem["rows"], problem["heads"] * problem["head_dim"])), "k": cache, "v": cache}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        rows = inputs["rows"]
        q, k, v = attending.turned(inputs, rows, problem)
        caches = {name: inputs[name].astype(np.float64) for name in ("k", "v")}
        q[attending.is_padding(rows, problem)] = 0
        attending.store(caches, rows, k, v)
        return {"q": q.reshape(len(rows), -1), **caches}

    def bytes(self, problem: Problem) -> int:
        q, kv = (int(problem["rows"]) * int(problem[key]) * int(problem["head_dim"]) for key in ("heads", "kv_heads"))
        return 8 * q + 2 * kv * (4 + attending.itemsize(problem))

    def flops(self, problem: Problem) -> int:
        turned = int(problem["heads"]) + int(problem["kv_heads"])
        return (3 * problem["rope"] + 4 * problem["qk_norm"]) * turned * int(problem["rows"]) * int(problem["head_dim"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """Who sums the squares of a head: its threads together, or each thread all of them anew."""
        pairs = problem["head_dim"] // 8
        teams = ["unit"]
        if problem["qk_norm"] and traits.subgroup_size >= pairs and pairs & (pairs - 1) == 0:
            teams.insert(0, "shuffle")
        found: list[Variant] = [{"team": team, "threads": _GPU_THREADS} for team in teams]
        alone: Variant = {"team": "thread", "threads": _SOFTWARE_THREADS}
        return [alone, *found] if traits.software else [*found, alone]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        return attending.refused_shape(problem)

    def tune_key(self, problem: Problem) -> str:
        return " ".join(f"{key}={problem[key]}" for key in ("head_dim", "qk_norm", "cache"))

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        units = problem["rows"] * (problem["heads"] + 2 * problem["kv_heads"])
        if variant["team"] != "thread":
            units *= problem["head_dim"] // 8
        return linear(ceil_div(units, variant["threads"]))


KERNEL = RopeCache()
