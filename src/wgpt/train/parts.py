"""The gradients of single micro-batches, for processes that share a step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Part:
    """The results of one micro-batch: its gradient by parameter, and its weighted loss by row."""

    number: int  # number of the micro-batch within its step
    gradient: list[F32]
    loss: F32

    def result(self) -> Mapping[str, F32]:
        """In the form of TrainStep's Pending results."""
        return {"loss": self.loss}


def summed(parts: Sequence[Part]) -> list[F32]:
    """The gradients added up in the order of the micro-batches, as one process adds them."""
    total = [array.copy() for array in parts[0].gradient]
    for part in parts[1:]:
        for values, more in zip(total, part.gradient, strict=True):
            values += more
    return total
