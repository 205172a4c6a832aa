"""Backward pass of attention on matrix units (subgroup matrices): f16 products, f32 sums.

Both kernels are one template. A workgroup owns rows of queries or of keys of one sequence and query head, and goes
through the others that they form pairs with.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.errors import PreconditionError
from ...gpu import Traits
from ...gpu.webgpu.interface import Matrix
from ..kernel import Arrays, Case, Out, Problem, Variant, case, distinct
from . import attention_matrix_stats
from .attending import Float, place, shape
from .attention_backward import (
    ODD_CASE,
    QWEN2_CASE,
    QWEN2_F32,
    SMOLLM2_CASE,
    SMOLLM2_F32,
    AttentionBackward,
    AttentionBackwardKV,
    AttentionBackwardQ,
    bench_case,
)
from .attention_matrix import unit_of

MOST_HEAD_DIM = 128  # of wider heads, the sums do not fit into registers
# Subgroups down (own rows) and across (other rows, and columns of results), fragments of own rows of each, other rows
# at a time, and whether the next ones are prefetched.
_SHAPES = (
    (4, 1, 1, 32, True),
    (4, 2, 1, 32, True),
    (4, 1, 1, 32, False),
    (4, 2, 1, 32, False),
    (4, 1, 1, 64, False),
    (2, 1, 1, 32, True),
    (2, 2, 1, 32, True),
    (2, 2, 1, 64, False),
    (2, 1, 2, 32, False),
    (4, 2, 1, 64, False),
    (1, 2, 1, 32, False),
    (1, 1, 1, 16, False),
)
_WIDE_HEAD = 64  # of more dimensions, two subgroups share a row's sums
_LARGE, _TINY = 2.0**17, 2.0**-33  # beyond what f16 holds


def _cases() -> tuple[Case, ...]:
    small = shape(4, 2, 16, "f32")
    return (
        SMOLLM2_CASE,
        QWEN2_CASE,
        ODD_CASE,
        case(
            "tiles that are whole and others that are not", **small, **place(2, 150, (1, 0, 131), (0, 0, 64)), window=0
        ),
        case("a window of two", **shape(5, 1, 16, "f32"), **place(1, 70, (0, 0, 21)), window=2),
        case(
            "soft-capped scores, most of them near the cap, and a window",
            **{**small, **place(2, 70, (1, 0, 40), (0, 0, 9)), "window": 21, "scale": 0.5, "cap": 3.0},
        ),
        case(
            "scores of hundreds: exp of them overflows",
            **{**small, **place(2, 50, (1, 0, 47)), "window": 0, "values": "swings"},
        ),
        case(
            "values beyond f16",
            **{**small, **place(1, 70, (0, 0, 37)), "window": 0, "values": "large", "scale": 0.25 / _LARGE**2},
        ),
        case(
            "gradients below f16 that grow from row to row",
            **{**small, **place(2, 70, (1, 0, 40), (0, 0, 9)), "window": 0, "values": "tiny"},
        ),
    )


class AttentionMatrixBackward(AttentionBackward):
    """q, k, v and dout are scaled by powers of two, for each sequence and head, that bring the largest value near the
    largest of f16; weights and their gradients by ones that follow from those."""

    owns_keys: bool
    params = (("rows", "u32"), ("capacity", "u32"), ("window", "u32"), ("scale", "f32"))
    cases = _cases()
    bench_cases = (
        bench_case("SmolLM2", SMOLLM2_F32, 4, 512, False),
        bench_case("Qwen2.5-1.5B", QWEN2_F32, 4, 512, False),
    )

    def drawn(self, rng: np.random.Generator, problem: Problem) -> Arrays:
        values = problem.get("values")
        arrays = super().drawn(rng, {**problem, "values": "swings" if values == "swings" else "normal"})
        if values == "swings":  # scores are exact if their factors are halves
            arrays |= {name: arrays[name].astype(np.float16).astype(np.float32) for name in "qk"}
        elif values == "large":
            arrays |= {name: arrays[name] * np.float32(_LARGE) for name in ("q", "k", "v", "dout")}
        elif values == "tiny":
            rows = np.logspace(-12, 0, problem["rows"], base=2)[:, None]
            arrays["dout"] = (arrays["dout"] * _TINY * rows).astype(np.float32)
        return arrays

    def operands(self, problem: Problem) -> dict[str, Out]:
        return {**super().operands(problem), "stats": Out(attention_matrix_stats.stats_shape(problem))}

    def with_sizes(self, stats: Float, arrays: Arrays, problem: Problem) -> Float:
        return attention_matrix_stats.with_sizes(stats, arrays, problem)

    def variants(self, traits: Traits, problem: Problem) -> Sequence[Variant]:
        unit, d = unit_of(traits, problem["head_dim"]), problem["head_dim"]
        shapes = sorted(_SHAPES, key=lambda sizes: (sizes[1] > 1) != (d > _WIDE_HEAD))
        offered = [_variant(unit, sizes, d, traits.subgroup_size) for sizes in shapes]
        fitting = [v for v in offered if v and _bytes(d, v) <= traits.workgroup_bytes]
        if not fitting:
            raise PreconditionError(f"tiles of matrix units do not fit into {traits.workgroup_bytes} bytes")
        return distinct(fitting)

    def refuses(self, problem: Problem, variant: Variant) -> str | None:
        if problem["head_dim"] > MOST_HEAD_DIM:
            return f"head_dim must be up to {MOST_HEAD_DIM} on matrix units, and is {problem['head_dim']}"
        if problem.get("sinks"):
            return "the backward of attention takes no sinks"
        return super().refuses(problem, variant)

    def baked(self, problem: Problem, variant: Variant) -> dict[str, Any]:
        down = 2.0 ** -(16 + (problem["head_dim"] - 1).bit_length())
        more = {"owns_keys": self.owns_keys, "BLOCK": attention_matrix_stats.BLOCK, "DOWN": down}
        return {**super().baked(problem, variant), **more}

    def template(self, variant: Variant) -> str:
        return "attention_matrix_backward.wgsl"


def _variant(unit: Matrix, sizes: tuple[int, int, int, int, bool], head_dim: int, lanes: int) -> dict[str, Any]:
    """Empty if fragments or threads do not divide a tile."""
    sm, sn, wm, bn, ahead = sizes
    own, threads = sm * wm * unit.m, sm * sn * lanes
    if bn % unit.k or bn % (unit.n * sn) or head_dim % (unit.n * sn) or threads % own:
        return {}
    return {
        **{"mm": unit.m, "mn": unit.n, "mk": unit.k, "sm": sm, "sn": sn, "wm": wm, "bn": bn, "ahead": ahead},
        **{"own": own, "lanes": lanes, "threads": threads},
    }


def _bytes(head_dim: int, v: Variant) -> int:
    """Workgroup memory: tiles of the others, the scores and their gradients; or both own tiles; and the statistics."""
    row = head_dim // 8 + 1
    pairs = 2 * v["bn"] * row + 2 * v["own"] * (v["bn"] // 4 + 1)
    return int(16 * max(pairs, 2 * v["own"] * row) + 8 * v["bn"])


class AttentionMatrixBackwardQ(AttentionMatrixBackward, AttentionBackwardQ):
    """As attention_backward_q, with all factors of products rounded to f16."""

    name = "attention_matrix_backward_q"
    owns_keys = False


class AttentionMatrixBackwardKV(AttentionMatrixBackward, AttentionBackwardKV):
    """As attention_backward_kv, with all factors of products rounded to f16."""

    name = "attention_matrix_backward_kv"
    owns_keys = True


KERNELS = (AttentionMatrixBackwardQ(), AttentionMatrixBackwardKV())


def takes(traits: Traits, problem: Problem) -> bool:
    """Whether this GPU's matrix units can compute the problem."""
    try:
        return all(kernel.usable(traits, problem) for kernel in KERNELS)
    except PreconditionError:
        return False
