"""SiLU, Swish, GELU and SwiGLU, with their gradients."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..draw import draw
from ..kernel import Arrays, BenchCase, Binding, Case, Out, Problem, Variant, case, reads, vec4_if, writes
from ..pieces.each import EachInRows, Elementwise, extremes, ragged, streaming_bench

_ELEM = vec4_if("x")
_erfc = np.vectorize(math.erfc, otypes=[np.float64])


def logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 / (1 + exp(-x)). No overflow: exp is only applied to values that are not positive."""
    e = np.exp(-np.abs(x))
    return np.where(x >= 0, 1.0, e) / (1.0 + e)


def gated(both: NDArray[np.float64]) -> NDArray[np.float64]:
    """SwiGLU of rows that hold gate values, then up values."""
    gate, up = np.split(both, 2, axis=-1)
    return gate * logistic(gate) * up


def clamped(both: NDArray[np.float64], alpha: float, limit: float) -> NDArray[np.float64]:
    """A limited SwiGLU: gate and up have a limit, silu has a slope, and up is around 1."""
    gate, up = np.split(both, 2, axis=-1)
    gate = np.minimum(gate, limit)
    return gate * logistic(alpha * gate) * (np.clip(up, -limit, limit) + 1)


def gelu(x: NDArray[np.float64], approximate: str) -> NDArray[np.float64]:
    """GELU with the error function, or its tanh approximation (GPT-2)."""
    if approximate == "tanh":
        # 1 + tanh(u) = 2 logistic(2u), which does not cancel for negative u.
        return x * logistic(2.0 * math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3))
    if approximate == "erf":
        return np.asarray(0.5 * x * _erfc(-x / math.sqrt(2.0)))
    raise ValueError(f"gelu approximates by 'tanh' or 'erf', not by {approximate!r}")


def _gelu_backward(x: NDArray[np.float64], dy: NDArray[np.float64], approximate: str) -> NDArray[np.float64]:
    if approximate == "tanh":
        scale = 2.0 * math.sqrt(2.0 / math.pi)
        u = scale * (x + 0.044715 * x**3)
        return dy * logistic(u) * (1.0 + x * logistic(-u) * scale * (1.0 + 3 * 0.044715 * x**2))
    if approximate == "erf":
        density = np.exp(-0.5 * x**2) / math.sqrt(2.0 * math.pi)
        return np.asarray(dy * (0.5 * _erfc(-x / math.sqrt(2.0)) + x * density))
    raise ValueError(f"gelu approximates by 'tanh' or 'erf', not by {approximate!r}")


SILU = Elementwise(
    "silu",
    "y = x / (1 + exp(-x))",
    lambda x: x * logistic(x),
    "x[i] * logistic(x[i])",
    functions=("logistic",),
    work=5,
    cases=(*ragged(), *extremes()),
)
SILU_BACKWARD = Elementwise(
    "silu_backward",
    "dx = dy * s(x) * (1 + x - x * s(x)), s the logistic function",
    lambda x, dy: dy * logistic(x) * (1.0 + x * logistic(-x)),
    "dy[i] * slope(x[i])",
    functions=("logistic", "silu_slope"),
    names=("x", "dy"),
    result="dx",
    work=9,
    cases=(*ragged(), *extremes()),
)
SILU_MUL = Elementwise(  # the gate of SwiGLU, with its two projections in separate arrays
    "silu_mul",
    "y = gate / (1 + exp(-gate)) * up",
    lambda gate, up: gate * logistic(gate) * up,
    "gate[i] * logistic(gate[i]) * up[i]",
    functions=("logistic",),
    names=("gate", "up"),
    work=6,
    cases=(*ragged(), *extremes()),
)
SWISH = Elementwise(
    "swish",
    "y = x / (1 + exp(-beta * x))",
    lambda x, beta: x * logistic(beta * x),
    "x[i] * logistic(p.beta * x[i])",
    functions=("logistic",),
    constants=("beta",),
    work=6,
    cases=(*ragged(beta=1.702), *extremes(beta=1.702), *extremes(beta=-0.5)),
    bench_cases=streaming_bench(beta=1.702),
)
GELU = Elementwise(
    "gelu",
    "y = x * Phi(x), or x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3)))",
    gelu,
    "gelu(x[i])",
    functions=("logistic", "gelu"),
    static=("approximate",),
    work=20,
    cases=[c for form in ("tanh", "erf") for c in (*ragged(approximate=form), *extremes(approximate=form))],
    bench_cases=(*streaming_bench(approximate="tanh"), *streaming_bench(approximate="erf")),
)
GELU_BACKWARD = Elementwise(
    "gelu_backward",
    "dx = dy * (Phi(x) + x * phi(x)), or the derivative of the tanh approximation",
    _gelu_backward,
    "dy[i] * slope(x[i])",
    functions=("logistic", "gelu", "gelu_slope"),
    names=("x", "dy"),
    static=("approximate",),
    result="dx",
    work=25,
    cases=[c for form in ("tanh", "erf") for c in (*ragged(approximate=form), *extremes(approximate=form))],
    bench_cases=streaming_bench(approximate="tanh"),
)


class Swiglu(EachInRows):
    """SwiGLU of many rows. Each row holds gate values, then up values."""

    name = "swiglu"
    math = "y[m,i] = silu(x[m,i]) * x[m,n+i]"
    bindings: tuple[Binding, ...] = (reads("x", _ELEM, "rows 2*n"), writes("y", _ELEM))
    cases: tuple[Case, ...] = (
        case("whole loads", rows=7, n=1536),
        case("rows that end inside a load", rows=13, n=203),
        case("one column: gates and ups alternate", rows=33, n=1),
        case("|x| up to 1e4: exp must not overflow into NaN", rows=3, n=52, values="extreme"),
    )
    bench_cases: tuple[BenchCase, ...] = (
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

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"gate": "silu"}


