"""The entries of each row's LoRA adapter, once per step, so that no projection has to look up the adapter first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from ..grid import Grid
from ..kernel import Arrays, BenchCase, Kernel, Out, Problem, Variant, case, reads, writes
from ..pieces.each import each_grid, each_variants


class LoraRows(Kernel):
    """`width` vec4s for each adapter: see lora_layout.py. `adapters` is only for random inputs."""

    name = "lora_rows"
    math = "rows[m] = table[loras[m]]"
    bindings = (
        reads("loras", "u32", "m"),
        reads("table", "vec4<u32>", "adapters width 4"),
        writes("rows", "vec4<u32>"),
    )
    params = (("count", "u32"), ("width", "u32"))
    cases = (
        case("some rows have the same adapter", m=37, width=21, adapters=5),
        case("one row, more vec4s than a workgroup has threads", m=1, width=1100, adapters=3),
        case("one vec4", m=1, width=1, adapters=1),
    )
    bench_cases = (
        BenchCase({"m": 1, "width": 240, "adapters": 8}, "SmolLM2, a token"),
        BenchCase({"m": 512, "width": 240, "adapters": 8}, "SmolLM2, 512 tokens", software=False),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        count, width = problem["adapters"], problem["width"]
        table = rng.integers(0, 1 << 24, (count, width, 4)).astype(np.uint32)
        return {"loras": rng.integers(0, count, (problem["m"],)).astype(np.uint32), "table": table}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"rows": Out((problem["m"], problem["width"], 4), "u32")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"rows": inputs["table"][inputs["loras"]].astype(np.float64)}

    def bytes(self, problem: Problem) -> int:
        return int(problem["m"]) * (4 + 32 * int(problem["width"]))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        return each_variants(traits)

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"count": problem["m"] * problem["width"], "width": problem["width"]}

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return each_grid(problem["m"] * problem["width"], variant)


KERNEL = LoraRows()
