"""Copy and cast between f32, f16 and bf16; 16-bit elements are packed two to a word."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...gpu.dtypes import NUMPY, from_bf16, to_bf16
from ..draw import draw
from ..kernel import Arrays, BenchCase, Case, Out, Problem, case, reads, writes
from ..pieces.each import Each

TYPES = ("f32", "f16", "bf16")
_PAIRS = [(src, dst) for src in TYPES for dst in TYPES]
_QUAD = "{{ 'vec4<u32>' if %s == 'f32' else 'vec2<u32>' }}"  # four elements

_TIES = np.concatenate([1.0 + np.arange(1, 64, 2) * 2.0**-11, 1.0 + np.arange(1, 64, 2) * 2.0**-8])
_LARGE = [np.inf, -np.inf, np.nan, 65504.0, 65519.0, -65520.0, 1e5, 3.4e38]
_SPECIAL = [0.0, -0.0, *_LARGE, 2.0**-24, -(2.0**-25), 1e-40]


def _cases() -> list[Case]:
    cases = []
    for src, dst in _PAIRS:
        cases += [
            case("one element: half a word", src=src, dst=dst, n=1),
            case("odd: the last word is half full", src=src, dst=dst, n=1027),
            case("whole loads", src=src, dst=dst, n=4096),
        ]
    for dst in ("f16", "bf16"):
        cases += [
            case("exactly between two neighbours: to the even one", src="f32", dst=dst, n=64, values="ties"),
            case("subnormal halves", src="f32", dst=dst, n=998, values="subnormal"),
            case("infinities, NaN, overflow, underflow", src="f32", dst=dst, n=13, values="special"),
        ]
    cases.append(case("subnormal halves widened", src="f16", dst="f32", n=998, values="subnormal"))
    cases.append(case("infinities and NaN widened", src="bf16", dst="f16", n=13, values="special"))
    return cases


def to_words(values: NDArray[np.float32], dtype: str) -> NDArray[np.uint32]:
    """The bits of values rounded to a type, padded to whole words."""
    with np.errstate(over="ignore"):
        raw = to_bf16(values) if dtype == "bf16" else values.astype(NUMPY[dtype])
    padded = np.zeros(-(-raw.nbytes // 4) * 4, np.uint8)
    padded[: raw.nbytes] = raw.view(np.uint8)
    return padded.view(np.uint32)


def from_words(words: NDArray[np.uint32], dtype: str, n: int) -> NDArray[np.float32]:
    raw = words.view(NUMPY[dtype])[:n]
    return from_bf16(raw) if dtype == "bf16" else raw.astype(np.float32)


class Cast(Each):
    name = "cast"
    math = "y = x, rounded to the nearest value of y's type, ties to even"
    bindings = (reads("x", _QUAD % "src"), writes("y", _QUAD % "dst"))
    params = (("n", "u32"),)
    static = ("src", "dst")
    cases = tuple(_cases())
    bench_cases = tuple(
        BenchCase({"src": src, "dst": dst, "n": n}, note, software)
        for src, dst in (("f32", "f32"), ("f32", "f16"), ("bf16", "f32"))
        for n, note, software in ((1 << 24, "16 M elements", False), (1 << 20, "1 M elements", True))
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        n, kind = problem["n"], problem.get("values", "normal")
        if kind == "ties":
            values = _TIES[:n].astype(np.float32)
        elif kind == "special":
            values = np.array(_SPECIAL[:n], np.float32)
        elif kind == "subnormal":
            values = 1e-2 * draw(rng, (n,), "small")
        else:
            values = draw(rng, (n,), kind)
        return {"x": to_words(values, problem["src"])}

    def operands(self, problem: Problem) -> dict[str, Out]:
        return {"x": Out((problem["n"],), problem["src"])}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["n"],), problem["dst"])}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        values = from_words(inputs["x"], problem["src"], problem["n"])
        rounded = from_words(to_words(values, problem["dst"]), problem["dst"], problem["n"])
        return {"y": rounded.astype(np.float64)}

    def bytes(self, problem: Problem) -> int:
        return int(problem["n"]) * (NUMPY[problem["src"]].itemsize + NUMPY[problem["dst"]].itemsize)


KERNEL = Cast()
