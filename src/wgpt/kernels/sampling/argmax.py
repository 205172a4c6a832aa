"""Greedy decoding in two steps: the largest logit of each part of a row, then the token of the row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...gpu import Traits
from ..draw import draw
from ..grid import Grid, ceil_div, linear
from ..kernel import Arrays, BenchCase, Binding, Kernel, Out, Problem, Variant, case, in_fours, reads, vec4_if, writes
from .reference import (
    LEAST_INDEX,
    LOWEST_KEY,
    advanced,
    advances,
    language_logits,
    order_key,
    random_rows,
    random_slots,
    reported,
    several_rows,
)
from .slots import NO_TOKEN, RECORD_WORDS, constants

_SOFTWARE_PARTS = 4
_CHUNKS_PER_PART = 256  # of 4 logits: one per thread, so that a long row fills a GPU
_MOST_PARTS = 256


def parts_for(vocab: int, software: bool) -> int:
    """Number of parts to search in parallel: the problem key `parts` of argmax_parts and argmax_pick."""
    chunks = ceil_div(vocab, 4)
    return min(chunks, _SOFTWARE_PARTS) if software else min(ceil_div(chunks, _CHUNKS_PER_PART), _MOST_PARTS)


class ArgmaxParts(Kernel):
    """The largest logit of each part of a row: the first half of greedy decoding.

    A part is [first, first + span) in chunks of four logits; an empty part has key 0 and index LEAST_INDEX.
    """

    name = "argmax_parts"
    math = "parts[b,j] = (key of the largest logits[b,i], lowest such i) over part j; a NaN is below -inf"
    bindings = (reads("logits", vec4_if("x"), "rows vocab"), writes("parts", "vec2<u32>"))
    params = (("rows", "u32"), ("cols", "u32"), ("chunks", "u32"), ("parts", "u32"), ("span", "u32"))
    cases = (
        case("one logit: a quarter of a chunk, empty parts", rows=3, vocab=1, parts=2),
        case("SmolLM2's vocabulary, ties across parts", rows=2, vocab=49_152, parts=48, values="ties"),
        case("GPT-2's, odd: scalar loads, a short last part", rows=3, vocab=50_257, parts=50),
        case("many ties in one part: the lowest index wins", rows=5, vocab=1001, parts=1, values="ties"),
        case("parts that end in empty ones", rows=3, vocab=1000, parts=128, values="ties"),
        case("NaN, infinities and -0 mixed in", rows=9, vocab=517, parts=3, values="special"),
        case("whole rows of NaN and of -inf", rows=4, vocab=260, parts=3, values="hopeless"),
        case("more than 65,535 workgroups: a second grid dimension", rows=656, vocab=4000, parts=100),
    )
    bench_cases = (
        BenchCase({"rows": 1, "vocab": 49_152, "parts": 48}, "SmolLM2, one sequence", software=False),
        BenchCase({"rows": 1, "vocab": 151_936, "parts": 149}, "Qwen2.5, one sequence", software=False),
        BenchCase({"rows": 1, "vocab": 49_152, "parts": 4}, "SmolLM2, one sequence", software=True),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        shape, kind = (problem["rows"], problem["vocab"]), problem.get("values", "language")
        if kind == "language":
            return {"logits": language_logits(rng, shape)}
        logits = draw(rng, shape)
        if kind == "ties":
            logits = np.round(logits)
        if kind == "special":
            odd = np.array([np.nan, -np.nan, np.inf, -np.inf, -0.0, 0.0], np.float32)
            logits = np.where(rng.random(shape) < 0.3, rng.choice(odd, shape), -np.abs(logits))
            logits[0] = np.where(logits[0] > -0.5, -0.5, logits[0])  # the largest logit is negative
        if kind == "hopeless":
            logits[::2], logits[1::2] = np.nan, -np.inf
        return {"logits": logits.astype(np.float32)}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"parts": Out((problem["rows"], problem["parts"], 2), "u32")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        keys, parts = order_key(inputs["logits"]), problem["parts"]
        width = 4 * ceil_div(ceil_div(problem["vocab"], 4), parts)
        best = np.full((len(keys), parts, 2), (0, LEAST_INDEX), np.float64)
        for j in range(ceil_div(problem["vocab"], width)):
            part = keys[:, j * width : (j + 1) * width]
            best[:, j, 0] = part.max(axis=1)
            best[:, j, 1] = j * width + part.argmax(axis=1)
        return {"parts": best}

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["rows"]) * (problem["vocab"] + 2 * problem["parts"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        reduces = ("subgroup", "workgroup") if traits.subgroups else ("workgroup",)
        wide: list[Variant] = [{"reduce": r, "threads": 256} for r in reduces]
        few: Variant = {"reduce": "workgroup", "threads": 16}
        styles = [few, *wide] if traits.software else [*wide, few]
        return [{**style, "x": x} for style in styles for x in ("vec4", "scalar")]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["parts"] < 1:
            return f"parts must be 1 or more, and are {problem['parts']}"
        if variant["x"] == "vec4" and problem["vocab"] % 4:
            return f"vec4 loads need vocab to be a multiple of 4, and it is {problem['vocab']}"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        chunks, parts = ceil_div(problem["vocab"], 4), problem["parts"]
        return {
            "rows": problem["rows"],
            "cols": problem["vocab"],
            "chunks": chunks,
            "parts": parts,
            "span": ceil_div(chunks, parts),
        }

    def tune_key(self, problem: Problem) -> str:
        return in_fours(problem["rows"], problem["vocab"])

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(problem["rows"] * problem["parts"])


_SOFTWARE_ROWS = 4


class ArgmaxPick(Kernel):
    """Picks the token of each row from its parts, and advances the row's slot: the second half of greedy decoding.

    With advance = False (the default is True), `slots` is not bound: for rows of a speculative step, see accept.py.
    """

    name = "argmax_pick"
    math = (
        "tokens[b] = lowest index among the parts[b] with the largest key, NO_TOKEN if none is above -inf; the slot's "
        "token = tokens[b], position += 1, counter += 1; idle rows: 0"
    )
    bindings = (
        reads("parts", "vec2<u32>", "rows parts 2"),
        reads("rows", "vec2<u32>", "rows 2"),
        writes("slots", "u32"),
        writes("tokens", "u32"),
    )
    params = (("rows", "u32"), ("parts", "u32"), ("slots", "u32"))
    cases = (
        case("one part", rows=1, parts=1, slots=1),
        case("ties between parts, idle rows, more slots than rows", rows=7, parts=50, slots=12, idle=3),
        case("every row idle", rows=4, parts=48, slots=4, idle=1),
        case("more parts than threads, NaN rows", rows=5, parts=301, slots=6, values="nan"),
        case("nothing above -inf in every other row", rows=6, parts=5, slots=6, values="lowest"),
        case("rows whose slots do not exist", rows=9, parts=5, slots=6),
        case("more than 65,535 rows: a second grid dimension", rows=65_541, parts=3, slots=65_541, idle=5),
        case("several rows of a sequence: no record changes", rows=36, parts=50, slots=11, width=4, advance=False),
        case("the same, idle rows and NaN", rows=56, parts=7, slots=7, width=8, idle=3, values="nan", advance=False),
    )
    bench_cases = (
        BenchCase({"rows": 1, "parts": 149, "slots": 1}, "Qwen2.5, one sequence", software=False),
        BenchCase({"rows": 1, "parts": 4, "slots": 1}, "one sequence", software=True),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        shape = (problem["rows"], problem["parts"])
        parts = np.empty((*shape, 2), np.uint32)
        # Few distinct keys, above and below 2^31: tests ties, and that the order is unsigned.
        parts[..., 0] = rng.choice(np.array([0x00800000, 0x7FFFFFFF, 0x80000001, 0xC1000000], np.uint32), shape)
        parts[..., 1] = np.arange(shape[1]) * 100 + rng.integers(0, 100, shape)
        rng.permuted(parts, axis=1, out=parts)  # indices are not in the order of the parts
        if problem.get("values") == "nan":
            parts[..., 0] = 0
            parts[:, shape[1] // 2 :, 1] = LEAST_INDEX
        if problem.get("values") == "lowest":
            parts[..., 0] = 0x00800000  # the largest negative number
            parts[::2, :, 0] = rng.choice(np.array([0, LOWEST_KEY], np.uint32), parts[::2, :, 0].shape)
        if advances(problem):
            return {"parts": parts, "rows": random_rows(rng, problem), "slots": random_slots(rng, problem["slots"])}
        slots = random_slots(rng, problem["slots"])
        return {"parts": parts, "rows": several_rows(rng, problem, slots), "slots": slots}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        slots = {"slots": Out((problem["slots"], RECORD_WORDS), "u32")} if advances(problem) else {}
        return {**slots, "tokens": Out((problem["rows"],), "u32")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        keys, indices = np.moveaxis(inputs["parts"].astype(np.int64), 2, 0)
        best = keys.max(axis=1)
        tokens = np.where(keys == best[:, None], indices, LEAST_INDEX).min(axis=1)
        chosen = np.where(best > LOWEST_KEY, tokens, NO_TOKEN).tolist()
        return advanced(inputs, chosen) if advances(problem) else {"tokens": reported(inputs, chosen)}

    def bytes(self, problem: Problem) -> int:
        return int(problem["rows"]) * (8 * problem["parts"] + 36)

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return tuple(b for b in self.bindings if b.name != "slots" or advances(problem))

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {**constants(), "advance": advances(problem)}

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        reduces = ("subgroup", "workgroup") if traits.subgroups else ("workgroup",)
        shared: list[Variant] = [{"reduce": r, "threads": 64} for r in reduces]
        alone: Variant = {"reduce": "thread", "threads": _SOFTWARE_ROWS}
        return [alone, *shared] if traits.software else [*shared, alone]

    def tune_key(self, problem: Problem) -> str:
        return in_fours(problem["rows"], problem["parts"])

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        each = variant["threads"] if variant["reduce"] == "thread" else 1
        return linear(ceil_div(problem["rows"], each))


KERNELS = (ArgmaxParts(), ArgmaxPick())
