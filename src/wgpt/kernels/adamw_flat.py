"""AdamW over all parameters at once; what changes from step to step is read from buffers, so a step is replayed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .adamw_step import AdamWStep
from .draw import draw
from .elementwise import VEC4, Each, streaming_bench
from .kernel import Arrays, Case, Out, Problem, case, reads, writes
from .rows import wide

# Elements of `hyper`. The corrections are made on the host in float64: 1 - beta^t has few digits in f32, and beta^t by
# exp2 and log2 has fewer the larger t is.
HYPER = ("lr", "beta1", "beta2", "eps", "decay", "new1", "new2", "unbias1", "unbias2", "max_norm")
_SIZE = 12


def hyper(
    lr: float, beta1: float, beta2: float, eps: float, decay: float, step: int, max_norm: float = 0.0
) -> NDArray[np.float32]:
    """The buffer for one step (counted from 1); max_norm 0: no clipping."""
    if step < 1:
        raise ValueError(f"steps count from 1, and step is {step}")
    for name, beta in (("beta1", beta1), ("beta2", beta2)):
        if not 0 <= beta < 1:
            raise ValueError(f"{name} must be at least 0 and below 1, and is {beta}")
    corrections = (1 - beta1, 1 - beta2, 1 / (1 - beta1**step), 1 / (1 - beta2**step))
    found = np.zeros(_SIZE, np.float32)
    found[: len(HYPER)] = (lr, beta1, beta2, eps, decay, *corrections, max_norm)
    return found


class AdamWFlat(Each):
    """`clip` is what the kernel clip wrote: [factor, norm, whether it is finite, 0]; if it is not, nothing changes."""

    name = "adamw_flat"
    math = (
        "g' = clip g; m = b1 m + (1-b1) g'; v = b2 v + (1-b2) g'^2; "
        "param -= lr * (m/(1-b1^t) / (sqrt(v/(1-b2^t)) + eps) + decay * param)"
    )
    bindings = (
        reads("g", VEC4),
        reads("hyper"),
        reads("clip"),
        writes("param", VEC4),
        writes("m", VEC4),
        writes("v", VEC4),
    )
    params = (("n", "u32"),)
    cases = (
        *(Case({**c.problem, "clip": 0.37, "finite": True}, c.why) for c in AdamWStep.cases),
        case(
            "gradients with NaN: nothing changes",
            **{**AdamWStep.cases[0].problem, "n": 1029, "step": 5, "fresh": False, "clip": 1.0, "finite": False},
        ),
    )
    bench_cases = streaming_bench(**{k: v for k, v in cases[2].problem.items() if k != "n"})

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        found = AdamWStep().inputs(rng, problem)
        if not problem["finite"]:
            found["g"][::3] = np.nan
        keys = ("lr", "beta1", "beta2", "eps", "decay", "step")
        norm = float(np.abs(draw(rng, (1,))[0])) if problem["finite"] else np.nan
        found["clip"] = np.array([problem["clip"], norm, problem["finite"], 0.0], np.float32)
        return {**found, "hyper": hyper(**{key: problem[key] for key in keys})}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {name: Out((problem["n"],)) for name in ("param", "m", "v")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        if not problem["finite"]:
            return wide({name: inputs[name] for name in ("param", "m", "v")})
        clipped = inputs["g"].astype(np.float64) * problem["clip"]
        return AdamWStep().reference({**inputs, "g": clipped}, problem)

    def flops(self, problem: Problem) -> int:
        return 17 * int(problem["n"])

    def bytes(self, problem: Problem) -> int:
        return 28 * int(problem["n"])


KERNEL = AdamWFlat()
