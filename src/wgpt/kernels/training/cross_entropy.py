"""Cross entropy of rows of logits against their targets: losses, gradients, and the mean."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...gpu import Traits
from ..grid import Grid, ceil_div
from ..kernel import Arrays, BenchCase, Case, Out, Problem, Variant, case, reads, writes
from ..pieces.each import each_grid, each_variants
from ..pieces.rows import ELEM, ROW_PARAMS, RowKernel

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
    """Random targets that include the first and last token; every `ignored`-th row is ignored."""
    targets = rng.integers(0, vocab, (problem["rows"],), np.int32)
    targets[0], targets[-1] = 0, vocab - 1
    if "ignored" in problem:
        targets[:: problem["ignored"]] = problem["ignore_index"]
    return targets


def row_losses(inputs: Arrays, problem: Problem) -> Arrays:
    """loss, peak (the row's largest logit) and log_sum (logsumexp minus the peak), in float64."""
    z = inputs["logits"].astype(np.float64)
    peak = z.max(axis=1)
    log_sum = np.log(np.exp(z - peak[:, None]).sum(axis=1))
    used = inputs["targets"] != problem["ignore_index"]
    picked = z[np.arange(len(z)), np.where(used, inputs["targets"], 0)]
    return {"loss": np.where(used, log_sum + (peak - picked), 0.0), "peak": peak, "log_sum": log_sum}


class CrossEntropyForward(RowKernel):
    """Cross entropy of each row of logits against its target.

    logsumexp is stored as peak and log_sum: rounding their sum to f32 would make the gradient inaccurate.
    """

    name = "cross_entropy_forward"
    math = "loss[r] = logsumexp(z[r]) - z[r, target[r]], 0 where target[r] = ignore_index"
    bindings = (
        reads("logits", ELEM, "rows vocab"),
        reads("targets", "i32", "rows"),
        writes("loss"),
        writes("peak"),
        writes("log_sum"),
    )
    params = (*ROW_PARAMS, ("ignore_index", "i32"))
    width = "vocab"
    work = 4
    cases = tuple(cross_entropy_cases())
    bench_cases = cross_entropy_bench()

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        targets = random_targets(rng, problem, problem["vocab"])
        return {"logits": self.rows_of(rng, problem), "targets": targets}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {name: Out((problem["rows"],)) for name in ("loss", "peak", "log_sum")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        return row_losses(inputs, problem)

    def bytes(self, problem: Problem) -> int:
        return 4 * self.elements(problem) + 16 * int(problem["rows"])


class CrossEntropyBackward(RowKernel):
    """Gradient of the cross entropy with respect to the logits, from the row statistics of the forward pass."""

    name = "cross_entropy_backward"
    math = "dz[r,c] = (softmax(z[r])[c] - [c = target[r]]) * scale, 0 where target[r] = ignore_index"
    bindings = (
        reads("logits", ELEM, "rows vocab"),
        reads("targets", "i32", "rows"),
        *(reads(name, sizes="rows") for name in ("peak", "log_sum")),
        writes("dlogits", ELEM),
    )
    params = (*ROW_PARAMS, ("ignore_index", "i32"), ("scale", "f32"))
    width = "vocab"
    work = 5
    cases = tuple(cross_entropy_cases(scale=0.037))
    bench_cases = cross_entropy_bench(scale=1 / 2048)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        targets = random_targets(rng, problem, problem["vocab"])
        inputs = {"logits": self.rows_of(rng, problem), "targets": targets}
        rows = row_losses(inputs, problem)
        return {**inputs, **{name: rows[name].astype(np.float32) for name in ("peak", "log_sum")}}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"dlogits": Out((problem["rows"], problem["vocab"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        rows = row_losses(inputs, problem)
        z = inputs["logits"].astype(np.float64)
        gradient = np.exp(z - rows["peak"][:, None] - rows["log_sum"][:, None])
        used = np.flatnonzero(inputs["targets"] != problem["ignore_index"])
        gradient[used, inputs["targets"][used]] -= 1.0
        gradient[inputs["targets"] == problem["ignore_index"]] = 0.0
        return {"dlogits": gradient * problem["scale"]}

    def bytes(self, problem: Problem) -> int:
        return 8 * self.elements(problem) + 12 * int(problem["rows"])

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        return [{**style, "x": x} for style in each_variants(traits) for x in ("vec4", "scalar")]

    def grid(self, problem: Problem, variant: Variant) -> Grid:
        return each_grid(int(problem["rows"]) * ceil_div(problem["vocab"], 4), variant)


class CrossEntropyGrad(RowKernel):
    """Weighted cross entropy and its gradient, which overwrites the logits.

    In place, because a chunk of tokens x vocabulary is large. Rows of weight 0 are masked, with any target.
    """

    name = "cross_entropy_grad"
    math = "loss[r] = w[r] * (logsumexp(z[r]) - z[r, target[r]]); z[r,c] = w[r] * (softmax(z[r])[c] - [c = target[r]])"
    bindings = (
        reads("targets", "i32", "rows"),
        reads("weights", sizes="rows"),
        writes("logits", ELEM),
        writes("loss"),
    )
    params = ROW_PARAMS
    width = "vocab"
    work = 9
    cases = tuple(cross_entropy_cases())
    bench_cases = cross_entropy_bench()

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        """Ignored rows have a weight of 0 and the ignored target."""
        targets = random_targets(rng, problem, problem["vocab"])
        weights = rng.exponential(0.1, targets.shape).astype(np.float32)
        weights[targets == problem["ignore_index"]] = 0
        return {"logits": self.rows_of(rng, problem), "targets": targets, "weights": weights}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"logits": Out((problem["rows"], problem["vocab"])), "loss": Out((problem["rows"],))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        rows, w = row_losses(inputs, problem), inputs["weights"].astype(np.float64)
        z = inputs["logits"].astype(np.float64)
        gradient = np.exp(z - rows["peak"][:, None] - rows["log_sum"][:, None])
        used = np.flatnonzero(w)
        gradient[used, inputs["targets"][used]] -= 1.0
        return {"logits": gradient * w[:, None], "loss": rows["loss"] * w}

    def bytes(self, problem: Problem) -> int:
        return 8 * self.elements(problem) + 12 * int(problem["rows"])


class CrossEntropyMean(RowKernel):
    """The mean loss over the rows that are not ignored, and the number of these rows.

    The losses are one row for the kernel: a workgroup adds them in a fixed order.
    """

    name = "cross_entropy_mean"
    math = "mean = sum_r loss[r] / count, count = number of r with target[r] != ignore_index (0 rows: mean 0)"
    bindings = (
        reads("loss", ELEM, "rows"),
        reads("targets", "{{ 'vec4<i32>' if x == 'vec4' else 'i32' }}", "rows"),
        writes("mean"),
        writes("count", "u32"),
    )
    params = (*ROW_PARAMS, ("ignore_index", "i32"))
    width = "rows"
    work = 2
    cases = (
        case("one row", rows=1, ignore_index=IGNORE),
        case("a third ignored", rows=1021, ignore_index=IGNORE, ignored=3),
        case("whole chunks, every thread loops", rows=20_000, ignore_index=7, ignored=2),
        case("every row ignored: the mean is 0, not NaN", rows=6, ignore_index=IGNORE, ignored=1),
    )
    bench_cases = (BenchCase({"rows": 2048, "ignore_index": IGNORE}, "4 x 512 tokens"),)

    def rows(self, problem: Problem) -> int:
        return 1

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        targets = random_targets(rng, problem, vocab=50_257)
        losses = rng.exponential(3.0, targets.shape).astype(np.float32)
        losses[targets == problem["ignore_index"]] = 0
        return {"loss": losses, "targets": targets}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"mean": Out((1,)), "count": Out((1,), "u32")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        count = np.count_nonzero(inputs["targets"] != problem["ignore_index"])
        mean = inputs["loss"].sum(dtype=np.float64) / max(count, 1)
        return {"mean": np.array([mean]), "count": np.array([count], np.float64)}

    def bytes(self, problem: Problem) -> int:
        return 8 * int(problem["rows"]) + 8


KERNELS = (CrossEntropyForward(), CrossEntropyBackward(), CrossEntropyGrad(), CrossEntropyMean())
