"""Rows of f32 as halves with a scale for each row: the left side of a product on matrix units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu import Traits
from ..draw import draw
from ..elementwise.activations import gated
from ..grid import ceil_div
from ..kernel import Arrays, BenchCase, Binding, Case, Out, Problem, Variant, case, in_fours, reads, vec4_if, writes
from ..pieces.rows import ROW_PARAMS, RowKernel

ACTS = ("none", "norm", "swiglu")
_LONG, _FEW = 2048, 528  # the length of a row, and the number of rows, that are worth more threads
PARTS = (1, 2)  # halves of a value: eleven bits, or as many as f32 has
_DEPTH = 128  # a multiple of most depths of gemm_matrix; tiles of others are refused for blocks


def problem_of(rows: int, hidden: int, parts: int = 1, **more: Any) -> dict[str, Any]:
    """A complete problem. x is columns at .. at + hidden - 1 of rows of `width` (SwiGLU: and as many behind them)."""
    return {"rows": rows, "hidden": hidden, "parts": parts, **values_from(hidden, **more)}


def values_from(hidden: int, **more: Any) -> dict[str, Any]:
    """The part of a problem that says what the values of a row are made of."""
    act = more.get("act", "none")
    return {"act": act, "width": hidden * (2 if act == "swiglu" else 1), "at": 0, "eps": 1e-5, **more}


def vectors(k: int) -> int:
    """Vectors of eight halves in a row."""
    return ceil_div(k, 8)


def block_size(k: int, blocks: int) -> int:
    """Columns of a block, if rows of k are cut into this number of blocks. The last block may be shorter or empty."""
    return _DEPTH * ceil_div(ceil_div(k, blocks), _DEPTH)


def in_halves(rows: NDArray[Any], parts: int) -> tuple[NDArray[np.float16], NDArray[np.float32]]:
    """The reference: [parts, rows, padded] and what each row is to be multiplied by."""
    top = np.abs(rows).max(axis=1).astype(np.float32)
    exponent = np.maximum(top.view(np.uint32) >> 23, 16).astype(np.int64)
    up = np.exp2(141.0 - exponent)[:, None]
    padded = np.zeros((len(rows), 8 * vectors(rows.shape[1])), np.float32)
    padded[:, : rows.shape[1]] = rows * up
    if parts == 1:
        return padded.astype(np.float16)[None], (1 / up[:, 0]).astype(np.float32)
    high = (padded.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)
    return np.stack([high, padded - high]).astype(np.float16), (1 / up[:, 0]).astype(np.float32)


def cases_of_acts(problem_of: Callable[..., dict[str, Any]]) -> list[Case]:
    """Two of each way to make the values."""
    sizes = (("a real model's width", 5, 576), ("nothing is a multiple of anything", 3, 203))
    return [case(why, **problem_of(rows, hidden, act=act)) for act in ACTS for why, rows, hidden in sizes]


def _cases() -> list[Case]:
    return [
        case("two halves of each value", **problem_of(7, 68, 2)),
        *cases_of_acts(problem_of),
        case("fewer than a vector", **problem_of(4, 3)),
        case("rows that differ by powers of ten", **problem_of(9, 64, values="scales")),
        case("a slice of wider rows", **problem_of(5, 36, width=120, at=40)),
        case("columns that begin inside a load", **problem_of(5, 36, 2, width=120, at=42)),
        case("more rows than a grid's side", **problem_of(65_543, 8)),
        case("so small that eps decides", **problem_of(5, 96, act="norm", eps=1e-6, values="small")),
        case("values beyond f16", **problem_of(5, 96, 2, values="large")),
    ]


class RowHalves(RowKernel):
    """Each row times a power of two, as halves; `scale` is what the products of a row are to be multiplied by.

    act: what is done to x before: RMSNorm with gain g, or SwiGLU of twice as many columns.
    """

    name = "row_halves"
    math = "h = f16(v * 2^e), scale = 2^-e of each row; v is x, rmsnorm(x, g) or silu(gate) * up"
    bindings = (
        reads("x", vec4_if("x"), "rows width"),
        reads("g", vec4_if("x"), "hidden"),
        writes("h", "vec4<u32>"),
        writes("scale"),
    )
    params = (*ROW_PARAMS, ("width", "u32"), ("at", "u32"), ("vecs", "u32"), ("eps", "f32"))
    static: tuple[str, ...] = ("act", "parts")
    work = 4
    cases = tuple(_cases())
    bench_cases: tuple[BenchCase, ...] = (
        BenchCase(problem_of(512, 576, act="norm"), "SmolLM2, 512 tokens", software=False),
        BenchCase(problem_of(2048, 576, act="norm"), "SmolLM2, 4 x 512 tokens", software=False),
        BenchCase(problem_of(512, 8960, act="swiglu"), "Qwen2.5-1.5B, 512 tokens", software=False),
        BenchCase(problem_of(64, 1536, act="norm"), "Qwen2.5-1.5B, 64 sequences", software=False),
        BenchCase(problem_of(64, 8960, act="swiglu"), "Qwen2.5-1.5B, 64 sequences", software=False),
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return tuple(b for b in self.bindings if b.name != "g" or problem["act"] == "norm")

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        values = problem.get("values", "normal")
        x = draw(rng, (problem["rows"], problem["width"]))
        x *= np.float32({"small": 1e-4, "large": 2.0**17}.get(values, 1.0))
        if values == "scales":
            x *= np.float32(10.0) ** np.arange(-20, -20 + 4 * len(x), 4, dtype=np.float32)[:, None]
        return {"x": x} | ({"g": draw(rng, (problem["hidden"],))} if problem["act"] == "norm" else {})

    def outputs(self, problem: Problem) -> dict[str, Out]:
        rows = int(problem["rows"])
        return {"h": Out((problem["parts"], rows, 8 * vectors(problem["hidden"])), "f16"), "scale": Out((rows,))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        h, scale = in_halves(self.values(inputs, problem), problem["parts"])
        return {"h": h.astype(np.float64), "scale": scale.astype(np.float64)}

    def values(self, inputs: Arrays, problem: Problem) -> NDArray[np.float64]:
        """The rows before they are rounded."""
        wide = problem["hidden"] * (2 if problem["act"] == "swiglu" else 1)
        v = inputs["x"].astype(np.float64)[:, problem["at"] : problem["at"] + wide]
        if problem["act"] == "norm":
            return np.asarray(v * inputs["g"] / np.sqrt(np.mean(v**2, axis=1, keepdims=True) + problem["eps"]))
        return gated(v) if problem["act"] == "swiglu" else v

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """Those of row kernels; and where few long rows would not fill a GPU, with more threads each."""
        usual = super().variants(traits, problem)
        if traits.software or not traits.subgroups:
            return usual
        more = [{"reduce": "subgroup", "threads": 1024, "x": x} for x in ("vec4", "scalar")]
        long = self.cols(problem) >= _LONG and self.rows(problem) <= traits.filling(_FEW)
        return [*more, *usual] if long else [*usual, *more]

    def bytes(self, problem: Problem) -> int:
        reads = 2 if problem["act"] == "swiglu" else 1
        return self.elements(problem) * (4 * reads + 2 * int(problem["parts"])) + 4 * self.rows(problem)

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["act"] not in ACTS or problem.get("parts", 1) not in PARTS:
            return f"act must be one of {ACTS} and parts one of {PARTS}"
        wide = problem["hidden"] * (2 if problem["act"] == "swiglu" else 1)
        if problem["at"] + wide > problem["width"]:
            return f"{wide} columns from {problem['at']} on exceed rows of {problem['width']}"
        if variant["x"] == "vec4" and any(problem[key] % 4 for key in ("hidden", "width", "at")):
            return "vec4 loads need hidden, width and at to be multiples of 4"
        return super().refuses(problem, variant)

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return super().uniforms({**problem, "vecs": vectors(problem["hidden"])}, variant)

    def tune_key(self, problem: Problem) -> str:
        return f"{problem['act']} {in_fours(self.rows(problem), self.cols(problem))}"


KERNEL = RowHalves()
