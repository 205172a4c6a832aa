"""Checks weights for NaN and infinity: one flag for each of many weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu import Traits
from ...quant.weights import FloatWords
from ..grid import MOST, Grid
from ..kernel import Arrays, BenchCase, Case, Kernel, Out, Problem, Variant, case, reads, writes

# Exponent bits of the numbers in a word: all of them are set in NaN and Inf.
_EXPONENTS = {
    "f32": (0x7F800000,),
    "f16": (0x7C00, 0x7C000000),
    "bf16": (0x7F80, 0x7F800000),
    "f16_low": (0x7C00,),
}
# Words with one such number: the smallest NaN and Inf in the low half of a pair, negative ones in the high half.
_PLANTED = {
    "f32": {"nan": 0x7F800001, "-nan": 0xFFFFFFFF, "inf": 0x7F800000, "-inf": 0xFF800000},
    "f16": {"nan": 0x7C01, "-nan": 0xFFFF0000, "inf": 0x7C00, "-inf": 0xFC000000},
    "bf16": {"nan": 0x7F81, "-nan": 0xFFFF0000, "inf": 0x7F80, "-inf": 0xFF800000},
    "f16_low": {"nan": 0x7C01, "-nan": 0xFFFF, "inf": 0x7C00, "-inf": 0xFFFFFC00},
}
_ALIGN = 64  # planes begin at multiples of this many words


def problem_of(layout: FloatWords, words: int, planes: int, at: int, flags: int) -> dict[str, Any]:
    """`planes` planes with `words` words in total. Their spans and flags are those from `at` on, out of `flags`."""
    where = {"period": layout.period, "first": layout.first, "count": layout.count}
    return {"kind": layout.kind, **where, "words": words, "planes": planes, "at": at, "flags": flags}


def span_of(layout: FloatWords, begin: int, words: int) -> tuple[int, int]:
    """The first word of a plane, and how many of its words hold numbers."""
    periods, rest = divmod(words, layout.period)
    return begin, periods * layout.count + min(layout.count, max(0, rest - layout.first))


def _cases() -> tuple[Case, ...]:
    def of(why: str, layout: FloatWords, each: int, planes: int = 3, at: int = 2, **planted: Any) -> Case:
        return case(why, **problem_of(layout, each * planes, planes, at, at + planes + 1), **planted)

    f16, q6_k = FloatWords("f16"), FloatWords("f16", period=21, first=20)
    nf4_dq = FloatWords("f32", period=66, count=2)
    return (
        *(of("all finite, the largest exponents included", FloatWords(kind), 1003) for kind in _PLANTED),
        *(
            of("one number, in the last word of a plane", FloatWords(kind), 1027, value=value, plane=1, word=1026)
            for kind, values in _PLANTED.items()
            for value in values
        ),
        of("the very first word", f16, 1, planes=1, at=0, value="inf", plane=0, word=0),
        of("a word beyond the first round of all workgroups", f16, 600_000, 2, value="-nan", plane=1, word=599_999),
        of("words between the numbers that look like NaN", q6_k, 672),
        of("the last number of the last period", q6_k, 672, value="inf", plane=2, word=671),
        of("a period that ends before its number", q6_k, 41, planes=2),
        of("a last period that is cut short", nf4_dq, 75),
        of("high halves that look like NaN", FloatWords("f16_low", period=2), 96),
        of("the second number of a period that is cut short", nf4_dq, 75, value="nan", plane=0, word=67),
    )


class FindNonfinite(Kernel):
    """Of every `period` words, `count` words from the word `first` on hold numbers; the others hold any bits.

    `spans` has for each plane the word of x at which it begins, and how many of its words hold numbers.
    """

    name = "find_nonfinite"
    math = "flags[plane] |= 1 if a number of the plane has an exponent of ones"
    bindings = (
        reads("x", "{{ 'vec4<u32>' if dense else 'u32' }}", "words"),
        reads("spans", "vec2<u32>", "flags 2"),
        writes("flags", "atomic<u32>"),
    )
    params = (("period", "u32"), ("first", "u32"), ("count", "u32"), ("at", "u32"))
    static = ("kind",)
    cases = _cases()
    bench_cases = (
        BenchCase(problem_of(FloatWords("f16"), 1 << 24, 1, 0, 1), "32 M weights of f16", False),
        BenchCase(problem_of(FloatWords("f16"), 1 << 20, 1, 0, 1), "2 M weights of f16", True),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        """Planes, with words that look like NaN between them."""
        layout, each = _layout(problem), problem["words"] // problem["planes"]
        stride = -(-each // _ALIGN) * _ALIGN + _ALIGN
        x = rng.integers(0, 1 << 32, problem["planes"] * stride, np.uint32)
        x[::3] = x.reshape(-1, stride)[:, each:] = 0xFFFFFFFF
        planes = x.reshape(-1, stride)[:, :each]
        for exponent in _EXPONENTS[problem["kind"]]:
            lowest_bit = exponent & -exponent
            planes[:, _numbers(layout, each)] &= np.uint32(0xFFFFFFFF ^ lowest_bit)
        if "value" in problem:
            planes[problem["plane"], problem["word"]] = _PLANTED[problem["kind"]][problem["value"]]
        spans = np.zeros((problem["flags"], 2), np.uint32)
        for i in range(problem["planes"]):
            spans[problem["at"] + i] = span_of(layout, i * stride, each)
        return {"x": x, "spans": spans, "flags": np.zeros(problem["flags"], np.uint32)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"flags": Out((problem["flags"],), "u32")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        layout, flags = _layout(problem), inputs["flags"].astype(np.float64)
        for i in range(problem["at"], problem["at"] + problem["planes"]):
            begin, count = (int(n) for n in inputs["spans"][i])
            words = inputs["x"][begin:]
            words = words[_numbers(layout, len(words))][:count]
            exponents = [np.uint32(exponent) for exponent in _EXPONENTS[layout.kind]]
            flags[i] = max(flags[i], any((words & exponent == exponent).any() for exponent in exponents))
        return {"flags": flags}

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["words"]) * int(problem["count"]) // int(problem["period"])

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["kind"] not in _EXPONENTS:
            return f"kind must be one of {', '.join(_EXPONENTS)}, and is {problem['kind']!r}"
        if not 1 <= problem["planes"] <= MOST:
            return f"planes must be within 1 and {MOST}, and are {problem['planes']}"
        return None

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"dense": problem["period"] == 1}  # every word holds numbers, so four are loaded at a time

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """Workgroups per plane: enough for one plane to fill a GPU; few and small ones for a software driver."""
        gpu: list[Variant] = [{"threads": 256, "groups": 512}, {"threads": 256, "groups": 128}]
        few: Variant = {"threads": 8, "groups": 16}
        return [few, *gpu] if traits.software else [*gpu, few]

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return (variant["groups"], problem["planes"], 1)


def _layout(problem: Problem) -> FloatWords:
    return FloatWords(problem["kind"], problem["period"], problem["first"], problem["count"])


def _numbers(layout: FloatWords, words: int) -> NDArray[np.bool_]:
    """Which words of a plane hold numbers."""
    within = np.arange(words) % layout.period - layout.first
    return (within >= 0) & (within < layout.count)


KERNEL = FindNonfinite()
