"""What quantised scales depend on beyond a slab of rows: the whole matrix, which may be one of many experts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..formats import Stored
from ..quant import double
from ..quant.weights import WeightType

_ROWS = 1024  # of a matrix to read at a time
F32 = NDArray[np.float32]
Values = Callable[[NDArray[Any], Stored], NDArray[np.floating]]  # of rows as they are in the file


class GroupScales:
    """Keeps what it computed for the last tensor, whose slabs are packed one after the other."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._last: tuple[tuple[str, str], F32] | None = None

    def means(self, stored: Stored, kind: WeightType, lo: int, hi: int) -> F32 | None:
        """For each group of the rows lo .. hi, the mean of the scales of its matrix. None: the rows are a whole matrix,
        or the type needs no means."""
        (n, k), each = stored.shape, stored.shape[0] // stored.matrices
        if kind.block_scales is None or (stored.matrices == 1 and hi - lo == n):
            return None
        means = self._of(stored, f"means {kind.name}", lambda first: [self._mean(stored, kind, first, first + each)])
        first, end = kind.blocks(lo, k), kind.blocks(hi, k)
        return means[np.arange(first, end, kind.group) // kind.blocks(each, k)]

    def expanded(self, stored: Stored, kind: WeightType, lo: int, hi: int) -> F32:
        """The scales of all blocks of the rows lo .. hi, quantised with those of their own matrix alone."""
        k, each = stored.shape[1], stored.shape[0] // stored.matrices

        def of_matrix(first: int) -> F32:
            absmax = np.concatenate(list(self._block_scales(stored, kind, first, first + each)))
            return double.dequantize(double.quantize(absmax), absmax.size).astype(np.float32)

        scales = self._of(stored, f"scales {kind.name}", of_matrix)
        return scales[kind.blocks(lo, k) : kind.blocks(hi, k)]

    def _of(self, stored: Stored, what: str, compute: Callable[[int], Any]) -> F32:
        """What `compute` returns for the first row of each matrix, joined."""
        key = stored.name, what
        if self._last is None or self._last[0] != key:
            firsts = range(0, stored.shape[0], stored.shape[0] // stored.matrices)
            self._last = key, np.concatenate([compute(first) for first in firsts]).astype(np.float32)
        return self._last[1]

    def _mean(self, stored: Stored, kind: WeightType, lo: int, hi: int) -> float:
        total = sum(float(scales.sum(dtype=np.float64)) for scales in self._block_scales(stored, kind, lo, hi))
        return total / kind.blocks(hi - lo, stored.shape[1])

    def _block_scales(self, stored: Stored, kind: WeightType, lo: int, hi: int) -> Iterator[F32]:
        """The scales of rows before they are quantised."""
        assert kind.block_scales is not None
        k = stored.shape[1]
        for first in range(lo, hi, _ROWS):
            end = min(hi, first + _ROWS)
            rows = np.zeros((end - first, kind.padded(k)), np.float32)
            rows[:, :k] = self._values(stored.rows(first, end), stored)
            yield kind.block_scales(rows)
