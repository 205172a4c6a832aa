"""RMSNorm of a slice of each row, in place, and its gradient: norms of all query heads, or key heads, together."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..draw import draw
from ..kernel import Arrays, BenchCase, Binding, Case, Out, Problem, Variant, case, reads, writes
from ..pieces.rows import ROW_PARAMS, RowKernel, wide

_VEC4 = "vec4<f32>"


def _cases(**problem: object) -> tuple[Case, ...]:
    return (
        case("the first slice of three, a whole workgroup", rows=7, width=1024, at=0, hidden=512, **problem),
        case("the slice in the middle", rows=5, width=96, at=64, hidden=16, **problem),
        case("the last slice, chunks that do not divide evenly", rows=3, width=1204, at=200, hidden=1004, **problem),
        case("one load", rows=9, width=12, at=4, hidden=4, **problem),
        case("more than 65,535 rows: a second grid dimension", rows=65_543, width=8, at=4, hidden=4, **problem),
    )  # fmt: skip


class NormSlice(RowKernel):
    """RMSNorm of columns `at` to at + hidden of rows of `width`; the others stay."""

    name = "norm_slice"
    math = "y[m,at+i] = y[m,at+i] g[i] / sqrt(mean_i(y[m,at+i]^2) + eps)"
    bindings: tuple[Binding, ...] = (reads("g", _VEC4, "hidden"), writes("y", _VEC4))
    params = (*ROW_PARAMS, ("stride", "u32"), ("at", "u32"), ("eps", "f32"))
    work = 4
    cases = (
        *_cases(eps=1e-5),
        case("so small that eps decides", rows=5, width=96, at=32, hidden=64, eps=1e-6, values="small"),
    )
    bench_cases = (
        BenchCase({"rows": 512, "width": 6144, "at": 0, "hidden": 2048, "eps": 1e-6}, "OLMo-2-1B's queries"),
    )
    result = "y"

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        shape = (problem["rows"], problem["width"])
        return {"g": draw(rng, (problem["hidden"],)), "y": draw(rng, shape, problem.get("values", "normal"))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {self.result: Out((problem["rows"], problem["width"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        a = wide(inputs)
        y, part = a["y"].copy(), slice(problem["at"], problem["at"] + problem["hidden"])
        mean_square = np.mean(y[:, part] ** 2, axis=1, keepdims=True)
        y[:, part] *= a["g"] / np.sqrt(mean_square + problem["eps"])
        return {"y": y}

    def bytes(self, problem: Problem) -> int:
        return 8 * self.elements(problem) + 4 * int(problem["hidden"])

    def variants(self, traits: Any, problem: Problem) -> list[Variant]:
        return [v for v in super().variants(traits, problem) if v["x"] == "vec4"]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if any(problem[key] % 4 for key in ("width", "at", "hidden")):
            return (
                f"width, at and hidden must be whole vec4s, and are {[problem[k] for k in ('width', 'at', 'hidden')]}"
            )
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return super().uniforms({**problem, "stride": problem["width"] // 4, "at": problem["at"] // 4}, variant)


class NormSliceBackward(NormSlice):
    """Gradient of norm_slice with respect to its input x, in place of that of its result."""

    name = "norm_slice_backward"
    math = "r = 1/sqrt(mean(x^2) + eps); dx = r * (g*dx - x * r^2 * mean(x*g*dx)), of the slice"
    bindings = (reads("x", _VEC4, "rows width"), reads("g", _VEC4, "hidden"), writes("dx", _VEC4))
    work = 10
    cases = (
        *_cases(eps=0.1),
        case("so small that eps decides", rows=5, width=96, at=32, hidden=64, eps=1e-6, values="small"),
    )
    result = "dx"

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        arrays = super().inputs(rng, problem)
        return {"x": arrays["y"], "g": arrays["g"], "dx": draw(rng, arrays["y"].shape)}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        a = wide(inputs)
        part = slice(problem["at"], problem["at"] + problem["hidden"])
        x, dx = a["x"][:, part], a["dx"].copy()
        r = 1.0 / np.sqrt(np.mean(x**2, axis=1, keepdims=True) + problem["eps"])
        upstream = a["g"] * dx[:, part]
        dx[:, part] = r * (upstream - x * r**2 * np.mean(x * upstream, axis=1, keepdims=True))
        return {"dx": dx}

    def bytes(self, problem: Problem) -> int:
        return 12 * self.elements(problem) + 4 * int(problem["hidden"])


KERNELS = (NormSlice(), NormSliceBackward())
