"""What the cross-entropy kernels share: random targets, and the float64 loss of each row."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .kernel import Arrays, BenchCase, Case, Problem, case

IGNORE = -100


def cross_entropy_cases(**problem: object) -> list[Case]:
    problem = {"ignore_index": IGNORE, **problem}
    return [
        case("one token: the loss is 0", rows=3, vocab=1, **problem),
        case("more than 65,535 rows: a second grid dimension", rows=65_541, vocab=7, **problem),
        case("targets at both ends, a third of the rows ignored", rows=9, vocab=1000, ignored=3, **problem),
        case("SmolLM2's vocabulary", rows=3, vocab=49_152, **problem),
        case("GPT-2's vocabulary, odd", rows=3, vocab=50_257, ignored=2, **problem),
        case("logits up to +-1e4: exp overflows", rows=7, vocab=1000, values="extreme", **problem),
        case("+-80 mixed: the maximum is found late", rows=7, vocab=1001, values="swings", **problem),
        case("every row ignored", rows=4, vocab=20, ignored=1, **problem),
        case("ignore_index is a real token, 0", rows=9, vocab=5, **{**problem, "ignore_index": 0}),
    ]


def cross_entropy_bench(**problem: object) -> tuple[BenchCase, ...]:
    problem = {"ignore_index": IGNORE, **problem}
    return (
        BenchCase({"rows": 2048, "vocab": 49_152, **problem}, "SmolLM2, 4 x 512 tokens", software=False),
        BenchCase({"rows": 16, "vocab": 49_152, **problem}, "SmolLM2, 16 tokens", software=True),
    )


def random_targets(rng: np.random.Generator, problem: Problem, vocab: int) -> NDArray[np.int32]:
    """First and last token included; every `ignored`-th row ignored."""
    targets = rng.integers(0, vocab, (problem["rows"],), np.int32)
    targets[0], targets[-1] = 0, vocab - 1
    if "ignored" in problem:
        targets[:: problem["ignored"]] = problem["ignore_index"]
    return targets


def row_losses(inputs: Arrays, problem: Problem) -> Arrays:
    """loss, peak (the row's largest logit) and log_sum (logsumexp less the peak), in float64."""
    z = inputs["logits"].astype(np.float64)
    peak = z.max(axis=1)
    log_sum = np.log(np.exp(z - peak[:, None]).sum(axis=1))
    used = inputs["targets"] != problem["ignore_index"]
    picked = z[np.arange(len(z)), np.where(used, inputs["targets"], 0)]
    return {"loss": np.where(used, log_sum + (peak - picked), 0.0), "peak": peak, "log_sum": log_sum}
