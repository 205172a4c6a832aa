"""Which kernels multiply m rows with a weight, from measurements (bench/notes/dawn.md)."""

from __future__ import annotations

from .backend import GpuBackend
from .weight import Weight

# Fewer rows are as fast without matrix units; those in two halves, and those with LoRA, were measured from 16 on.
LEAST_ON_UNITS, LEAST_OTHERS_ON_UNITS = 2, 16
MANY_ROWS, LEAST_WEIGHTS = 256, 2 << 20  # with fewer rows and fewer weights, kernels that fuse more are faster
# Up to this many rows, integers of one row at a time are faster than floats of all: beside matrix units, and without.
_ONE_BY_ONE, _ONE_BY_ONE_WITHOUT_UNITS = 5, 12


def takes_units(backend: GpuBackend, weight: Weight, m: int, *, adapted: bool = False) -> bool:
    """Whether matrix units compute the product of m rows with a weight, or its input's gradient.

    `adapted`: rows have LoRA adapters.
    """
    usual = backend.matrix_parts == 1 and not adapted
    if backend.matrix_parts == 0 or m < (LEAST_ON_UNITS if usual else LEAST_OTHERS_ON_UNITS):
        return False
    return m >= MANY_ROWS or _is_large(weight)


def one_by_one(backend: GpuBackend, weight: Weight, m: int) -> bool:
    """Whether each of m rows is multiplied as if it were alone."""
    if m == 1:
        return True
    most = _ONE_BY_ONE if backend.matrix_parts else _ONE_BY_ONE_WITHOUT_UNITS
    in_integers = backend.fuses and backend.recorder.device.traits.subgroups and weight.type.whole_codes
    return in_integers and m <= most and _is_large(weight)


def _is_large(weight: Weight) -> bool:
    return weight.n * weight.k >= LEAST_WEIGHTS
