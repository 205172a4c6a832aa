"""One step of AdamW, in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from .draw import draw
from .elementwise import VEC4, Each, streaming_bench
from .kernel import Arrays, Out, Problem, Variant, case, reads, writes
from .rows import wide

# A large rate: what is wrong with the step must show beside the parameter.
_USUAL: dict[str, Any] = {"lr": 0.05, "beta1": 0.9, "beta2": 0.999, "eps": 1e-8, "decay": 0.01}


class AdamWStep(Each):
    """The corrections for the step are made on the host: in f32, 1 - beta2^t has few digits."""

    name = "adamw_step"
    math = (
        "m = b1 m + (1-b1) g; v = b2 v + (1-b2) g^2; "
        "param -= lr * (m/(1-b1^t) / (sqrt(v/(1-b2^t)) + eps) + decay * param)"
    )
    bindings = (reads("g", VEC4), writes("param", VEC4), writes("m", VEC4), writes("v", VEC4))
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
        made = {"new1": 1 - b1, "new2": 1 - b2, "unbias1": 1 / (1 - b1**step), "unbias2": 1 / (1 - b2**step)}
        return {**{name: problem[name] for name, _ in self.params if name not in made}, **made}


KERNEL = AdamWStep()
