"""Gates of heads: those of attention, which are projected with the queries, and those of normed heads."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..draw import draw
from ..elementwise.activations import logistic
from ..kernel import Arrays, BenchCase, Out, Problem, Variant, case, reads, vec4_if, writes
from ..pieces.each import EachInRows
from ..pieces.rows import ROW_PARAMS, RowKernel, wide

_VEC4 = "vec4<f32>"
_ELEM = vec4_if("x")


def _heads(heads: int, head_dim: int, more: int) -> dict[str, Any]:
    """`more`: heads behind those with gates."""
    return {"heads": heads, "head_dim": head_dim, "more": more, "n": (heads + more) * head_dim}


class _OfHeads(EachInRows):
    """Rows have the values and then the gates of each of `heads` heads in turn, then `more` heads without gates."""

    params = (*EachInRows.params, ("dim", "u32"), ("first_plain", "u32"), ("stride", "u32"))

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, int]:
        dim = problem["head_dim"] // (4 if variant["x"] == "vec4" else 1)
        heads, more = problem["heads"], problem["more"]
        sizes = {"dim": dim, "first_plain": heads * dim, "stride": (2 * heads + more) * dim}
        return {**super().uniforms(problem, variant), **sizes}

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if variant["x"] == "vec4" and problem["head_dim"] % 4:
            return f"vec4 loads need heads of a multiple of 4, and they have {problem['head_dim']}"
        return None

    def bytes(self, problem: Problem) -> int:
        return 12 * int(problem["rows"]) * int(problem["n"])

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["rows"], problem["n"]))}


class WithoutGates(_OfHeads):
    """Heads as attention reads them."""

    name = "without_gates"
    math = "y[m] = the values of x[m], without its gates"
    bindings = (reads("x", _ELEM, ""), writes("y", _ELEM))
    cases = (
        case("whole loads", rows=9, **_heads(3, 16, 4)),
        case("heads of no multiple of four", rows=5, **_heads(2, 7, 2)),
    )
    bench_cases = (BenchCase({"rows": 512, **_heads(16, 256, 8)}, "Qwen3.5-4B, 512 tokens"),)

    def operands(self, problem: Problem) -> dict[str, Out]:
        return {"x": Out((problem["rows"], problem["n"] + problem["heads"] * problem["head_dim"]))}

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return {"x": draw(rng, self.operands(problem)["x"].shape)}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        rows, heads, dim = problem["rows"], problem["heads"], problem["head_dim"]
        x = inputs["x"].astype(np.float64)
        values = x[:, : 2 * heads * dim].reshape(rows, heads, 2, dim)[:, :, 0].reshape(rows, -1)
        return {"y": np.concatenate([values, x[:, 2 * heads * dim :]], axis=1)}


class GateHeads(_OfHeads):
    """Attention's results times the sigmoids of their gates."""

    name = "gate_heads"
    math = "y[m,h] = x[m,h] / (1 + exp(-gates[m,h]))"
    bindings = (reads("x", _ELEM, "rows n"), reads("gates", _ELEM, ""), writes("y", _ELEM))
    cases = (
        case("whole loads, heads without gates behind", rows=9, **_heads(3, 16, 4) | {"n": 48}),
        case("heads of no multiple of four", rows=5, **_heads(2, 7, 0)),
        case("gates whose exp overflows", rows=5, **_heads(2, 8, 0), values="extreme"),
    )
    bench_cases = (BenchCase({"rows": 512, **_heads(16, 256, 8), "n": 4096}, "Qwen3.5-4B, 512 tokens"),)

    def operands(self, problem: Problem) -> dict[str, Out]:
        width = (2 * problem["heads"] + problem["more"]) * problem["head_dim"]
        return {**super().operands(problem), "gates": Out((problem["rows"], width))}

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        gates = draw(rng, self.operands(problem)["gates"].shape, problem.get("values", "normal"))
        return {"x": draw(rng, (problem["rows"], problem["n"])), "gates": gates}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        rows, heads, dim = problem["rows"], problem["heads"], problem["head_dim"]
        both = inputs["gates"].astype(np.float64)[:, : 2 * heads * dim].reshape(rows, heads, 2, dim)
        return {"y": inputs["x"] * logistic(both[:, :, 1].reshape(rows, -1))}

    def flops(self, problem: Problem) -> int:
        return 4 * int(problem["rows"]) * int(problem["n"])


class GatedNorm(RowKernel):
    """RMSNorm of each of a row's `heads` heads, times the SiLU of its gates, from column `at` of rows of `stride`."""

    name = "gated_norm"
    math = "y[m,h] = x[m,h] g / sqrt(mean(x[m,h]^2) + eps) silu(z[m,h])"
    bindings = (
        reads("x", _VEC4, "rows hidden"),
        reads("g", _VEC4, "hidden"),
        reads("gates", _VEC4, ""),
        writes("y", _VEC4),
    )
    params = (*ROW_PARAMS, ("heads", "u32"), ("stride", "u32"), ("at", "u32"), ("eps", "f32"))
    work = 10
    cases = (
        case("a whole workgroup, gates between other columns", rows=12, hidden=128, heads=4, stride=640, at=64),
        case("chunks that do not divide evenly, small", rows=15, hidden=68, heads=3, stride=208, at=4, values="small"),
        case("one load, gates whose exp overflows", rows=10, hidden=4, heads=2, stride=8, at=0, gates="extreme"),
    )  # fmt: skip
    bench_cases = (
        BenchCase({"rows": 16384, "hidden": 128, "heads": 32, "stride": 12352, "at": 8192}, "Qwen3.5-4B, 512 tokens"),
    )  # fmt: skip

    def operands(self, problem: Problem) -> dict[str, Out]:
        gates = Out((problem["rows"] // problem["heads"], problem["stride"]))
        return {**super().operands(problem), "gates": gates}

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        gates = draw(rng, self.operands(problem)["gates"].shape, problem.get("gates", "normal"))
        return {"x": self.rows_of(rng, problem), "g": draw(rng, (problem["hidden"],)), "gates": gates}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        a, rows, at = wide(inputs), problem["rows"], problem["at"]
        z = a["gates"][:, at : at + problem["heads"] * problem["hidden"]].reshape(rows, -1)
        mean_square = np.mean(a["x"] ** 2, axis=1, keepdims=True)
        return {"y": a["x"] * a["g"] / np.sqrt(mean_square + _eps(problem)) * z * logistic(z)}

    def bytes(self, problem: Problem) -> int:
        return 12 * self.elements(problem) + 4 * int(problem["hidden"])

    def variants(self, traits: Any, problem: Problem) -> list[Variant]:
        return [v for v in super().variants(traits, problem) if v["x"] == "vec4"]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if any(problem[key] % 4 for key in ("hidden", "stride", "at")):
            sizes = [problem[key] for key in ("hidden", "stride", "at")]
            return f"hidden, stride and at must be whole vec4s, and are {sizes}"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        quads = {"stride": problem["stride"] // 4, "at": problem["at"] // 4, "eps": _eps(problem)}
        return super().uniforms({**problem, **quads}, variant)


def _eps(problem: Problem) -> float:
    return float(problem.get("eps", 1e-6))


KERNELS = (WithoutGates(), GateHeads(), GatedNorm())
