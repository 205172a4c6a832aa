"""Shared by GEMV and GEMM: weights of any type, decoded on the fly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ..quant.registry import example
from ..quant.weights import TYPES, Packed, pack, unpack, weight_type
from .kernel import Arrays, Binding, Case, Out, Problem, reads

WEIGHTS = TYPES.keys()  # all types, including those that are registered later
# Types that represent their kind where testing every type would take too long.
NIBBLES, BYTES, TABLE, GROUPS = map(example, ("nibbles", "bytes", "table", "groups of scales"))
TWO_SCALES, FIFTH_BITS, AROUND_ZERO = map(example, ("two scales", "fifth bits", "nibbles around zero"))
SMALL_FLOATS, PAIRS, THIRD_BITS = map(example, ("small floats", "pairs of bits", "third bits"))
# The element type of `w` if weights are read four at a time (w4 in _weights.wgsl).
QUAD_ELEM = (
    "{{ 'u32' if weight in SCALED else 'vec4<f16>' if half == 'native' else"
    " {4: 'vec4<u32>', 8: 'vec2<u32>'}[CHUNK[weight]] }}"
)
SCALE_ELEM = "{{ 'vec4<u32>' if weight_type(weight).scale_vec4 else 'u32' }}"

# Of weights that are read so; `plane_shapes` has their sizes.
PLANES = (reads("w", QUAD_ELEM, ""), reads("s", SCALE_ELEM, ""))

_MOST_RANDOM = 1 << 21  # weights that are drawn for a problem; further ones repeat them


class CasesOfTypes(Sequence[Case]):
    """The cases of a kernel, some of them per weight type; generated again when a type is registered."""

    def __init__(self, make: Callable[[], list[Case]]) -> None:
        self._make, self._types = make, tuple[str, ...]()
        self._cases: tuple[Case, ...] = ()

    def _all(self) -> tuple[Case, ...]:
        if self._types != (types := tuple(TYPES)):
            self._types, self._cases = types, tuple(self._make())
        return self._cases

    @overload
    def __getitem__(self, at: int) -> Case: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Case, ...]: ...
    def __getitem__(self, at: int | slice) -> Case | tuple[Case, ...]:
        return self._all()[at]

    def __len__(self) -> int:
        return len(self._all())


def few_cases(weight: str) -> bool:
    """Whether a type is so similar to another that a few cases are enough."""
    return weight_type(weight).few_cases


def quantised(weight: str) -> bool:
    return weight_type(weight).scale_bits > 0


def with_gates(problem: Problem) -> dict[str, Any]:
    """The problem with n as the rows of the matrix: SwiGLU has two per output."""
    return {**problem, "n": problem["n"] * (2 if problem["act"] == "swiglu" else 1)}


def half_modes(f16: bool, weight: str) -> tuple[str, ...]:
    """How f16 weights are read: packed, or natively if the GPU supports it. Other types have one mode."""
    return ("packed", "native") if f16 and weight_type(weight).native_halves else ("packed",)


def planes(packed: Packed) -> Arrays:
    """The two planes as they are in GPU memory, or one if the type has no scales."""
    if not packed.s.size:
        return {"w": packed.w}
    return {"w": packed.w, "s": np.concatenate([packed.type.head, packed.s]) if packed.type.head.size else packed.s}


def plane_shapes(problem: Problem) -> dict[str, Out]:
    """The planes of the problem's weights in GPU memory."""
    kind, n, k = weight_type(problem["weight"]), problem["n"], problem["k"]
    w = {"w": Out((kind.words(n, k),), "u32")}
    return {**w, "s": Out((kind.resident_scale_words(n, k),), "u32")} if quantised(problem["weight"]) else w


def bound(bindings: tuple[Binding, ...], problem: Problem) -> tuple[Binding, ...]:
    """The bindings, without that of the scales if the type has none."""
    return bindings if quantised(problem["weight"]) else tuple(b for b in bindings if b.name != "s")


def random_weights(rng: np.random.Generator, problem: Problem) -> Arrays:
    """Those of large matrices repeat, after an odd number of whole rows: quantising every row takes up to a minute."""
    n, k, kind = problem["n"], problem["k"], weight_type(problem["weight"])
    few = n if kind.group > 1 else kind.whole_rows * (_MOST_RANDOM // k // kind.whole_rows | 1)
    packed = pack(rng.standard_normal((min(n, few), k)), problem["weight"])
    if n > few:
        packed = Packed.concat([packed] * (n // few) + ([packed.rows(0, n % few)] if n % few else []))
    return planes(packed)


def dequantised(inputs: Arrays, problem: Problem) -> NDArray[np.float64]:
    """W[N, K] in float64, decoded from the planes in `inputs`."""
    kind = weight_type(problem["weight"])
    scales = inputs.get("s", np.zeros(0, np.uint32))[kind.head.size :]
    return unpack(Packed(kind, problem["n"], problem["k"], inputs["w"], scales))


def weight_bytes(problem: Problem) -> int:
    return weight_type(problem["weight"]).nbytes(problem["n"], problem["k"])


def chunks_per_row(problem: Problem) -> int:
    kind = weight_type(problem["weight"])
    return kind.padded(problem["k"]) // kind.chunk
