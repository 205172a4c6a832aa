"""What a layer does with its own input: a gate, and a factor of its result."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..draw import draw
from ..kernel import Arrays, BenchCase, Binding, Out, Problem, Variant, case, reads, vec4_if, writes
from ..pieces.each import VEC4, Each, EachInColumns, ragged
from .activations import gelu

_ELEM = vec4_if("x")


class AddTimes(Each):
    """The factor is in GPU memory, as it is one of the model's weights."""

    name = "add_times"
    math = "y = (a + b) * s[0]"
    bindings: tuple[Binding, ...] = (
        *(reads(name, VEC4, "n") for name in "ab"),
        reads("s", sizes="1"),
        writes("y", VEC4),
    )
    params = (("n", "u32"),)
    cases = tuple(ragged())
    bench_cases = (BenchCase({"n": 512 * 2560}, "Gemma 4 E4B, 512 tokens"),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        return {name: draw(rng, (n,)) for name, n in (("a", problem["n"]), ("b", problem["n"]), ("s", 1))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["n"],))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        a, b, s = (inputs[name].astype(np.float64) for name in ("a", "b", "s"))
        return {"y": (a + b) * s}

    def flops(self, problem: Problem) -> int:
        return 2 * int(problem["n"])

    def bytes(self, problem: Problem) -> int:
        return 12 * int(problem["n"])


class GateSlice(EachInColumns):
    """A layer's gates, and its columns of the inputs of all layers."""

    name = "gate_slice"
    math = "y[m,i] = gelu(x[m,i]) * z[m,at+i], GELU in its tanh form"
    bindings: tuple[Binding, ...] = (
        reads("x", _ELEM, "rows n"),
        reads("z", _ELEM, "rows width"),
        writes("y", _ELEM),
    )
    cases = (
        case("the second of three layers, whole loads", rows=5, n=64, width=192, at=64),
        case("the last of two, rows that end inside a load", rows=7, n=13, width=26, at=13),
        case("columns that begin inside a load", rows=3, n=8, width=24, at=3),
        case(
            "one layer, |x| up to 1e4: exp must not overflow into NaN", rows=3, n=52, width=52, at=0, values="extreme"
        ),
    )
    bench_cases = (BenchCase({"rows": 512, "n": 256, "width": 42 * 256, "at": 256}, "Gemma 4 E4B, 512 tokens"),)

    def inputs(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        x = draw(rng, (problem["rows"], problem["n"]), problem.get("values", "normal"))
        return {"x": x, "z": draw(rng, (problem["rows"], problem["width"]))}

    def outputs(self, problem: Problem) -> dict[str, Out]:
        return {"y": Out((problem["rows"], problem["n"]))}

    def reference(self, inputs: Arrays, problem: Problem) -> Arrays:
        columns = slice(problem["at"], problem["at"] + problem["n"])
        return {"y": gelu(inputs["x"].astype(np.float64), "tanh") * inputs["z"].astype(np.float64)[:, columns]}

    def flops(self, problem: Problem) -> int:
        return 20 * int(problem["rows"]) * int(problem["n"])

    def bytes(self, problem: Problem) -> int:
        return 12 * int(problem["rows"]) * int(problem["n"])

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        return {"approximate": "tanh"}


KERNELS = (AddTimes(), GateSlice())
