"""Latent attention: rows of queries and of one key, put together of their parts; and what products by head need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from ..draw import draw
from ..grid import Grid
from ..kernel import Arrays, BenchCase, Binding, Kernel, Out, Problem, Variant, case, reads, vec4_if, writes
from ..pieces.each import VEC4, EachInColumns, each_grid, each_variants

_ELEM = vec4_if("x")


class LatentRows(Kernel):
    """`rotary` and `latent`: dimensions that RoPE rotates, and those of the latent vector, of which a head consists;
    `nope`: how many a query has before those that RoPE rotates.
    """

    name = "latent_rows"
    math = "qkv[m,h] = (q[m,h,nope:], low[m,h]) of each query head h; then (kv[m,latent:], kv[m,:latent])"
    bindings: tuple[Binding, ...] = (
        reads("q", VEC4, ""),
        reads("low", VEC4, "rows heads*latent"),
        reads("kv", VEC4, ""),
        writes("qkv", VEC4),
    )
    params = (("count", "u32"),)
    static = ("heads", "nope", "rotary", "latent")
    cases = (
        case("DeepSeek's parts, fewer heads", rows=3, heads=5, nope=128, rotary=64, latent=512),
        case("GLM-4.7's parts", rows=2, heads=3, nope=192, rotary=64, latent=512),
        case("small parts, a ragged last workgroup", rows=37, heads=3, nope=12, rotary=8, latent=24),
        case("one head", rows=1, heads=1, nope=4, rotary=8, latent=8),
    )
    bench_cases = (BenchCase({"rows": 512, "heads": 20, "nope": 192, "rotary": 64, "latent": 512}, "GLM-4.7-Flash"),)

    def operands(self, problem: Problem) -> dict[str, Out]:
        rows, heads, rotary = problem["rows"], problem["heads"], problem["rotary"]
        q, kv = Out((rows, heads * (problem["nope"] + rotary))), Out((rows, problem["latent"] + rotary))
        return {**super().operands(problem), "q": q, "kv": kv}

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return {name: draw(rng, out.shape) for name, out in self.operands(problem).items()}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"qkv": Out((problem["rows"], (problem["heads"] + 1) * (problem["rotary"] + problem["latent"])))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        rows, heads, latent = problem["rows"], problem["heads"], problem["latent"]
        q, low, kv = (inputs[name].astype(np.float64) for name in ("q", "low", "kv"))
        turning = q.reshape(rows, heads, -1)[..., problem["nope"] :]
        queries = np.concatenate([turning, low.reshape(rows, heads, -1)], axis=-1)
        return {"qkv": np.concatenate([queries.reshape(rows, -1), kv[:, latent:], kv[:, :latent]], axis=1)}

    def flops(self, problem: Problem) -> int:
        return 0

    def bytes(self, problem: Problem) -> int:
        return 8 * int(np.prod(self.outputs(problem)["qkv"].shape))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        return each_variants(traits)

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        sizes = {key: problem[key] for key in ("nope", "rotary", "latent")}
        odd = [key for key, size in sizes.items() if size % 4]
        return f"{odd[0]} must be whole vec4s, and is {sizes[odd[0]]}" if odd else None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"count": int(np.prod(self.outputs(problem)["qkv"].shape)) // 4}

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return each_grid(self.uniforms(problem, variant)["count"], variant)


class Columns(EachInColumns):
    """Some columns of every row."""

    name = "take_columns"
    math = "y[m,i] = x[m,at+i]"
    bindings: tuple[Binding, ...] = (reads("x", _ELEM, "rows width"), writes("y", _ELEM))
    cases = (
        case("the first columns, whole loads", rows=9, n=128, width=192, at=0),
        case("the last columns, no whole loads", rows=7, n=13, width=29, at=16),
        case("columns that begin inside a load", rows=3, n=8, width=24, at=3),
    )
    bench_cases = (BenchCase({"rows": 512 * 20, "n": 192, "width": 256, "at": 0}, "GLM-4.7-Flash, 512 tokens"),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return {"x": draw(rng, (problem["rows"], problem["width"]))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["rows"], problem["n"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"y": inputs["x"].astype(np.float64)[:, problem["at"] : problem["at"] + problem["n"]]}

    def flops(self, problem: Problem) -> int:
        return 0

    def bytes(self, problem: Problem) -> int:
        return 8 * int(problem["rows"]) * int(problem["n"])


class CountUp(Kernel):
    """The head of each row, where the rows of all heads follow each other."""

    name = "count_up"
    math = "y[i] = i mod period"
    bindings: tuple[Binding, ...] = (writes("y", "u32"),)
    params = (("count", "u32"), ("period", "u32"))
    cases = (
        case("a ragged last workgroup", n=1003, period=20),
        case("one period", n=16, period=16),
        case("one", n=1, period=128),
    )
    bench_cases = (BenchCase({"n": 512 * 20, "period": 20}, "GLM-4.7-Flash, 512 tokens"),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return {}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["n"],), "u32")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"y": np.arange(problem["n"], dtype=np.float64) % problem["period"]}

    def flops(self, problem: Problem) -> int:
        return 0

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["n"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        return each_variants(traits)

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"count": problem["n"], "period": problem["period"]}

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return each_grid(problem["n"], variant)


KERNELS = (LatentRows(), Columns(), CountUp())
