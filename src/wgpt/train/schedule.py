"""Learning rates by step: warm-up, then cosine, linear or constant, as in transformers."""

from __future__ import annotations

import math
from typing import Literal, get_args

from ..core.arguments import brief
from ..core.errors import PreconditionError

Kind = Literal["cosine", "linear", "constant"]
KINDS: tuple[str, ...] = get_args(Kind)


def factor(kind: str, step: int, total: int, warmup: int = 0) -> float:
    """The factor of the peak rate in step `step` (from 0) of `total`.

    The same as get_cosine_schedule_with_warmup, get_linear_schedule_with_warmup and
    get_constant_schedule_with_warmup: with warm-up, the first step has a rate of 0.
    """
    if kind not in KINDS:
        raise PreconditionError(f"unknown schedule {brief(kind)}; supported: {', '.join(KINDS)}")
    if step < 0 or warmup < 0 or total < 1:
        raise PreconditionError(f"invalid step {step} of {total} with {warmup} warm-up steps: negative, or no steps")
    if step < warmup:
        return step / warmup
    if kind == "constant":
        return 1.0
    length = max(1, total - warmup)
    if kind == "linear":
        return max(0.0, (total - step) / length)
    return max(0.0, 0.5 * (1 + math.cos(math.pi * (step - warmup) / length)))


def rate(kind: str, step: int, total: int, peak: float, warmup: int = 0) -> float:
    """The learning rate of a step; `peak` is the highest rate."""
    return peak * factor(kind, step, total, warmup)
