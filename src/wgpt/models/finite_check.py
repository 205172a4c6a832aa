"""Refuses weights with NaN or Inf, which would spread to all results, and names the tensor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..formats import Checkpoint, FormatError, Stored
from ..gpu import GpuDevice
from ..gpu.dtypes import from_bf16
from ..ops.linear import Weight
from ..ops.nonfinite import find_nonfinite
from ..quant.weights import weight_type

_ROWS = 4096  # rows of a tensor to search at once


class Rows(NamedTuple):
    """Rows of a tensor, by its full name."""

    name: str
    lo: int
    hi: int


class FiniteCheck:
    """Checks matrices on the GPU, all in `finish`; only if one fails, the host searches for its position."""

    def __init__(self, device: GpuDevice, checkpoint: Checkpoint) -> None:
        self._device, self._path, self._tensors = device, checkpoint.path, checkpoint.tensors
        self._weights: list[tuple[Weight, tuple[Rows, ...]]] = []

    def add(self, weight: Weight, *sources: Rows) -> None:
        """Register a weight that was written from these rows."""
        self._weights.append((weight, sources))

    def vector(self, name: str, values: NDArray[np.float32]) -> None:
        """Check a vector on the host, which is faster than a dispatch."""
        if not np.isfinite(values).all():
            self._refuse(Rows(name, 0, len(values)))

    @contextmanager
    def converting(self, *sources: Rows) -> Iterator[None]:
        """Name these rows in the error if their conversion fails."""
        try:
            yield
        except ValueError as e:
            for rows in sources:
                self._refuse(rows)
            raise FormatError(f"{self._path}: {_names(sources)} cannot be converted: {e}") from e

    def finish(self) -> None:
        """Raise a FormatError if an added weight contains NaN or Inf."""
        for i in find_nonfinite(self._device, [weight for weight, _ in self._weights]):
            weight, sources = self._weights[i]
            for rows in sources:
                self._refuse(rows)
            overflow = f"numbers that are too large for {weight.type.name}"
            raise FormatError(f"{self._path}: {_names(sources)} has {overflow}: choose another dtype, such as f32")
        self._weights.clear()

    def _refuse(self, rows: Rows) -> None:
        """Raise a FormatError if these rows of the file contain NaN or Inf."""
        stored = self._tensors[rows.name]
        for lo in range(rows.lo, rows.hi, _ROWS):
            values = _floats(stored, lo, min(rows.hi, lo + _ROWS))
            bad = ~np.isfinite(values)
            if bad.any():
                row = int(bad.any(axis=1).argmax())
                value = "NaN" if np.isnan(values[row]).any() else "Inf"
                place = f"in row {lo + row}" if len(stored.shape) > 1 else f"at index {lo + row}"
                raise FormatError(
                    f"{self._path}: tensor {rows.name} contains {value} {place}: "
                    "the file is damaged, or was saved from a training run that diverged"
                )


def _names(sources: tuple[Rows, ...]) -> str:
    return f"tensor {' or '.join(rows.name for rows in sources)}"


def _floats(stored: Stored, lo: int, hi: int) -> NDArray[Any]:
    """The floating-point numbers of each row in the file; for a quantised tensor, its scales."""
    rows = stored.rows(lo, hi)
    if stored.quantised:
        form = weight_type(stored.type).gguf_form
        assert form is not None  # a file has it
        return form.scales(rows)
    return (from_bf16(rows) if rows.dtype == np.uint16 else rows).reshape(hi - lo, -1)
