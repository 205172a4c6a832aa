"""Samples the next token of each row: penalty, bias, temperature, top-k, top-p, min-p, one random draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu import Traits
from ..grid import Grid, ceil_div, linear
from ..kernel import (
    Arrays,
    BenchCase,
    Binding,
    Case,
    Kernel,
    Out,
    Problem,
    Variant,
    case,
    in_fours,
    reads,
    vec4_if,
    writes,
)
from .reference import IDLE, LANES, Floats, is_steady, language_logits, random_rows, sample_token, scores, seen_words
from .settings import RECORD_WORDS, Settings

_MOST_VOCAB = 262_656  # so that the sum of a bin, at most 16,352 per token, stays below 2^32
_HISTOGRAMS = 12_500  # bytes of workgroup memory, independent of the number of threads

# Settings that the rows of a case use in turn.
_ASKED: dict[str, tuple[Settings, ...]] = {
    "mixed": (
        Settings(temperature=0.7, top_k=40, top_p=0.9),
        Settings(),
        Settings(temperature=0.0),
        Settings(top_p=0.95),
        Settings(top_k=3, temperature=2.0),
        Settings(temperature=1.5, min_p=0.02),
        Settings(temperature=3.0, top_p=0.5),
        Settings(temperature=0.8, top_k=200, top_p=0.99, min_p=0.001),
        Settings(top_p=1e-4),
        Settings(temperature=50.0, top_k=1_000_000, top_p=0.999),
        Settings(top_k=1),
    ),
    "typical": (Settings(temperature=0.7, top_k=40, top_p=0.9),),
    "top_p": (Settings(top_p=0.95),),
    "plain": (Settings(),),
}


def _case(
    why: str, rows: int, vocab: int, asked: str = "mixed", bias: bool = False, penalty: bool = False, **more: Any
) -> Case:
    sizes = {"rows": rows, "vocab": vocab, "slots": more.pop("slots", rows)}
    return case(why, **sizes, bias=bias, penalty=penalty, asked=asked, **more)


class Sample(Kernel):
    """All filters are thresholds on the distance of a logit from the largest one, so nothing is sorted.

    The distance is a fixed-point integer. Its histogram is refined around the threshold until one value is left;
    counts and masses are integers, so that the order of additions does not matter. `counter` is the step of each
    row's random numbers: the same seed gives the same tokens in any row of any batch.
    """

    name = "sample"
    math = (
        "tokens[b] ~ softmax(filtered((penalised(logits[b]) + bias) / temperature)); seen |= token; "
        "position += 1, counter += 1; idle rows stay"
    )
    bindings = (
        reads("logits", vec4_if("x")),
        reads("settings", "vec4<u32>"),
        reads("bias", vec4_if("x")),
        writes("tokens", "u32"),
        writes("rows", "vec2<u32>"),
        writes("counter", "u32"),
        writes("seen", "u32"),
    )
    params = (("rows", "u32"), ("cols", "u32"), ("chunks", "u32"), ("slots", "u32"), ("words", "u32"))
    static = ("bias", "penalty")
    cases = (
        _case("one token", 3, 1),
        _case("every kind of setting, odd width, idle rows", 23, 1003, idle=7),
        _case("SmolLM2's vocabulary", 11, 49_152),
        _case("Qwen's vocabulary", 2, 151_936, asked="typical"),
        _case("few different logits: ties on every threshold", 22, 516, values="ties"),
        _case("nearly equal logits: thresholds to the last bits", 22, 5000, values="close"),
        _case("NaN, infinities and masked rows", 22, 517, values="special"),
        _case("a bias that bans and favours", 11, 1001, bias=True),
        _case("a bias, whole chunks", 11, 1000, bias=True),
        _case("seen tokens, more slots than rows, idle rows", 11, 1001, penalty=True, slots=17, idle=4),
        _case("seen tokens, a row whose slot does not exist", 11, 96, penalty=True, slots=10, values="negative"),
        _case("seen tokens and a bias", 11, 4099, bias=True, penalty=True),
        _case("seen tokens and a bias, whole chunks", 11, 2048, bias=True, penalty=True),
    )
    bench_cases = tuple(
        BenchCase(_case("", 1, vocab, asked=asked).problem, f"{note}, one sequence", soft)
        for vocab, note, soft in ((49_152, "SmolLM2", None), (151_936, "Qwen2.5", False))
        for asked in ("typical", "top_p", "plain")
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        """Seeds are drawn until rounding cannot change the token: no threshold and no draw is within 1e-5."""
        count, vocab = problem["rows"], problem["vocab"]
        arrays: Arrays = {
            "logits": _logits(rng, (count, vocab), problem.get("values", "language")),
            "tokens": rng.integers(0, vocab, count, np.uint32),
            "rows": random_rows(rng, problem, problem["slots"]),
            "counter": rng.integers(0, 1000, count, np.uint32),
        }
        if problem["bias"]:
            kinds = np.array([0.0, 0.0, 2.0, -3.0, -np.inf], np.float32)
            arrays["bias"] = rng.choice(kinds, vocab)
        if problem["penalty"]:
            bits = rng.integers(0, 2**32, (problem["slots"], seen_words(vocab)), np.uint32)
            arrays["seen"] = bits & rng.integers(0, 2**32, bits.shape, np.uint32)
        choices = _ASKED[problem["asked"]]
        arrays["settings"] = np.zeros((count, RECORD_WORDS), np.uint32)
        for b in range(count):
            settings = choices[b % len(choices)]
            if problem["penalty"]:
                settings = replace(settings, repetition_penalty=1.3)
            arrays["settings"][b] = self._steady(rng, arrays, problem, b, settings)
        return arrays

    def _steady(
        self, rng: np.random.Generator, arrays: Arrays, problem: Problem, b: int, settings: Settings
    ) -> NDArray[np.uint32]:
        for _ in range(200):
            words = replace(settings, seed=int(rng.integers(0, 2**63)) * 2 + 1).words()
            rounded = Settings.of_words(words)
            if not _in_use(arrays, problem, b):
                return words
            if is_steady(_scores(arrays, problem, b, rounded), rounded, arrays["counter"][b]):
                return words
        raise ValueError(f"no seed gives row {b} of {dict(problem)} a token that rounding cannot change")

    def outputs(self, problem: Problem) -> dict[str, Out]:
        rows = problem["rows"]
        outputs = {"tokens": Out((rows,), "u32"), "rows": Out((rows, 2), "u32"), "counter": Out((rows,), "u32")}
        if problem["penalty"]:
            outputs["seen"] = Out((problem["slots"], seen_words(problem["vocab"])), "u32")
        return outputs

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        results = {name: inputs[name].copy() for name in self.outputs(problem)}
        for b in range(problem["rows"]):
            if not _in_use(inputs, problem, b):
                continue
            settings = Settings.of_words(inputs["settings"][b])
            token = sample_token(_scores(inputs, problem, b, settings), settings, int(inputs["counter"][b]))
            results["tokens"][b] = token
            results["rows"][b, 1] += 1
            results["counter"][b] += 1
            if problem["penalty"]:
                results["seen"][inputs["rows"][b, 0], token // 32] |= np.uint32(1 << token % 32)
        return {name: array.astype(np.float64) for name, array in results.items()}

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["rows"]) * problem["vocab"]

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        absent = {name for name, key in (("bias", "bias"), ("seen", "penalty")) if not problem[key]}
        return tuple(b for b in self.bindings if b.name not in absent)

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        wide: list[Variant] = [{"reduce": "workgroup", "threads": 256}]
        if traits.subgroups:
            wide = [{"reduce": "subgroup", "threads": 256}, *wide]
            if traits.max_invocations >= 1024 and traits.workgroup_bytes >= _HISTOGRAMS + 1024 * 8:
                wide = [{"reduce": "subgroup", "threads": 1024}, *wide]
        few: Variant = {"reduce": "workgroup", "threads": 16}
        styles = [few, *wide] if traits.software else [*wide, few]
        return [{**style, "x": x} for style in styles for x in ("vec4", "scalar")]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if not 1 <= problem["vocab"] <= _MOST_VOCAB:
            return f"vocab must be from 1 to {_MOST_VOCAB}, and is {problem['vocab']}"
        if variant["x"] == "vec4" and problem["vocab"] % 4:
            return f"vec4 loads need vocab to be a multiple of 4, and it is {problem['vocab']}"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        vocab = problem["vocab"]
        return {
            "rows": problem["rows"],
            "cols": vocab,
            "chunks": ceil_div(vocab, 4),
            "slots": problem["slots"],
            "words": seen_words(vocab),
        }

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"lanes": LANES}

    def tune_key(self, problem: Problem) -> str:
        return in_fours(problem["vocab"])

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(problem["rows"])


def _in_use(inputs: Arrays, problem: Problem, b: int) -> bool:
    slot, position = inputs["rows"][b]
    return bool(position != IDLE and (slot < problem["slots"] or not problem["penalty"]))


def _scores(inputs: Arrays, problem: Problem, b: int, settings: Settings) -> Floats:
    seen = None
    if problem["penalty"]:
        words = inputs["seen"][inputs["rows"][b, 0]]
        seen = np.unpackbits(words.view(np.uint8), bitorder="little")[: problem["vocab"]].astype(bool)
    bias = inputs["bias"].astype(np.float64) if problem["bias"] else None
    return scores(inputs["logits"][b], settings, seen, bias)


def _logits(rng: np.random.Generator, shape: tuple[int, int], kind: str) -> NDArray[np.float32]:
    logits = language_logits(rng, shape)
    if kind == "negative":
        logits -= np.float32(15)
    if kind == "ties":
        logits = np.round(logits)
    if kind == "close":
        logits = (11.0 + np.round(64 * logits) * 2.0**-16).astype(np.float32)
    if kind == "special":
        odd = np.array([np.nan, -np.nan, -np.inf, -3e38, -0.0], np.float32)
        logits = np.where(rng.random(shape) < 0.2, rng.choice(odd, shape), logits).astype(np.float32)
        logits[0], logits[1], logits[-1, ::50] = np.nan, -np.inf, np.inf
    return logits


KERNEL = Sample()
