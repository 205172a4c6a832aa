"""Log-probabilities of the chosen tokens, and of the most likely ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu import Traits
from ..grid import Grid, ceil_div, linear
from ..kernel import Arrays, BenchCase, Binding, Kernel, Out, Problem, Variant, case, in_fours, reads, vec4_if, writes
from .reference import language_logits, order_key
from .slots import NO_TOKEN

MOST_TOP = 20
LOWEST = -1e38  # logits, and the log-probability of NO_TOKEN, are from LOWEST to -LOWEST: results are finite
_CAPACITY = 1024  # pairs of (key, index) in workgroup memory
_HOARD = 10  # threads of 256 that have all large logits of a case


class TopLogprobs(Kernel):
    """Log-softmax of the raw logits at `tokens`, and the `top` largest in order, the lowest index first among equals.

    A NaN is the lowest. With top = 0, `ids` and `values` are not bound.
    """

    name = "top_logprobs"
    math = (
        "lp = logits - log(sum_i exp(logits[i])); chosen[b] = lp[b,tokens[b]]; ids[b], values[b] = the `top` largest "
        "of lp[b]"
    )
    bindings = (
        reads("logits", vec4_if("x"), "rows vocab"),
        reads("tokens", "u32", "rows"),
        writes("chosen"),
        writes("ids", "u32"),
        writes("values"),
    )
    params = (("rows", "u32"), ("cols", "u32"), ("chunks", "u32"), ("top", "u32"))
    cases = (
        case("one token", rows=3, vocab=1, top=1),
        case("fewer tokens than threads, all of them", rows=5, vocab=7, top=7),
        case("all but one, whole chunks", rows=3, vocab=20, top=19),
        case("odd width", rows=9, vocab=1003, top=20),
        case("none but the chosen one", rows=4, vocab=517, top=0),
        case("SmolLM2's vocabulary, none but the chosen one", rows=2, vocab=49_152, top=0),
        case("GPT-2's vocabulary", rows=3, vocab=50_257, top=20),
        case("Qwen's vocabulary", rows=2, vocab=151_936, top=5),
        case("many ties: the lowest index first", rows=5, vocab=3001, top=20, values="ties"),
        case("all equal", rows=2, vocab=5000, top=20, values="equal"),
        case("NaN, infinities and -0; rows without a number", rows=9, vocab=517, top=20, values="special"),
        case("most of the largest in few threads: the list overflows", rows=2, vocab=98_303, top=20, values="hoarded"),
        case("more than 65,535 rows: a second grid dimension", rows=65_539, vocab=3, top=2),
    )
    bench_cases = (
        BenchCase({"rows": 1, "vocab": 49_152, "top": 5}, "SmolLM2, one sequence"),
        BenchCase({"rows": 64, "vocab": 151_936, "top": 20}, "Qwen2.5, 64 sequences", software=False),
    )

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        shape, kind = (problem["rows"], problem["vocab"]), problem.get("values", "language")
        logits = language_logits(rng, shape)
        if kind == "ties":
            logits = np.round(logits)
        if kind == "equal":
            logits[:] = 1.5
        if kind == "special":
            odd = np.array([np.nan, -np.nan, -np.inf, -0.0, 0.0], np.float32)
            logits = np.where(rng.random(shape) < 0.3, rng.choice(odd, shape), logits).astype(np.float32)
            logits[0], logits[1], logits[2, 5::100], logits[3, 9:] = np.nan, -np.inf, np.inf, np.nan
        if kind == "hoarded":
            logits = np.where(np.arange(shape[1]) // 4 % 256 < _HOARD, logits + np.float32(30), logits)
        tokens = rng.integers(0, shape[1], shape[0], np.uint32)
        if shape[0] > 3:
            tokens[-1] = NO_TOKEN
        return {"logits": logits, "tokens": tokens}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        rows, top = problem["rows"], problem["top"]
        outputs = {"chosen": Out((rows,))}
        if top:
            outputs |= {"ids": Out((rows, top), "u32"), "values": Out((rows, top))}
        return outputs

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        logits, tokens, top = inputs["logits"], inputs["tokens"], problem["top"]
        logprobs = log_softmax(logits)
        rows = np.arange(len(logits))
        real = tokens < problem["vocab"]
        results = {"chosen": np.where(real, logprobs[rows, np.where(real, tokens, 0)], LOWEST)}
        if top:
            ids = np.argsort(-order_key(logits).astype(np.int64), axis=1, kind="stable")[:, :top]
            results |= {"ids": ids.astype(np.float64), "values": logprobs[rows[:, None], ids]}
        return results

    def flops(self, problem: Problem) -> int:
        return 4 * int(problem["rows"]) * problem["vocab"]

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["rows"]) * (problem["vocab"] + 2 + 2 * problem["top"])

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return self.bindings if problem["top"] else self.bindings[:3]

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        reduces = ("subgroup", "workgroup") if traits.subgroups else ("workgroup",)
        wide: list[Variant] = [{"reduce": r, "threads": 256} for r in reduces]
        few: Variant = {"reduce": "workgroup", "threads": 32}
        styles = [few, *wide] if traits.software else [*wide, few]
        return [{**style, "x": x} for style in styles for x in ("vec4", "scalar")]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        most = min(MOST_TOP, problem["vocab"])
        if not 0 <= problem["top"] <= most:
            return f"top must be from 0 to {most}, and is {problem['top']}"
        if variant["x"] == "vec4" and problem["vocab"] % 4:
            return f"vec4 loads need vocab to be a multiple of 4, and it is {problem['vocab']}"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        vocab = problem["vocab"]
        return {"rows": problem["rows"], "cols": vocab, "chunks": ceil_div(vocab, 4), "top": problem["top"]}

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"has_top": problem["top"] > 0, "capacity": _CAPACITY}

    def tune_key(self, problem: Problem) -> str:
        return in_fours(problem["rows"], problem["vocab"])

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(problem["rows"])


def log_softmax(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    """In float64; logits are limited to LOWEST .. -LOWEST, and NaN is LOWEST."""
    z = logits.astype(np.float64)
    z = np.clip(np.where(np.isnan(z), LOWEST, z), LOWEST, -LOWEST)
    behind = z - z.max(axis=1, keepdims=True)
    return np.asarray(behind - np.log(np.exp(behind).sum(axis=1, keepdims=True)))


KERNEL = TopLogprobs()
