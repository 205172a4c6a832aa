"""Which kernels multiply m rows with a weight: as measured on an H200 (bench/notes/dawn.md), or by `wgpt tune`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from ..kernels import tuning
from .backend import GpuBackend
from .weight import Weight

LEAST_WEIGHTS = 2 << 20  # with fewer, kernels that fuse more are faster
MANY_ROWS = 64  # from here on, matrix units are faster even so
LEAST_OTHERS = 16  # rows in two halves, and rows with LoRA, which were measured from there on


class Limits(NamedTuple):
    """Up to `alone` rows, integers of one row at a time are fastest; from `many` on, matrix units, or without those
    integers of many rows."""

    alone: int
    many: int


_LIMITS = Limits(alone=4, many=2)
_EXACT = Limits(alone=12, many=2)  # without units, where nothing is rounded
_forced: Limits | None = None


def key(weight: str, units: bool) -> str:
    """Of the limits of a weight type in tuned tables: on GPUs with matrix units, and without."""
    return f"{weight}, {'units' if units else 'integers'}"


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
    least = _least(backend, weight, backend.matrix_parts == 1 and not adapted)
    return backend.matrix_parts > 0 and m >= least and (m >= MANY_ROWS or _is_large(weight))


def takes_integers(backend: GpuBackend, weight: Weight, m: int, *, adapted: bool = False) -> bool:
    """Whether the product of m rows with a weight is one of integers, without matrix units."""
    if backend.matrix_parts > 0 or not (backend.fuses and backend.rounds_activations and weight.type.whole_codes):
        return False
    return m >= _least(backend, weight, not adapted) and _is_large(weight)


def _least(backend: GpuBackend, weight: Weight, usual: bool) -> int:
    return _limits(backend, weight).many if usual else LEAST_OTHERS


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
    if not (units or backend.rounds_activations):
        return _EXACT
    tuned = tuning.rows(backend.recorder.device, key(weight.type.name, units))
    return Limits(*tuned) if tuned is not None else _LIMITS


def _is_large(weight: Weight) -> bool:
    return weight.n * weight.k >= LEAST_WEIGHTS
