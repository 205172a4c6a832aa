"""What a sequence that starts in a slot has beside its record: the counts of its tokens, and its logit bias."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu import Traits
from ..grid import Grid, ceil_div
from ..kernel import Arrays, BenchCase, Binding, Case, Kernel, Out, Problem, Variant, case, reads, writes
from .slots import PROMPTED

_SPAN = 2048  # tokens of the vocabulary per workgroup
_HEADER = 4  # words of `entries` before the lists


def entries_of(
    slot: int, prompt: Sequence[int] = (), generated: Sequence[int] = (), bias: Mapping[int, float] | None = None
) -> NDArray[np.uint32]:
    """The input `entries`: [slot, lengths of the lists, prompt tokens, generated tokens, (token, bits of its bias)].

    >>> entries_of(3, [5, 5], [7], {9: 1.0}).tolist()
    [3, 2, 1, 1, 5, 5, 7, 9, 1065353216]
    """
    items = bias or {}
    pairs = np.empty((len(items), 2), np.uint32)
    pairs[:, 0] = list(items)
    pairs[:, 1] = np.array(list(items.values()), np.float32).view(np.uint32)
    header = [slot, len(prompt), len(generated), len(items)]
    return np.concatenate([np.array([*header, *prompt, *generated], np.uint32), pairs.reshape(-1)])


def _case(why: str, vocab: int, arrays: str, prompt: int = 0, generated: int = 0, biases: int = 0, **more: Any) -> Case:
    """`arrays`: those of counts and bias that are bound."""
    lists = {"prompt": prompt, "generated": generated, "biases": biases}
    return case(
        why, vocab=vocab, slots=more.pop("slots", 3), counts="counts" in arrays, bias="bias" in arrays, **lists, **more
    )


class StartSlot(Kernel):
    """Sets a slot's row of `counts` and of `bias`; other rows do not change.

    `entries` (see `entries_of`) says which slot, and has the lists; tokens outside the vocabulary are ignored, and
    nothing changes if the slot does not exist. The lengths are in the buffer, so that a recorded Program can be
    replayed with other lists.
    """

    name = "start_slot"
    math = (
        "counts[slot,i] = (2^31 if i is in the prompt) + how often i is among the generated tokens; bias[slot,i] = the "
        "last entry of token i, or 0"
    )
    bindings = (reads("entries", "u32", ""), writes("counts", "u32"), writes("bias", "u32"))
    params = (("vocab", "u32"), ("slots", "u32"))
    static = ("counts", "bias")
    cases = (
        _case("one token", 1, "counts bias", prompt=2, generated=3, biases=1),
        _case("empty lists: both rows are cleared", 1003, "counts bias"),
        _case("many repeated tokens", 61, "counts", prompt=300, generated=3000),
        _case("several workgroups, tokens outside the vocabulary", 5001, "counts bias", 900, 700, 300, beyond=True),
        _case("GPT-2's vocabulary, a long prompt", 50_257, "counts", prompt=20_000, generated=10),
        _case("Qwen's vocabulary, a bias alone, with -inf", 151_936, "bias", prompt=5, generated=7, biases=400),
        _case("repeated biases: the last one counts", 48, "bias", biases=500),
        _case("a slot that does not exist", 517, "counts bias", 30, 30, 30, missing=True),
    )
    bench_cases = (
        BenchCase(_case("", 49_152, "counts bias", prompt=500, biases=10).problem, "SmolLM2, 500 tokens"),
        BenchCase(_case("", 151_936, "counts bias", prompt=8000, biases=10).problem, "Qwen2.5, 8,000 tokens", False),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        vocab, slots = problem["vocab"], problem["slots"]
        most = 2 * vocab if problem.get("beyond") else vocab
        words = [
            slots if problem.get("missing") else slots - 1,
            *(problem[name] for name in ("prompt", "generated", "biases")),
            *rng.integers(0, most, problem["prompt"] + problem["generated"]).tolist(),
        ]
        pairs = np.empty((problem["biases"], 2), np.uint32)
        pairs[:, 0] = rng.integers(0, most, len(pairs))
        values = np.where(rng.random(len(pairs)) < 0.1, -np.inf, rng.normal(0, 5, len(pairs)))
        pairs[:, 1] = values.astype(np.float32).view(np.uint32)
        arrays: Arrays = {"entries": np.concatenate([np.array(words, np.uint32), pairs.reshape(-1)])}
        if problem["counts"]:
            arrays["counts"] = rng.integers(0, 2**32, (slots, vocab), np.uint32)
        if problem["bias"]:
            arrays["bias"] = rng.normal(0, 1, (slots, vocab)).astype(np.float32)
        return arrays

    def outputs(self, problem: Problem) -> dict[str, Out]:
        shape = (problem["slots"], problem["vocab"])
        outputs = {"counts": Out(shape, "u32"), "bias": Out(shape)}
        return {name: out for name, out in outputs.items() if problem[name]}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        entries, vocab = inputs["entries"], problem["vocab"]
        slot, prompt, generated, biases = (int(word) for word in entries[:_HEADER])
        results = {name: inputs[name].astype(np.float64) for name in self.outputs(problem)}
        if slot >= problem["slots"]:
            return results
        tokens = entries[_HEADER : _HEADER + prompt + generated]
        in_prompt, in_generated = (list_[list_ < vocab] for list_ in (tokens[:prompt], tokens[prompt:]))
        if problem["counts"]:
            results["counts"][slot] = np.bincount(in_generated, minlength=vocab)
            results["counts"][slot, np.unique(in_prompt)] += PROMPTED
        if problem["bias"]:
            results["bias"][slot] = 0
            for token, bits in entries[_HEADER + len(tokens) :].reshape(biases, 2):
                if token < vocab:
                    results["bias"][slot, token] = bits.view(np.float32)
        return results

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["vocab"]) * (problem["counts"] + problem["bias"])

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return tuple(b for b in self.bindings if problem.get(b.name, True))

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        sizes = (16, 256) if traits.software else (256, 16)
        return [{"threads": threads} for threads in sizes]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if not (problem["counts"] or problem["bias"]):
            return "neither counts nor bias is to be set"
        return None

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"span": _SPAN, "PROMPTED": PROMPTED}

    def tune_key(self, problem: Problem) -> str:
        return "any"

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return (ceil_div(problem["vocab"], _SPAN), 1, 1)


KERNEL = StartSlot()
