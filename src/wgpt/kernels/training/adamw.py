"""AdamW, in place: one step of a tensor, or of all parameters at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..draw import draw
from ..kernel import Arrays, Case, Out, Problem, Variant, case, reads, writes
from ..pieces.each import VEC4, Each, streaming_bench
from ..pieces.rows import wide

# A large learning rate, so that errors in the step are visible next to the parameter.
_USUAL: dict[str, Any] = {"lr": 0.05, "beta1": 0.9, "beta2": 0.999, "eps": 1e-8, "decay": 0.01}


class AdamWStep(Each):
    """One step of AdamW, in place.

    The bias corrections are computed on the host: in f32, 1 - beta2^t has few digits.
    """

    name = "adamw_step"
    math = (
        "m = b1 m + (1-b1) g; v = b2 v + (1-b2) g^2; "
        "param -= lr * (m/(1-b1^t) / (sqrt(v/(1-b2^t)) + eps) + decay * param)"
    )
    bindings = (reads("g", VEC4, "n"), writes("param", VEC4), writes("m", VEC4), writes("v", VEC4))
    params = (
        ("n", "u32"),
        ("lr", "f32"),
        ("beta1", "f32"),
        ("beta2", "f32"),
        ("new1", "f32"),
        ("new2", "f32"),
        ("unbias1", "f32"),
        ("unbias2", "f32"),
        ("eps", "f32"),
        ("decay", "f32"),
    )
    cases = (
        case("the first step: moments 0, the correction largest", n=1027, step=1, fresh=True, **_USUAL),
        case("one element", n=1, step=3, **_USUAL),
        case("a late step: the correction is gone", n=4096, step=100_000, **_USUAL),
        case("tiny gradients, some 0: eps decides", n=1001, step=2, values="small", **_USUAL | {"eps": 1e-5}),
        case("no decay", n=1002, step=10, **_USUAL | {"decay": 0.0}),
        case("strong decay", n=1003, step=7, **_USUAL | {"decay": 3.0, "beta1": 0.5, "beta2": 0.7}),
    )
    bench_cases = streaming_bench(step=10, **_USUAL)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        shape, kind = (problem["n"],), problem.get("values", "normal")
        g, m = draw(rng, shape, kind), draw(rng, shape, kind)
        v = draw(rng, shape, kind) ** 2
        g[::7] = 0
        if problem.get("fresh"):
            m[:], v[:] = 0, 0
        else:
            m[::14], v[::14] = 0, 0
        return {"g": g, "param": 0.1 * draw(rng, shape), "m": m, "v": v}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {name: Out((problem["n"],)) for name in ("param", "m", "v")}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        a, step = wide(inputs), problem["step"]
        b1, b2 = problem["beta1"], problem["beta2"]
        m = b1 * a["m"] + (1 - b1) * a["g"]
        v = b2 * a["v"] + (1 - b2) * a["g"] ** 2
        direction = m / (1 - b1**step) / (np.sqrt(v / (1 - b2**step)) + problem["eps"])
        param = a["param"] - problem["lr"] * (direction + problem["decay"] * a["param"])
        return {"param": param, "m": m, "v": v}

    def flops(self, problem: Problem) -> int:
        return 16 * int(problem["n"])

    def bytes(self, problem: Problem) -> int:
        return 28 * int(problem["n"])

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["step"] < 1:
            return f"steps count from 1, and step is {problem['step']}"
        for name in ("beta1", "beta2"):
            if not 0 <= problem[name] < 1:
                return f"{name} must be at least 0 and below 1, and is {problem[name]}"
        return None

    def uniforms(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        b1, b2, step = float(problem["beta1"]), float(problem["beta2"]), problem["step"]
        corrections = {"new1": 1 - b1, "new2": 1 - b2, "unbias1": 1 / (1 - b1**step), "unbias2": 1 / (1 - b2**step)}
        return {**{name: problem[name] for name, _ in self.params if name not in corrections}, **corrections}

    def template(self, variant: Variant) -> str:
        return "adamw.wgsl"

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"hyper": ()}


# Elements of `hyper`. The bias corrections are computed on the host in float64: 1 - beta^t has few digits in f32, and
# beta^t by exp2 and log2 loses more digits the larger t is.
HYPER = ("lr", "beta1", "beta2", "eps", "decay", "new1", "new2", "unbias1", "unbias2", "max_norm")
_SIZE = 12
HYPER_BINDING = reads("hyper", sizes=f"{_SIZE}")


def hyper(
    lr: float, beta1: float, beta2: float, eps: float, decay: float, step: int, max_norm: float = 0.0
) -> NDArray[np.float32]:
    """The contents of `hyper` for one step (counted from 1); max_norm 0 means no clipping."""
    if step < 1:
        raise ValueError(f"steps count from 1, and step is {step}")
    for name, beta in (("beta1", beta1), ("beta2", beta2)):
        if not 0 <= beta < 1:
            raise ValueError(f"{name} must be at least 0 and below 1, and is {beta}")
    corrections = (1 - beta1, 1 - beta2, 1 / (1 - beta1**step), 1 / (1 - beta2**step))
    values = np.zeros(_SIZE, np.float32)
    values[: len(HYPER)] = (lr, beta1, beta2, eps, decay, *corrections, max_norm)
    return values


class AdamWFlat(Each):
    """AdamW over all parameters at once. Values that change between steps are in buffers, so a step can be replayed.

    `clip` is the output of the kernel clip: [factor, norm, whether it is finite, 0]. If it is not, nothing changes.
    """

    name = "adamw_flat"
    math = (
        "g' = clip g; m = b1 m + (1-b1) g'; v = b2 v + (1-b2) g'^2; "
        "param -= lr * (m/(1-b1^t) / (sqrt(v/(1-b2^t)) + eps) + decay * param)"
    )
    bindings = (
        reads("g", VEC4, "n"),
        HYPER_BINDING,
        reads("clip", sizes="4"),
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
        arrays = AdamWStep().inputs(rng, problem)
        if not problem["finite"]:
            arrays["g"][::3] = np.nan
        keys = ("lr", "beta1", "beta2", "eps", "decay", "step")
        norm = float(np.abs(draw(rng, (1,))[0])) if problem["finite"] else np.nan
        arrays["clip"] = np.array([problem["clip"], norm, problem["finite"], 0.0], np.float32)
        return {**arrays, "hyper": hyper(**{key: problem[key] for key in keys})}

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

    def template(self, variant: Variant) -> str:
        return "adamw.wgsl"

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"hyper": HYPER}


KERNELS = (AdamWStep(), AdamWFlat())
