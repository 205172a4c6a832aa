"""Whether a run is still learning: a loss that is no number, or only grows, stops it with the likely cause."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..gpu.errors import WgptError

_WINDOW = 10  # steps whose losses are taken together
_WORSE = 2.0  # times the best that was reached, and
_MORE = 1.0  # so much above it


class TrainingError(WgptError, ArithmeticError):
    """A run that cannot go on: at which step, and why."""


class Health:
    """Looks at every step's loss and gradient."""

    def __init__(self, losses: Sequence[float] = ()) -> None:
        self._losses: list[float] = []
        self._best = math.inf  # mean of _WINDOW losses
        for loss in losses:
            self._add(loss)

    def check(self, loss: float, norm: float, finite: bool, lr: float) -> None:
        """Refuse a step that shows that the run is lost."""
        self._add(loss)
        losses, step = self._losses, len(self._losses)
        if not (math.isfinite(loss) and finite):
            what = f"the loss is {loss:g}" if not math.isfinite(loss) else f"the gradient's norm is {norm:g}"
            raise TrainingError(f"step {step}: {what}: {_cause(losses, lr)}")
        if norm == 0.0:  # activations beyond all bounds can end so, instead of as NaN
            raise TrainingError(f"step {step}: the gradient is 0, so nothing is learnt: {_cause(losses, lr)}")
        if step >= 3 * _WINDOW:
            first, now = _mean(losses[:_WINDOW]), _mean(losses[-_WINDOW:])
            if now > first and now > _WORSE * self._best + _MORE:
                raise TrainingError(
                    f"step {step}: the loss diverges: it was {self._best:.3g} and is {now:.3g} over the last {_WINDOW} "
                    f"steps: {_cause(losses, lr)}"
                )

    def _add(self, loss: float) -> None:
        self._losses.append(loss)
        if len(self._losses) >= _WINDOW:
            self._best = min(self._best, _mean(self._losses[-_WINDOW:]))


def _cause(losses: Sequence[float], lr: float) -> str:
    earlier = [x for x in losses[:-1] if math.isfinite(x)]
    if not earlier:
        return (
            "it is so from the first step, before anything was learnt: the weights or the driver are at fault; "
            "`wgpt verify` tells them apart, and another --dtype may help"
        )
    told = ", ".join(f"{x:.3g}" for x in earlier[-3:])
    if lr >= 1e-3 or earlier[-1] > 1.5 * min(earlier):
        return f"the learning rate is probably too high (it is {lr:.2g}; losses before: {told}): try {lr / 5:.1g}"
    return (
        f"the losses before were sound ({told}): look at the examples of this step, and whether `wgpt verify` holds; "
        f"a learning rate below {lr:.2g} may help, too"
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