class SwigluBackward(Swiglu):
    """Gradient of SwiGLU with respect to rows of gate and up values."""

    name = "swiglu_backward"
    math = "dx[m,i] = dy[m,i] * x[m,n+i] * silu'(x[m,i]); dx[m,n+i] = dy[m,i] * silu(x[m,i])"
    bindings = (reads("x", _ELEM, "rows 2*n"), reads("dy", _ELEM, "rows n"), writes("dx", _ELEM))

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return {**super().inputs(rng, problem), "dy": draw(rng, (problem["rows"], problem["n"]))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"dx": Out((problem["rows"], 2 * problem["n"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        gate, up = np.split(inputs["x"].astype(np.float64), 2, axis=1)
        dy, share = inputs["dy"].astype(np.float64), logistic(gate)
        slope = share * (1.0 + gate * logistic(-gate))
        return {"dx": np.concatenate([dy * up * slope, dy * gate * share], axis=1)}

    def flops(self, problem: Problem) -> int:
        return 14 * int(problem["rows"]) * int(problem["n"])

    def bytes(self, problem: Problem) -> int:
        return 20 * int(problem["rows"]) * int(problem["n"])


class Geglu(Swiglu):
    """GeGLU of many rows, with GELU's tanh form unless the problem says `approximate="erf"`. Each row holds gate
    values, then up values."""

    name = "geglu"
    math = "y[m,i] = gelu(x[m,i]) * x[m,n+i]"
    cases = (
        *Swiglu.cases,
        case("GELU with the error function", rows=5, n=52, approximate="erf"),
        case("the same, rows that end inside a load", rows=3, n=9, approximate="erf", values="extreme"),
    )

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        gate, up = np.split(inputs["x"].astype(np.float64), 2, axis=1)
        return {"y": gelu(gate, problem.get("approximate", "tanh")) * up}

    def flops(self, problem: Problem) -> int:
        return 20 * int(problem["rows"]) * int(problem["n"])

    def template(self, variant: Variant) -> str:
        return "swiglu.wgsl"

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"gate": "gelu", "approximate": problem.get("approximate", "tanh")}


class SwigluClamped(Swiglu):
    """A limited SwiGLU of many rows. Each row holds gate values, then up values."""

    name = "swiglu_clamped"
    math = "y[m,i] = g logistic(alpha g) (u + 1), g = min(x[m,i], limit), u = x[m,n+i] within +-limit"
    static = ("alpha", "limit")
    cases = tuple(
        Case({**c.problem, "alpha": 1.702, "limit": limit}, c.why) for limit in (7.0, 0.5) for c in Swiglu.cases
    )
    bench_cases = (BenchCase({"rows": 2048, "n": 2880, "alpha": 1.702, "limit": 7.0}, "gpt-oss-20b, 512 tokens"),)

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return {"y": clamped(inputs["x"].astype(np.float64), problem["alpha"], problem["limit"])}

    def template(self, variant: Variant) -> str:
        return "swiglu.wgsl"

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"gate": "clamped"}


class GegluBackward(SwigluBackward):
    """Gradient of GeGLU with respect to rows of gate and up values; GELU's form as for `geglu`."""

    name = "geglu_backward"
    math = "dx[m,i] = dy[m,i] * x[m,n+i] * gelu'(x[m,i]); dx[m,n+i] = dy[m,i] * gelu(x[m,i])"
    cases = Geglu.cases

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        gate, up = np.split(inputs["x"].astype(np.float64), 2, axis=1)
        dy, form = inputs["dy"].astype(np.float64), problem.get("approximate", "tanh")
        return {"dx": np.concatenate([_gelu_backward(gate, dy * up, form), dy * gelu(gate, form)], axis=1)}

    def flops(self, problem: Problem) -> int:
        return 30 * int(problem["rows"]) * int(problem["n"])

    def template(self, variant: Variant) -> str:
        return "swiglu_backward.wgsl"

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"gate": "gelu", "approximate": problem.get("approximate", "tanh")}


SOFTCAP = Elementwise(
    "softcap",
    "y = cap * tanh(x / cap)",
    lambda x, cap: cap * np.tanh(x / cap),
    "p.cap * tanh_of(x[i] / p.cap)",
    functions=("tanh_of",),
    constants=("cap",),
    work=14,
    cases=(*ragged(cap=1.3), *extremes(cap=30.0)),
    bench_cases=streaming_bench(cap=30.0),
)
SOFTCAP_BACKWARD = Elementwise(
    "softcap_backward",
    "dx = dy * (1 - tanh(x / cap)^2)",
    lambda x, dy, cap: dy / np.cosh(np.minimum(np.abs(x / cap), 300)) ** 2,
    "dy[i] * (1.0 - tanh_of(x[i] / p.cap) * tanh_of(x[i] / p.cap))",
    functions=("tanh_of",),
    names=("x", "dy"),
    constants=("cap",),
    result="dx",
    work=30,
    cases=(*ragged(cap=1.3), *extremes(cap=30.0)),
    bench_cases=streaming_bench(cap=30.0),
)

KERNELS = (
    *(SILU, SILU_BACKWARD, SILU_MUL, SWISH, GELU, GELU_BACKWARD, Swiglu(), SwigluBackward()),
    *(Geglu(), GegluBackward(), SwigluClamped(), SOFTCAP, SOFTCAP_BACKWARD),
)
