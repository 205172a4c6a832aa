"""The tokens of a prompt become seen: the repetition penalty of `sample` reads their bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..gpu import Traits
from .grid import Grid, ceil_div, linear
from .kernel import Arrays, BenchCase, Kernel, Out, Problem, Variant, case, reads, writes
from .next_token import IDLE


def seen_words(vocab: int) -> int:
    """Words of a slot's bitmap."""
    return ceil_div(vocab, 32)


class MarkSeen(Kernel):
    """The bitmap is a slot's, so that a packed prefill of several sequences is one dispatch."""

    name = "mark_seen"
    math = "seen[slot, token / 32] |= 1 << token % 32 for each (token, slot, position) with position != 0xffffffff"
    bindings = (reads("tokens", "u32"), reads("rows", "vec2<u32>"), writes("seen", "atomic<u32>"))
    params = (("m", "u32"), ("slots", "u32"), ("vocab", "u32"), ("words", "u32"))
    cases = (
        case("one token, one slot", m=1, slots=1, vocab=1),
        case("many tokens in few words: one word, many writers", m=300, slots=2, vocab=70),
        case("SmolLM2's vocabulary, several sequences, padding rows", m=515, slots=3, vocab=49_152, idle=4),
        case("ids and slots out of range are left out", m=100, slots=3, vocab=999, stray=5),
    )
    bench_cases = (BenchCase({"m": 512, "slots": 4, "vocab": 151_936}, "Qwen2.5, 512 tokens"),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        m, slots, vocab = problem["m"], problem["slots"], problem["vocab"]
        tokens = rng.integers(0, vocab, m, np.uint32)
        tokens[-1] = vocab - 1
        rows = np.stack([rng.integers(0, slots, m, np.uint32), np.arange(m, dtype=np.uint32)], axis=1)
        if "idle" in problem:
            rows[:: problem["idle"], 1] = IDLE
        if "stray" in problem:
            tokens[:: problem["stray"]] = vocab + rng.integers(0, 32, tokens[:: problem["stray"]].shape, np.uint32)
            rows[1 :: problem["stray"], 0] = slots
        seen = rng.integers(0, 2**32, (slots, seen_words(vocab)), np.uint32)
        seen &= rng.integers(0, 2**32, seen.shape, np.uint32)
        return {"tokens": tokens, "rows": rows, "seen": seen}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"seen": Out((problem["slots"], seen_words(problem["vocab"])), "u32")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        seen, tokens, rows = inputs["seen"].copy(), inputs["tokens"], inputs["rows"]
        used = (rows[:, 1] != IDLE) & (rows[:, 0] < problem["slots"]) & (tokens < problem["vocab"])
        token = tokens[used]
        np.bitwise_or.at(seen, (rows[used, 0], token // 32), np.uint32(1) << token % np.uint32(32))
        return {"seen": seen.astype(np.float64)}

    def bytes(self, problem: Problem) -> int:
        return 20 * int(problem["m"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        return ({"threads": 64},)

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        known = {**problem, "words": seen_words(problem["vocab"])}
        return {name: known[name] for name, _ in self.params}

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(ceil_div(problem["m"], variant["threads"]))


KERNEL = MarkSeen()
