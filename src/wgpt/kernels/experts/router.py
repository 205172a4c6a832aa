"""The router of a mixture of experts: which experts a row goes to, and with which weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...gpu import Traits
from ..draw import draw
from ..elementwise.activations import logistic
from ..grid import Grid, linear
from ..kernel import Arrays, BenchCase, Binding, Case, Kernel, Out, Problem, Variant, case, reads, writes
from ..sampling.reference import order_key

MOST_EXPERTS = 1024
SCORES = ("softmax", "sigmoid")
# `width`: columns of a row of logits, the first of which are the experts'. `score`: of the logits of all experts.
# `norm`: the weights of a row add up to `scale`; otherwise they are its scores times `scale`. `bias`: experts are
# chosen by score + bias, but weighted by the score. `factors`: each expert's weight has a factor. `groups`: the
# number of groups of experts, of which only the best `best_groups` count, by the sum of their `group_sum` best experts.
_PLAIN: dict[str, Any] = {"score": "softmax", "norm": True, "scale": 1.0, "bias": False}
_PLAIN |= {"factors": False, "groups": 1, "best_groups": 1, "group_sum": 1}


def problem_of(rows: int, experts: int, top: int, **more: Any) -> dict[str, Any]:
    """A complete problem."""
    return {"rows": rows, "experts": experts, "top": top, "width": experts, **_PLAIN, **more}


def _case(why: str, rows: int, experts: int, top: int, **more: Any) -> Case:
    return case(why, **problem_of(rows, experts, top, **more))


_DEEPSEEK = {"score": "sigmoid", "bias": True, "groups": 8, "best_groups": 4, "group_sum": 2, "scale": 2.5}


class Router(Kernel):
    """A workgroup chooses for one row. Every expert counts the experts before it, so that nothing is sorted; those of
    equal scores go by their number, and NaN has a place, too, so that all `top` are always chosen.

    Softmax is monotonic, so that without a bias experts are chosen by their logits, without rounding.
    """

    name = "router"
    math = "ids[m] = the `top` largest of score(logits[m]) + bias, in order; gates[m] = scale * scores / sum * factors"
    bindings: tuple[Binding, ...] = (
        reads("logits", sizes="rows width"),
        reads("bias", sizes="experts"),
        reads("factors", sizes="experts"),
        writes("ids", "u32"),
        writes("gates"),
    )
    params = (("rows", "u32"), ("width", "u32"), ("scale", "f32"))
    static = ("experts", "top", "score", "norm", "groups", "best_groups", "group_sum")
    cases = (
        _case("Qwen3-MoE: 8 of 128", 7, 128, 8),
        _case("one row, whose sizes are constants", 1, 128, 8),
        _case("one row: scale, a column more, factors", 1, 90, 7, scale=0.3, width=93, factors=True),
        _case("one row: sigmoid, a bias, groups", 1, 64, 6, **_DEEPSEEK),
        _case("Mixtral: 2 of 8", 33, 8, 2),
        _case("probabilities that do not add up to 1, a column more", 9, 60, 4, norm=False, width=61),
        _case("more experts than threads, none a multiple", 5, 333, 10, scale=0.4),
        _case("one expert", 3, 1, 1),
        _case("all of them", 4, 6, 6, norm=False),
        _case("sigmoid, a bias that decides, groups", 11, 256, 8, **_DEEPSEEK),
        _case("groups by their best expert", 6, 64, 6, groups=8, best_groups=3, norm=False, scale=16.0),
        _case("sigmoid without a bias", 5, 32, 4, score="sigmoid", norm=False),
        _case("Gemma 4: factors of experts", 7, 128, 8, factors=True),
        _case("ties: the lowest number first", 13, 40, 5, values="ties"),
        _case("logits whose exp overflows", 5, 64, 8, values="extreme"),
        _case("more than 65,535 rows: a second grid dimension", 65_539, 4, 2),
    )
    bench_cases = (
        BenchCase(problem_of(1, 128, 8), "Qwen3-30B-A3B, one sequence"),
        BenchCase(problem_of(2048, 128, 8), "Qwen3-30B-A3B, 2,048 tokens", software=False),
        BenchCase(problem_of(1, 256, 8, **_DEEPSEEK), "DeepSeek V3, one sequence", software=False),
    )

    def bound(self, problem: Problem) -> tuple[Binding, ...]:
        return tuple(b for b in self.bindings if b.name not in ("bias", "factors") or problem[b.name])

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        values = problem.get("values", "normal")
        logits = draw(rng, (problem["rows"], problem["width"]), "normal" if values == "ties" else values)
        if values == "ties":
            logits = np.round(2 * logits)
        return {"logits": logits} | {
            name: draw(rng, (problem["experts"],)) for name in ("bias", "factors") if problem[name]
        }

    def outputs(self, problem: Problem) -> dict[str, Out]:
        shape = (problem["rows"], problem["top"])
        return {"ids": Out(shape, "u32"), "gates": Out(shape)}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        logits = inputs["logits"][:, : problem["experts"]].astype(np.float64)
        scores = logistic(logits) if problem["score"] == "sigmoid" else _softmax(logits)
        if problem["score"] == "sigmoid" or problem["bias"]:
            choice = scores + inputs["bias"] if problem["bias"] else scores
            order = np.argsort(-_in_best_groups(choice, problem), axis=1, kind="stable")
        else:
            keys = order_key(inputs["logits"][:, : problem["experts"]]).astype(np.float64)
            order = np.argsort(-_in_best_groups(keys, problem), axis=1, kind="stable")
        ids = order[:, : problem["top"]]
        gates = np.take_along_axis(scores, ids, axis=1)
        if problem["norm"]:
            gates = gates / gates.sum(axis=1, keepdims=True)
        if problem["factors"]:
            gates = gates * inputs["factors"].astype(np.float64)[ids]
        return {"ids": ids.astype(np.float64), "gates": problem["scale"] * gates}

    def flops(self, problem: Problem) -> int:
        return int(problem["rows"]) * int(problem["experts"]) ** 2

    def bytes(self, problem: Problem) -> int:
        return 4 * int(problem["rows"]) * (problem["experts"] + 2 * problem["top"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        """`together`: quads of experts that are compared at once; many take a software driver seconds to compile."""
        sizes, together = ((16, 128), 1) if traits.software else ((128, 64, 256), 8)
        return [{"threads": size, "together": together, "fixed": problem["rows"] == 1} for size in sizes]

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        experts, groups = problem["experts"], problem["groups"]
        if not 1 <= experts <= MOST_EXPERTS:
            return f"experts must be from 1 to {MOST_EXPERTS}, and are {experts}"
        if experts % groups or not 1 <= problem["best_groups"] <= groups:
            return f"{experts} experts cannot be in {groups} groups of which {problem['best_groups']} count"
        share = experts // groups
        if problem["group_sum"] not in (1, 2) or problem["group_sum"] > share:
            return f"groups of {share} cannot be compared by {problem['group_sum']} experts"
        if not 1 <= problem["top"] <= share * problem["best_groups"]:
            return f"top must be from 1 to {share * problem['best_groups']}, and is {problem['top']}"
        if variant["fixed"] and problem["rows"] != 1:
            return f"sizes are constants for one row, not for {problem['rows']}"
        if problem["score"] not in SCORES:
            return f"score must be one of {SCORES}, and is {problem['score']!r}"
        if problem["score"] == "softmax" and (problem["bias"] or problem["group_sum"] > 1):
            return "a bias, or groups by two experts, need sigmoid scores"
        return None

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        constants = {"biased": problem["bias"], "with_factors": problem["factors"]}
        return {**constants, "width": problem["width"], "scale": problem["scale"]} if variant["fixed"] else constants

    def parameters(self, variant: Variant) -> tuple[tuple[str, str], ...]:
        return () if variant["fixed"] else self.params

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return linear(problem["rows"])


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    exps = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(exps / exps.sum(axis=1, keepdims=True))


def _in_best_groups(choice: NDArray[np.float64], problem: Problem) -> NDArray[np.float64]:
    """The choice, with experts of other groups last."""
    groups = choice.reshape(len(choice), problem["groups"], -1)
    best = np.sort(groups, axis=2)[:, :, -problem["group_sum"] :].sum(axis=2)
    rank = np.argsort(np.argsort(-best, axis=1, kind="stable"), axis=1)
    counts = (rank < problem["best_groups"])[:, :, None]
    return np.where(counts, groups, -np.inf).reshape(choice.shape)


KERNEL = Router()
