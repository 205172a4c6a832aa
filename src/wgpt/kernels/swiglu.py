"""SwiGLU of many rows: each row holds its gates, then its ups."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..gpu import Traits
from .draw import draw
from .elementwise import each_grid, each_variants, gated
from .grid import Grid
from .kernel import Arrays, BenchCase, Binding, Kernel, Out, Problem, Variant, case, reads, vec4_if, writes

_ELEM = vec4_if("x")


class Swiglu(Kernel):
    name = "swiglu"
    math = "y[m,i] = silu(x[m,i]) * x[m,n+i]"
    bindings: tuple[Binding, ...] = (reads("x", _ELEM), writes("y", _ELEM))
    params = (("count", "u32"), ("width", "u32"))
    cases = (
        case("whole loads", rows=7, n=1536),
        case("rows that end inside a load", rows=13, n=203),
        case("one column: gates and ups alternate", rows=33, n=1),
        case("|x| up to 1e4: exp must not overflow into NaN", rows=3, n=52, values="extreme"),
    )
    bench_cases = (
        BenchCase({"rows": 512, "n": 1536}, "SmolLM2, 512 tokens"),
        BenchCase({"rows": 512, "n": 8960}, "Qwen2.5-1.5B, 512 tokens", software=False),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return {"x": draw(rng, (problem["rows"], 2 * problem["n"]), problem.get("values", "normal"))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["rows"], problem["n"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"y": gated(inputs["x"].astype(np.float64))}

    def flops(self, problem: Problem) -> int:
        return 6 * int(problem["rows"]) * int(problem["n"])

    def bytes(self, problem: Problem) -> int:
        return 12 * int(problem["rows"]) * int(problem["n"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        return [{**style, "x": x} for style in each_variants(traits) for x in ("vec4", "scalar")]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if variant["x"] == "vec4" and problem["n"] % 4:
            return f"vec4 loads need rows of a multiple of 4, and they have {problem['n']}"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, int]:
        width = problem["n"] // 4 if variant["x"] == "vec4" else problem["n"]
        return {"count": problem["rows"] * width, "width": width}

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return each_grid(self.uniforms(problem, variant)["count"], variant)


KERNEL = Swiglu()
