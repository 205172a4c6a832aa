"""Every backward operation is the gradient of its forward one where both are called with their defaults."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pytest

from wgpt import ops

from .harness import f64, normal

STEP = 2.0**-7  # of a central difference, relative to x
# The difference leaves out terms of the order of STEP^2 = 6e-5; f32's rounding is divided by STEP: 2^-24 / 2^-7 = 8e-6.
TOLERANCE = 1e-3
Arrays = tuple[np.ndarray, ...]


class Pair(NamedTuple):
    """A forward operation as a function of some arrays, and the gradients of <result, dy> by the backward ones."""

    forward: str
    backward: Mapping[str, Callable[[Arrays, np.ndarray], Arrays]]  # by name: the gradients that it gives, in order
    shapes: tuple[tuple[int, ...], ...]
    apply: Callable[[Arrays], Any]
    size: float = 1.0  # of the inputs


TARGETS = np.array([3, -100, 0, 10, 6], np.int32)
# rmsnorm: values so small that eps matters. Sizes are odd where they may be.
PAIRS = [
    Pair("silu", {"silu_backward": lambda x, dy: (ops.silu_backward(*x, dy),)}, ((63,),), lambda x: ops.silu(*x)),
    Pair(
        "rmsnorm",
        {"rmsnorm_backward": lambda x, dy: ops.rmsnorm_backward(*x, dy, 5, 63)},
        ((5, 63), (63,)),
        lambda x: ops.rmsnorm(*x),
        size=1e-3,
    ),
    Pair(
        "rope",
        {"rope_backward": lambda x, dy: (ops.rope_backward(dy, 3, 14, 5),)},
        ((3, 5, 14),),
        lambda x: ops.rope(*x, 3, 14, 5),
    ),
    Pair(
        "matmul",
        {
            "gemm_backward_a": lambda x, dy: (ops.gemm_backward_a(x[1], dy, 5, 15, 7),),
            "gemm_backward_b": lambda x, dy: (ops.gemm_backward_b(x[0], dy, 5, 15, 7),),
        },
        ((5, 15), (15, 7)),
        lambda x: ops.matmul(*x),
    ),
    Pair(
        "cross_entropy_forward",
        {"cross_entropy_backward": lambda x, dy: (dy * ops.cross_entropy_backward(*x, TARGETS, 5, 11),)},
        ((5, 11),),
        lambda x: np.float64(ops.cross_entropy_forward(*x, TARGETS, 5, 11)),
    ),
]


def test_every_backward_operation_is_here() -> None:
    backward = {name for name in ops.__all__ if "backward" in name and not name.endswith("_async")}
    assert {name for pair in PAIRS for name in pair.backward} == backward


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.forward)
def test_both_have_the_same_defaults(pair: Pair) -> None:
    forward = inspect.signature(getattr(ops, pair.forward)).parameters
    for name in pair.backward:
        for shared in forward.keys() & (parameters := inspect.signature(getattr(ops, name)).parameters).keys():
            assert parameters[shared].default == forward[shared].default, (name, shared)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.forward)
def test_the_backward_is_the_gradient_with_defaults_only(pair: Pair, where: str, rng: np.random.Generator) -> None:
    arrays = tuple(normal(rng, *shape, scale=pair.size) for shape in pair.shapes)
    dy = np.asarray(rng.standard_normal(np.shape(pair.apply(arrays))), np.float32)
    gradients = [gradient for backward in pair.backward.values() for gradient in backward(arrays, dy)]
    assert len(gradients) == len(arrays)
    for i, gradient in enumerate(gradients):
        direction = normal(rng, *pair.shapes[i], scale=pair.size)
        there, back = (
            pair.apply((*arrays[:i], arrays[i] + np.float32(sign * STEP) * direction, *arrays[i + 1 :]))
            for sign in (1, -1)
        )
        slope = np.vdot(np.float64(there) - np.float64(back), f64(dy)[0]) / (2 * STEP)
        expected = np.vdot(*f64(np.asarray(gradient), direction))
        size = np.linalg.norm(gradient) * np.linalg.norm(direction)
        assert abs(slope - expected) <= TOLERANCE * size, (pair.forward, i)
