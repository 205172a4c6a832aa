"""Which kernels multiply m rows with a weight: as measured on an H200 (bench/notes/dawn.md), or by `wgpt tune`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from ..kernels import tuning
from .backend import GpuBackend
from .weight import Weight

MANY_ROWS, LEAST_WEIGHTS = 256, 2 << 20  # with fewer rows and fewer weights, kernels that fuse more are faster
LEAST_OTHERS_ON_UNITS = 16  # rows in two halves, and rows with LoRA, which were measured from there on


class Limits(NamedTuple):
    """Up to `alone` rows, integers of one row at a time are fastest; from `units` on, matrix units."""

    alone: int
    units: int


_BESIDE_UNITS, _WITHOUT_UNITS = Limits(alone=5, units=2), Limits(alone=12, units=2)
_forced: Limits | None = None


def key(weight: str, units: bool) -> str:
    """Of the limits of a weight type in tuned tables: on GPUs with matrix units, and without."""
    return f"{weight}, units" if units else weight


@contextmanager
def forced(limits: Limits) -> Iterator[None]:
    """What is recorded here goes by these limits, to measure others than those of the GPU."""
    global _forced
    before, _forced = _forced, limits
    try:
        yield
    finally:
        _forced = before


def takes_units(backend: GpuBackend, weight: Weight, m: int, *, adapted: bool = False) -> bool:
    """Whether matrix units compute the product of m rows with a weight, or its input's gradient.

    `adapted`: rows have LoRA adapters.
    """
    if backend.matrix_parts == 0:
        return False
    usual = backend.matrix_parts == 1 and not adapted
    if m < (_limits(backend, weight).units if usual else LEAST_OTHERS_ON_UNITS):
        return False
    return m >= MANY_ROWS or _is_large(weight)


def one_by_one(backend: GpuBackend, weight: Weight, m: int) -> bool:
    """Whether each of m rows is multiplied as if it were alone."""
    if m == 1:
        return True
    in_integers = backend.fuses and backend.recorder.device.traits.subgroups and weight.type.whole_codes
    return in_integers and m <= _limits(backend, weight).alone and _is_large(weight)


def _limits(backend: GpuBackend, weight: Weight) -> Limits:
    if _forced is not None:
        return _forced
    units = backend.matrix_parts > 0
    tuned = tuning.rows(backend.recorder.device, key(weight.type.name, units))
    return Limits(*tuned) if tuned is not None else _BESIDE_UNITS if units else _WITHOUT_UNITS


def _is_large(weight: Weight) -> bool:
    return weight.n * weight.k >= LEAST_WEIGHTS
