"""Rows of f32 as integers of 16 bits, with a step for each chunk of 32: the left side of a product of integers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..grid import ceil_div
from ..kernel import Arrays, BenchCase, Case, Out, Problem, Variant, case, reads, vec4_if, writes
from ..pieces.rows import ROW_PARAMS
from .row_halves import RowHalves, cases_of_acts, values_from

CHUNK = 32
_MOST = 32_600  # the largest integer: its two signed bytes are at most 127
_LEAST = 1e-30  # a chunk whose largest value is smaller is zero


def problem_of(rows: int, hidden: int, **more: Any) -> dict[str, Any]:
    """A complete problem. x is columns at .. at + hidden - 1 of rows of `width` (SwiGLU: and as many behind them)."""
    return {"rows": rows, "hidden": hidden, **values_from(hidden, **more)}


def chunks(k: int) -> int:
    """Chunks in a row."""
    return ceil_div(k, CHUNK)


def in_integers(rows: NDArray[Any]) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """The reference: [rows, padded] integers, and for each chunk its step, its halves' sums, and its sum."""
    padded = np.zeros((len(rows), CHUNK * chunks(rows.shape[1])), np.float64)
    padded[:, : rows.shape[1]] = rows
    parts = padded.reshape(len(rows), -1, CHUNK)
    step = np.abs(parts).max(axis=2) / _MOST
    used = step * _MOST > _LEAST
    with np.errstate(divide="ignore", invalid="ignore"):
        integers = np.where(used[:, :, None], np.rint(parts / step[:, :, None]), 0.0)
    low, high = (step * integers[:, :, half].sum(axis=2) for half in (slice(CHUNK // 2), slice(CHUNK // 2, CHUNK)))
    info = np.stack([step, low, high, low + high], axis=2)
    return integers.astype(np.int16).reshape(padded.shape), info.astype(np.float32)


def values_of(integers: NDArray[np.int16], info: NDArray[np.float32], k: int) -> NDArray[np.float64]:
    """The rows that integers stand for."""
    parts = integers.reshape(*info.shape[:2], CHUNK).astype(np.float64)
    return (parts * info[:, :, :1]).reshape(len(integers), -1)[:, :k]


def _cases() -> list[Case]:
    return [
        *cases_of_acts(problem_of),
        case("fewer than a chunk", **problem_of(4, 3)),
        case("more chunks than threads", **problem_of(2, 9000)),
        case("a slice of wider rows", **problem_of(5, 36, width=120, at=40)),
        case("columns that begin inside a load", **problem_of(5, 36, width=120, at=42)),
        case("more rows than a grid's side", **problem_of(65_543, 8)),
        case("so small that eps decides", **problem_of(5, 96, act="norm", eps=1e-6, values="small")),
    ]


class RowIntegers(RowHalves):
    """Each chunk of 32 values as integers of 16 bits, `info`: its step, the sums of its two halves, and its sum.

    act: what is done to x before: RMSNorm with gain g, or SwiGLU of twice as many columns.
    """

    name = "row_integers"
    math = "h = round(v / step), step = max |v| / 32600 of 32 values; v is x, rmsnorm(x, g) or silu(gate) * up"
    bindings = (
        reads("x", vec4_if("x"), "rows width"),
        reads("g", vec4_if("x"), "hidden"),
        writes("h", "vec4<u32>"),
        writes("info", "vec4<f32>"),
    )
    params = (*ROW_PARAMS, ("width", "u32"), ("at", "u32"), ("parts", "u32"), ("eps", "f32"))
    static = ("act",)
    cases = tuple(_cases())
    bench_cases = (
        BenchCase(problem_of(16, 2560, act="norm"), "Qwen3-4B, 16 sequences", software=False),
        BenchCase(problem_of(64, 9728, act="swiglu"), "Qwen3-4B, 64 sequences", software=False),
    )

    def outputs(self, problem: Problem) -> dict[str, Out]:
        rows, count = int(problem["rows"]), chunks(problem["hidden"])
        return {"h": Out((rows, CHUNK * count), "i16"), "info": Out((rows, count, 4))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        h, info = in_integers(self.values(inputs, problem))
        return {"h": h.astype(np.float64), "info": info.astype(np.float64)}

    def bytes(self, problem: Problem) -> int:
        reads = 2 if problem["act"] == "swiglu" else 1
        return int(self.elements(problem) * (4 * reads + 2.5))

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return super().uniforms({**problem, "parts": chunks(problem["hidden"])}, variant)


KERNEL = RowIntegers()
