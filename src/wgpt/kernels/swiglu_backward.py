"""Gradient of SwiGLU: from rows of gates and ups to rows of their gradients."""

from __future__ import annotations

import numpy as np

from .draw import draw
from .elementwise import logistic
from .kernel import Arrays, Out, Problem, reads, vec4_if, writes
from .swiglu import Swiglu

_ELEM = vec4_if("x")


class SwigluBackward(Swiglu):
    name = "swiglu_backward"
    math = "dx[m,i] = dy[m,i] * x[m,n+i] * silu'(x[m,i]); dx[m,n+i] = dy[m,i] * silu(x[m,i])"
    bindings = (reads("x", _ELEM), reads("dy", _ELEM), writes("dx", _ELEM))

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return {**super().inputs(rng, problem), "dy": draw(rng, (problem["rows"], problem["n"]))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"dx": Out((problem["rows"], 2 * problem["n"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        gate, up = np.split(inputs["x"].astype(np.float64), 2, axis=1)
        dy, share = inputs["dy"].astype(np.float64), logistic(gate)
        slope = share * (1.0 + gate * logistic(-gate))
        return {"dx": np.concatenate([dy * up * slope, dy * gate * share], axis=1)}

    def flops(self, problem: Problem) -> int:
        return 14 * int(problem["rows"]) * int(problem["n"])

    def bytes(self, problem: Problem) -> int:
        return 20 * int(problem["rows"]) * int(problem["n"])


KERNEL = SwigluBackward()
