"""Samples the next token of each row: penalties, bias, mask, temperature, filters, one random draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.generation import SAMPLING, SETTINGS_WORDS, WORDS
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
from .reference import (
    LANES,
    Floats,
    advanced,
    advances,
    in_use,
    is_steady,
    language_logits,
    mask_words,
    random_rows,
    random_slots,
    reported,
    sample_token,
    scores,
    several_rows,
)
from .settings import Settings
from .slots import (
    BIASED,
    COUNTER,
    FLAGS,
    MASKED,
    MIN_TOKENS,
    MOST_STOP_IDS,
    NO_TOKEN,
    PENALISED,
    POSITION,
    PROMPTED,
    RECORD_WORDS,
    SETTINGS,
    STOP_COUNT,
    STOP_IDS,
    constants,
)

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


def _filtered() -> tuple[Settings, ...]:
    """Those of the options with `filters`: each at its trials or off, beside the mixed settings."""
    rng = np.random.default_rng(7)
    drawn = [settings for settings in _ASKED["mixed"] if settings.temperature > 0 and settings.top_k != 1] * 3
    choices = {entry.name: [entry.neutral or 0.0, *entry.trials] for entry in SAMPLING.values() if entry.filters}

    def one() -> dict[str, Any]:
        return {name: float(rng.choice(values)) for name, values in choices.items()}

    return tuple(replace(settings, **one()) for settings in drawn)


_ASKED["filtered"] = _filtered()
_WORDS_IF_VEC4 = "{{ 'vec4<u32>' if x == 'vec4' else 'u32' }}"


def _case(why: str, rows: int, vocab: int, asked: str = "mixed", arrays: str = "", **more: Any) -> Case:
    """`arrays`: those of counts, bias and mask that are bound."""
    sizes = {"rows": rows, "vocab": vocab, "slots": more.pop("slots", rows)}
    return case(why, **sizes, **{name: name in arrays.split() for name in _ARRAYS}, asked=asked, **more)


_ARRAYS = {"counts": PENALISED, "bias": BIASED, "mask": MASKED}  # optional bindings, and the flags of their users


class Sample(Kernel):
    """All filters are thresholds on the distance of a score from the largest one, so nothing is sorted.

    The distance is a fixed-point integer. Its histogram is refined around the threshold until one value is left;
    counts and masses are integers, so that the order of additions does not matter. The record's counter is the step of
    its random numbers: the same seed gives the same tokens in any row of any batch.

    `counts`, `bias` and `mask` have a row for each slot and are bound if the problem says so; a row of the batch uses
    those that its record's flags name. A token whose bit in the mask is 0 is never chosen, nor are the record's stop
    ids while its counter is below its min_tokens.

    The code of options with `filters` (core/generation.py) is in the shader if the problem has filters = True.

    With advance = False (the default is True), records and counts do not change: for rows of a speculative step, see
    accept.py. A row's counter is then its record's plus the number of rows of its sequence before it.
    """

    name = "sample"
    math = (
        "tokens[b] ~ softmax(filtered((penalised(logits[b]) + bias) / temperature)), NO_TOKEN if none is above -inf; "
        "counts += 1 of the token; the slot's token = tokens[b], position += 1, counter += 1; idle rows: 0"
    )
    bindings = (
        reads("logits", vec4_if("x"), "rows vocab"),
        reads("rows", "vec2<u32>", "rows 2"),
        writes("slots", "u32"),
        writes("tokens", "u32"),
        writes("counts", _WORDS_IF_VEC4),
        reads("bias", vec4_if("x"), "slots vocab"),
        reads("mask", "u32", ""),
    )
    params = (("rows", "u32"), ("cols", "u32"), ("chunks", "u32"), ("slots", "u32"), ("words", "u32"))
    static = tuple(_ARRAYS)
    cases = (
        _case("one token", 3, 1),
        _case("every kind of setting, odd width, idle rows", 23, 1003, idle=7),
        _case("SmolLM2's vocabulary", 11, 49_152),
        _case("Qwen's vocabulary", 2, 151_936, asked="typical"),
        _case("few different logits: ties on every threshold", 22, 516, values="ties"),
        _case("nearly equal logits: thresholds to the last bits", 22, 5000, values="close"),
        _case("NaN, infinities and masked rows", 22, 517, values="special"),
        _case("stop ids that are ruled out at first", 22, 61, slots=30, stops=True),
        _case("a bias that bans and favours, in some rows", 22, 1001, arrays="bias", slots=25),
        _case("a bias, whole chunks", 11, 1000, arrays="bias"),
        _case("penalties in some rows, more slots than rows, idle rows", 23, 1001, arrays="counts", slots=37, idle=4),
        _case("penalties, rows whose slots do not exist", 11, 96, arrays="counts", slots=10, values="negative"),
        _case("a mask in some rows, ragged words", 22, 1003, arrays="mask", slots=30),
        _case("a mask that leaves few tokens or none, whole chunks", 22, 512, arrays="mask", few=True),
        _case("everything", 22, 4099, arrays="counts bias mask", slots=29, stops=True),
        _case("everything, whole chunks", 11, 2048, arrays="counts bias mask", stops=True),
        _case("everything, GPT-2's vocabulary", 4, 50_257, arrays="counts bias mask", slots=5, stops=True),
        _case("filters, odd width, idle rows", 34, 1003, "filtered", idle=7, filters=True),
        _case("filters, ties on every threshold", 30, 516, "filtered", values="ties", filters=True),
        _case("filters, NaN, infinities and masked rows", 30, 517, "filtered", values="special", filters=True),
        _case("filters, SmolLM2's vocabulary", 5, 49_152, "filtered", filters=True),
        _case("filters, everything", 27, 1027, "filtered", "counts bias mask", slots=29, stops=True, filters=True),
        _case("filters, several rows", 108, 515, "filtered", width=4, slots=27, advance=False, filters=True),
        _case("filters that are all off", 22, 1001, filters=True),
        _case("several rows of a sequence", 44, 1004, slots=12, width=4, idle=5, advance=False),
        _case("several rows, stop ids in the first", 88, 64, slots=12, width=8, stops=True, advance=False),
        _case("several rows, everything", 44, 516, "mixed", "counts bias mask", width=4, slots=12, advance=False),
    )
    bench_cases = (
        *(
            BenchCase(_case("", 1, vocab, asked=asked).problem, f"{note}, one sequence", soft)
            for vocab, note, soft in ((49_152, "SmolLM2", None), (151_936, "Qwen2.5", False))
            for asked in ("typical", "top_p", "plain")
        ),
        BenchCase(
            _case("", 64, 151_936, asked="typical", arrays="counts bias mask").problem, "Qwen2.5, 64 sequences", False
        ),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        """Seeds are drawn until rounding cannot change the token: no threshold and no draw is within 1e-5."""
        count, vocab, slots = problem["rows"], problem["vocab"], problem["slots"]
        arrays: Arrays = {"logits": _logits(rng, (count, vocab), problem.get("values", "language"))}
        if advances(problem):
            arrays |= {"rows": random_rows(rng, problem), "slots": random_slots(rng, slots)}
        else:
            arrays["slots"] = random_slots(rng, slots)
            arrays["rows"] = several_rows(rng, problem, arrays["slots"])
        if problem["bias"]:
            kinds = np.array([0.0, 0.0, 2.0, -3.0, -np.inf], np.float32)
            arrays["bias"] = rng.choice(kinds, (slots, vocab))
        if problem["counts"]:
            generated = rng.integers(1, 5, (slots, vocab)) * (rng.random((slots, vocab)) < 0.2)
            prompted = (rng.random((slots, vocab)) < 0.1) * PROMPTED
            arrays["counts"] = (generated | prompted).astype(np.uint32)
        if problem["mask"]:
            bits = rng.integers(0, 2**32, (slots, mask_words(vocab)), np.uint32)
            for _ in range(6 if problem.get("few") else 0):
                bits &= rng.integers(0, 2**32, bits.shape, np.uint32)
            bits[::5] &= np.uint32(0 if problem.get("few") else 0xFFFFFFFF)
            arrays["mask"] = bits
        choices, width = _ASKED[problem["asked"]], problem.get("width", 1)
        for group in range(count // width):
            rows = [b for b in range(group * width, (group + 1) * width) if in_use(arrays, b)]
            if rows:
                record, settings = arrays["slots"][arrays["rows"][rows[0], 0]], choices[group % len(choices)]
                if problem["counts"]:
                    settings = replace(
                        settings, repetition_penalty=1.3, presence_penalty=(group % 3 - 1) * 1.5, frequency_penalty=0.7
                    )
                record[FLAGS] = sum(flag for name, flag in _ARRAYS.items() if problem[name] and rng.random() < 0.75)
                if problem.get("stops"):
                    self._rule_out(rng, arrays, rows, group % 2 * (width + 1) // 2)
                self._steady(rng, arrays, rows, settings, advances(problem))
        return arrays

    def _rule_out(self, rng: np.random.Generator, arrays: Arrays, rows: list[int], remaining: int) -> None:
        """Stop ids among the likeliest tokens; `remaining` tokens are missing to min_tokens."""
        record = arrays["slots"][arrays["rows"][rows[0], 0]]
        record[MIN_TOKENS] = record[COUNTER] + remaining
        record[STOP_COUNT] = rng.integers(1, MOST_STOP_IDS + 1)
        likely = [np.argsort(-arrays["logits"][b])[: MOST_STOP_IDS // len(rows)] for b in rows]
        ids = rng.permutation(np.concatenate(likely))
        record[STOP_IDS : STOP_IDS + len(ids)] = ids

    def _steady(
        self, rng: np.random.Generator, arrays: Arrays, rows: list[int], settings: Settings, advance: bool
    ) -> None:
        """Find a seed for the rows of a sequence."""
        record = arrays["slots"][arrays["rows"][rows[0], 0]]
        for _ in range(200):
            words = replace(settings, seed=int(rng.integers(0, 2**63)) * 2 + 1).words()
            record[SETTINGS : SETTINGS + SETTINGS_WORDS] = words
            rounded = Settings.of_words(words)
            counters = [(b, _counter(arrays, b, advance)) for b in rows]
            if all(is_steady(_scores(arrays, b, rounded, counter), rounded, counter) for b, counter in counters):
                return
        raise ValueError(f"no seed gives rows {rows} tokens that rounding cannot change")

    def operands(self, problem: Problem) -> dict[str, Out]:
        slots, vocab = problem["slots"], problem["vocab"]
        by_slot = {"slots": Out((slots, RECORD_WORDS), "u32"), "counts": Out((slots, vocab), "u32")}
        by_slot["mask"] = Out((slots, mask_words(vocab)), "u32")
        return {name: by_slot.get(name, out) for name, out in super().operands(problem).items()}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        outputs = {"tokens": Out((problem["rows"],), "u32")}
        if not advances(problem):
            return outputs
        outputs["slots"] = Out((problem["slots"], RECORD_WORDS), "u32")
        if problem["counts"]:
            outputs["counts"] = Out((problem["slots"], problem["vocab"]), "u32")
        return outputs

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        tokens = [NO_TOKEN] * problem["rows"]
        counts = inputs["counts"].copy() if problem["counts"] else None
        for b in range(problem["rows"]):
            if not in_use(inputs, b):
                continue
            slot = inputs["rows"][b, 0]
            record = inputs["slots"][slot]
            settings = Settings.of_words(record[SETTINGS : SETTINGS + SETTINGS_WORDS])
            counter = _counter(inputs, b, advances(problem))
            tokens[b] = sample_token(_scores(inputs, b, settings, counter), settings, counter)
            if counts is not None and record[FLAGS] & PENALISED and tokens[b] != NO_TOKEN:
                counts[slot, tokens[b]] += 1
        if not advances(problem):
            return {"tokens": reported(inputs, tokens)}
        results = advanced(inputs, tokens)
        return results if counts is None else {**results, "counts": counts.astype(np.float64)}

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["rows"]) * problem["vocab"]

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        bound = (b for b in self.bindings if problem.get(b.name, True))
        return tuple(b if advances(problem) or b.name == "tokens" else reads(b.name, b.elem, "") for b in bound)

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
            "words": mask_words(vocab),
        }

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        filters = bool(problem.get("filters"))
        settings = tuple(
            (name, entry.gpu, WORDS[name])
            for name, entry in SAMPLING.items()
            if entry.gpu != "u64" and (filters or not entry.filters)
        )
        baked = {"lanes": LANES, "advance": advances(problem), "filters": filters}
        return {**constants(), **baked, "settings": settings, "seed": WORDS["seed"]}

    def tune_key(self, problem: Problem) -> str:
        return in_fours(problem["vocab"])

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(problem["rows"])


def _counter(inputs: Arrays, b: int, advance: bool) -> int:
    """Number of tokens that were drawn before a row's."""
    slot, position = inputs["rows"][b].tolist()
    record = inputs["slots"][slot]
    return int(record[COUNTER]) + (0 if advance else position - int(record[POSITION]))


def _scores(inputs: Arrays, b: int, settings: Settings, counter: int) -> Floats:
    slot, vocab = inputs["rows"][b, 0], inputs["logits"].shape[1]
    record = inputs["slots"][slot]
    used = {name: inputs[name][slot] for name, flag in _ARRAYS.items() if name in inputs and record[FLAGS] & flag}
    ruled_out = np.zeros(vocab, bool)
    if "mask" in used:
        ruled_out = np.unpackbits(used["mask"].view(np.uint8), bitorder="little")[:vocab] == 0
    if counter < record[MIN_TOKENS]:
        ruled_out[record[STOP_IDS : STOP_IDS + record[STOP_COUNT]]] = True
    return scores(inputs["logits"][b], settings, used.get("counts"), used.get("bias"), ruled_out)


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
