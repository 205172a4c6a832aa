"""Means for types with quantised scales, if a matrix is packed in slabs or contains all experts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..formats import Stored
from ..quant.weights import WeightType

_ROWS = 1024  # rows of a matrix to read at once
Values = Callable[[NDArray[Any], Stored], NDArray[np.floating]]  # reads rows as stored in the file


class ScaleMeans:
    """Caches the means of the last matrix, whose slabs are packed one after another."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._last: tuple[tuple[str, str], NDArray[np.float32]] | None = None

    def of(self, stored: Stored, kind: WeightType, lo: int, hi: int) -> NDArray[np.float32] | None:
        """The mean of each group in rows lo .. hi: that of the whole matrix in which the group begins. None if the rows
        are a whole matrix, or the type needs no means."""
        (n, k), each = stored.shape, stored.shape[0] // stored.matrices
        if kind.block_scales is None or (stored.matrices == 1 and hi - lo == n):
            return None
        key = stored.name, kind.name
        if self._last is None or self._last[0] != key:
            means = [self._mean(stored, kind, first, first + each) for first in range(0, n, each)]
            self._last = key, np.array(means, np.float32)
        first, end = kind.blocks(lo, k), kind.blocks(hi, k)
        return self._last[1][np.arange(first, end, kind.group) // kind.blocks(each, k)]

    def _mean(self, stored: Stored, kind: WeightType, lo: int, hi: int) -> float:
        assert kind.block_scales is not None
        k, total = stored.shape[1], 0.0
        for first in range(lo, hi, _ROWS):
            end = min(hi, first + _ROWS)
            rows = np.zeros((end - first, kind.padded(k)), np.float32)
            rows[:, :k] = self._values(stored.rows(first, end), stored)
            total += float(kind.block_scales(rows).sum(dtype=np.float64))
        return total / kind.blocks(hi - lo, k)
