"""LoRA's second product, added to a projection that was computed without it; each row has its own adapter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from ..draw import draw
from ..grid import MOST, Grid, ceil_div
from ..kernel import Arrays, BenchCase, Kernel, Out, Problem, Variant, case, reads, writes
from .lora_layout import MOST_SLICES, random_low, second_product


def problem_of(m: int, lora: tuple[int, ...], quads: int, **more: Any) -> dict[str, Any]:
    """A complete problem. `lora` are the sizes of the slices; a row of `low` has `quads` quads and a header.

    `ranks` is for random inputs: of the slices, for each adapter.
    """
    return {"m": m, "lora": lora, "quads": quads, **more}


class LoraUp(Kernel):
    name = "lora_up"
    math = "y[m,n] += sum_r B[n,r] low[m,r], with the B of the row's own adapter"
    bindings = (reads("low", "vec4<f32>", ""), reads("pool", "vec4<f32>", ""), writes("y"))
    params = (("m", "u32"),)
    static = ("lora", "quads")
    cases = (
        case(
            "q, k and v with different ranks, some of them not adapted, some rows without an adapter",
            **problem_of(37, (70, 21, 33), 12, ranks=((16, 16, 16), (0, 0, 0), (7, 0, 1), (0, 4, 12))),
        ),
        case("rank 64, whole workgroups", **problem_of(16, (128,), 16, ranks=((64,), (0,), (16,)))),
        case("rank 1, one row", **problem_of(1, (5, 7), 2, ranks=((1, 1),))),
        case("four slices", **problem_of(9, (3, 5, 7, 9), 10, ranks=((1, 7, 16, 5), (0, 0, 0, 3)))),
    )
    bench_cases = (
        BenchCase(
            problem_of(512, (576, 192, 192), 12, ranks=((16, 16, 16),)), "SmolLM2 q/k/v, 512 tokens", software=False
        ),
        BenchCase(problem_of(64, (1536, 1536), 8, ranks=((16, 16),)), "SmolLM2 gate/up, 64 tokens"),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        low, pool = random_low(rng, problem["m"], problem["lora"], problem["quads"], problem["ranks"])
        return {"low": low, "pool": pool, "y": draw(rng, (problem["m"], sum(problem["lora"])))}

    def operands(self, problem: Problem) -> dict[str, Out]:
        return {**super().operands(problem), "low": Out((problem["m"], 1 + problem["quads"], 4))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["m"], sum(problem["lora"])))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"y": inputs["y"] + second_product(inputs["low"], inputs["pool"], problem["lora"])}

    def bytes(self, problem: Problem) -> int:
        """As if all rows had one adapter whose ranks fill `low`."""
        m, n, slices = int(problem["m"]), sum(problem["lora"]), len(problem["lora"])
        return 8 * m * n + 16 * problem["quads"] * (m + n // slices)

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """Rows of one workgroup share B's rows in the cache if they have the same adapter."""
        sizes = ((16, 16), (16, 1)) if traits.software else ((64, 8), (64, 1), (256, 4))
        return [{"threads": threads, "rows": rows} for threads, rows in sizes]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if not 1 <= len(problem["lora"]) <= MOST_SLICES:
            return f"a group has 1 to {MOST_SLICES} slices, not {len(problem['lora'])}"
        if ceil_div(problem["m"], variant["rows"]) > MOST:
            return f"{problem['m']} rows exceed {MOST} workgroups of {variant['rows']}"
        return None

    def tune_key(self, problem: Problem) -> str:
        return f"m=2^{int(problem['m']).bit_length()} n={sum(problem['lora'])}"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return (ceil_div(sum(problem["lora"]), variant["threads"]), ceil_div(problem["m"], variant["rows"]), 1)


KERNEL = LoraUp()
