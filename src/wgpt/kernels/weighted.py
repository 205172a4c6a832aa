"""What GEMV and GEMM share: weights of any type on the right, in their own bits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..quant.weights import TYPES, Packed, pack, unpack, weight_type
from .kernel import Arrays, Binding, Problem

WEIGHTS = tuple(TYPES)
ALIKE = ("q5_0", "q5_1", "q4_k", "q5_k", "q6_k", "nf4_dq")  # more or less q4_0, q4_1, nf4: a few cases will do
# The element of `w` where weights are read four at a time (w4 in _weights.wgsl).
QUAD_ELEM = (
    "{{ {'f32': 'vec4<u32>', 'bf16': 'vec2<u32>', 'f16': 'vec4<f16>' if half == 'native' else 'vec2<u32>'}"
    ".get(weight, 'u32') }}"
)
SCALE_ELEM = "{{ 'vec4<u32>' if weight == 'q4_k' else 'u32' }}"  # q4_k's groups are a load each
QUANTISED = tuple(name for name, kind in TYPES.items() if kind.scale_bits)


def with_gates(problem: Problem) -> dict[str, Any]:
    """The problem of the matrix itself: SwiGLU has two rows to an output."""
    return {**problem, "n": problem["n"] * (2 if problem["act"] == "swiglu" else 1)}


def half_modes(f16: bool, weight: str) -> tuple[str, ...]:
    """Native halves where the adapter has them, packed ones everywhere; other types have one way."""
    return ("packed", "native") if weight == "f16" and f16 else ("packed",)


def planes(packed: Packed) -> Arrays:
    """The two planes, or one where the type has no scales."""
    return {"w": packed.w, "s": packed.s} if packed.s.size else {"w": packed.w}


def bound(bindings: tuple[Binding, ...], problem: Problem) -> tuple[Binding, ...]:
    """Without the scales' binding where there are none."""
    return bindings if problem["weight"] in QUANTISED else tuple(b for b in bindings if b.name != "s")


def random_weights(rng: np.random.Generator, problem: Problem) -> Arrays:
    matrix = rng.standard_normal((problem["n"], problem["k"]))
    return planes(pack(matrix, problem["weight"]))


def dequantised(inputs: Arrays, problem: Problem) -> NDArray[np.float64]:
    """W[N, K] in float64 from the planes in `inputs`."""
    kind = weight_type(problem["weight"])
    scales = inputs.get("s", np.zeros(0, np.uint32))
    return unpack(Packed(kind, problem["n"], problem["k"], inputs["w"], scales))


def weight_bytes(problem: Problem) -> int:
    return weight_type(problem["weight"]).nbytes(problem["n"], problem["k"])


def chunks_per_row(problem: Problem) -> int:
    kind = weight_type(problem["weight"])
    return kind.padded(problem["k"]) // kind.chunk
