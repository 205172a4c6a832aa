"""Rows sorted by expert, so that a product can take an expert's rows together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu import Traits
from ..grid import Grid
from ..kernel import Arrays, BenchCase, Kernel, Out, Problem, Variant, case, reads, writes
from .router import MOST_EXPERTS


def most_tiles(pairs: int, experts: int, tile: int) -> int:
    """Tiles of rows of one expert each, however the rows are distributed."""
    return pairs // tile + min(experts, pairs)


class ExpertSort(Kernel):
    """A pair is a row and one of its experts: ids has the expert of each. `order` has the pairs by expert, those of one
    expert in their order; `tiles` are (expert, first, end, 0): up to `tile` places of `order`, of one expert. There are
    as many tiles as the worst case needs; the last ones are empty (zeros).

    A workgroup for each expert counts the pairs of those before it: no atomics on memory, no second dispatch.
    `values`: how random pairs are distributed.
    """

    name = "expert_sort"
    math = "order = argsort(ids), stable; tiles[i] = (expert, first, end) of up to `tile` places of one expert"
    bindings = (reads("ids", "u32", "pairs"), writes("order", "u32"), writes("tiles", "vec4<u32>"))
    params = (("pairs", "u32"), ("tiles", "u32"))
    static = ("experts", "tile")
    cases = (
        case("Qwen3-MoE, a short prompt", pairs=37 * 8, experts=128, tile=32),
        case("fewer pairs than threads", pairs=5, experts=8, tile=4),
        case("no multiples of anything", pairs=1003, experts=60, tile=8),
        case("one expert", pairs=77, experts=1, tile=64),
        case("all of them to the last expert", pairs=130, experts=16, tile=32, values="last"),
        case("whole tiles", pairs=256, experts=4, tile=64, values="even"),
        case("more experts than threads", pairs=2000, experts=333, tile=16),
    )
    bench_cases = (BenchCase({"pairs": 2048 * 8, "experts": 128, "tile": 64}, "Qwen3-30B-A3B, 2,048 tokens"),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        pairs, experts = problem["pairs"], problem["experts"]
        kinds: dict[str, NDArray[Any]] = {
            "last": np.full(pairs, experts - 1),
            "even": rng.permuted(np.arange(pairs) % experts),
            "any": np.asarray(rng.integers(0, experts, pairs)),
        }
        return {"ids": kinds[problem.get("values", "any")].astype(np.uint32)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        tiles = most_tiles(problem["pairs"], problem["experts"], problem["tile"])
        return {"order": Out((problem["pairs"],), "u32"), "tiles": Out((tiles, 4), "u32")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        ids, tile = inputs["ids"].astype(np.int64), problem["tile"]
        tiles = np.zeros(self.outputs(problem)["tiles"].shape)
        counts = np.bincount(ids, minlength=problem["experts"])
        ends, at = np.cumsum(counts), 0
        for expert, (count, end) in enumerate(zip(counts, ends, strict=True)):
            for first in range(end - count, end, tile):
                tiles[at] = (expert, first, min(first + tile, end), 0)
                at += 1
        return {"order": np.argsort(ids, kind="stable").astype(np.float64), "tiles": tiles}

    def bytes(self, problem: Problem) -> int:
        return 8 * int(problem["pairs"]) + 16 * most_tiles(problem["pairs"], problem["experts"], problem["tile"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        return [{"threads": size} for size in ((16, 64) if traits.software else (256, 128))]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if not 1 <= problem["experts"] <= MOST_EXPERTS:
            return f"experts must be from 1 to {MOST_EXPERTS}, and are {problem['experts']}"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        pairs = problem["pairs"]
        return {"pairs": pairs, "tiles": most_tiles(pairs, problem["experts"], problem["tile"])}

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return (problem["experts"], 1, 1)


KERNEL = ExpertSort()
