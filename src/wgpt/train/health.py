"""Detects failed runs: a loss that is not finite, or diverges, stops the run and names the likely cause."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..core.errors import WgptError

_WINDOW = 10  # steps to average losses over
_WORSE = 2.0  # the loss diverges if it is this multiple of the best so far, and
_MORE = 1.0  # at least this much above it
_SAFE = 1e-3  # a learning rate that most runs survive


class TrainingError(WgptError, ArithmeticError):
    """A failed run: names the step and the cause."""


class Health:
    """Checks every step's loss and gradient."""

    def __init__(self, losses: Sequence[float] = ()) -> None:
        self._losses: list[float] = []
        self._best = math.inf  # mean of _WINDOW losses
        for loss in losses:
            self._add(loss)

    def check(self, loss: float, norm: float, finite: bool, lr: float) -> None:
        """Raise TrainingError if the run has failed."""
        self._add(loss)
        losses, step = self._losses, len(self._losses)
        if not (math.isfinite(loss) and finite):
            fault = f"the loss is {loss:g}" if not math.isfinite(loss) else f"the gradient's norm is {norm:g}"
            raise TrainingError(f"step {step}: {fault}: {_cause(losses[:-1], lr)}")
        if norm == 0.0:  # overflowing activations can lead to this instead of NaN
            raise TrainingError(f"step {step}: the gradient is 0, so nothing is learnt: {_cause(losses[:-1], lr)}")
        if step >= 3 * _WINDOW:
            first, now = _mean(losses[:_WINDOW]), _mean(losses[-_WINDOW:])
            if now > first and now > _WORSE * self._best + _MORE:
                raise TrainingError(
                    f"step {step}: the loss diverges: it was {self._best:.3g} and is {now:.3g} over the last {_WINDOW} "
                    f"steps: {_cause(losses[:-1], lr)}"
                )

    def check_update(self, quantity: str, value: float, lr: float, below: float = math.inf) -> None:
        """Raise TrainingError if the last update ruined the parameters: a loss or a parameter is too large."""
        if not abs(value) < below:
            raise TrainingError(f"step {len(self._losses)}: {quantity} is {value:g}: {_cause(self._losses, lr)}")

    def _add(self, loss: float) -> None:
        self._losses.append(loss)
        if len(self._losses) >= _WINDOW:
            self._best = min(self._best, _mean(self._losses[-_WINDOW:]))


def _cause(before: Sequence[float], lr: float) -> str:
    """The likely cause of a failure after these losses."""
    earlier = [x for x in before if math.isfinite(x)]
    if not earlier:
        return (
            "it failed in the first step, before any update: the weights or the driver are the cause; "
            "run `wgpt verify` to find out which, or try another --dtype"
        )
    recent = ", ".join(f"{x:.3g}" for x in earlier[-3:])
    if lr >= 1e-3 or earlier[-1] > 1.5 * min(earlier):
        lower = min(lr / 5, _SAFE)
        return f"the learning rate is probably too high (it is {lr:.2g}; losses before: {recent}): try {lower:.1g}"
    return (
        f"the losses before were normal ({recent}): check the examples of this step, and run `wgpt verify`; "
        f"a learning rate below {lr:.2g} may also help"
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
