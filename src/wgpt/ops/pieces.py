"""Work that is larger than one binding: splitting it into pieces, and joining their results."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.errors import PreconditionError
from ..core.sizes import readable_bytes
from ..gpu import AllocationError, GpuDevice
from ..gpu.bindings import most_bytes
from ..gpu.dtypes import NUMPY
from ..kernels import registry
from ..kernels.grid import MOST, ceil_div
from ..kernels.kernel import Problem
from .backend import Array, Backend

R = TypeVar("R")
Piece = tuple[slice, ...]  # a slice per axis
Results = dict[str, NDArray[Any]]
_UNUSABLE = 1 << 62  # the excess of a piece that exceeds every grid


@dataclass(frozen=True)
class Work(Generic[R]):
    """A checked operation over one or more axes along which it can be split.

    `body` computes a piece of it, for one slice per axis, on a backend. Results have the axes as their first
    dimensions, except those named in `sums`: there the results of the pieces are added up.
    """

    size: int  # elements, to decide between CPU and GPU
    axes: tuple[int, ...]
    body: Callable[..., dict[str, Array]]
    result: Callable[[Results], R]
    steps: tuple[int, ...] = ()  # pieces begin at multiples of these; 1 by default
    sums: tuple[str, ...] = ()

    @property
    def whole(self) -> Piece:
        return tuple(slice(0, length) for length in self.axes)


def length(part: slice) -> int:
    return int(part.stop - part.start)


def pieces(work: Work[R], device: GpuDevice) -> Iterator[Piece]:
    """The pieces, none of which exceeds the device's binding limit: one if everything fits.

    Raises AllocationError if not even the smallest piece fits.
    """
    steps = work.steps or (1,) * len(work.axes)
    sizes = work.axes
    while (load := _load(work, device, sizes)).excess:
        excess: dict[tuple[int, ...], int] = {}  # of each way to halve one axis
        for i, (size, step) in enumerate(zip(sizes, steps, strict=True)):
            half = ceil_div(ceil_div(size, 2), step) * step
            if half < size:
                halved = (*sizes[:i], half, *sizes[i + 1 :])
                excess[halved] = _load(work, device, halved).excess
        if not excess:
            raise AllocationError(load.message())
        sizes = min(excess, key=lambda halved: (excess[halved], max(halved)))
    cuts = [
        [slice(at, min(at + size, end)) for at in range(0, end, size)]
        for end, size in zip(work.axes, sizes, strict=True)
    ]
    return itertools.product(*cuts)


class _Load(Backend):
    """A backend that runs nothing: it adds up by how much a piece exceeds the limits."""

    def __init__(self, device: GpuDevice) -> None:
        self._device, self._limit = device, most_bytes(device)
        self.excess = 0
        self._largest: tuple[int, str, tuple[int, ...]] = (0, "", ())
        self._refusal = ""

    def array(self, array: NDArray[Any], dtype: str | None = None) -> Array:
        self._add("an input", array.shape, array.nbytes)
        return None

    def apply(self, kernel: str, problem: Problem, **arrays: Array) -> dict[str, Array]:
        outputs = registry.get(kernel).outputs(problem)
        for name, out in outputs.items():
            self._add(f"{kernel}'s {name}", out.shape, math.prod(out.shape) * NUMPY[out.dtype].itemsize)
        if max(max(out.shape) for out in outputs.values()) > MOST:
            self._check_grid(kernel, problem)
        return dict.fromkeys(outputs)

    def _add(self, name: str, shape: tuple[int, ...], nbytes: int) -> None:
        self.excess += max(0, nbytes - self._limit)
        self._largest = max(self._largest, (nbytes, name, shape))

    def _check_grid(self, kernel: str, problem: Problem) -> None:
        """Most kernels use a second grid dimension if one is too small, but not all can."""
        entry = registry.get(kernel)
        try:
            grid = entry.grid(problem, entry.choose(self._device, problem))
        except PreconditionError as e:
            self._refusal = str(e)
        else:
            if max(grid) <= self._device.limits["max-compute-workgroups-per-dimension"]:
                return
            self._refusal = f"{kernel} needs {grid} workgroups, more than {MOST} in one dimension"
        self.excess += _UNUSABLE

    def message(self) -> str:
        nbytes, name, shape = self._largest
        binds = f"{self._device.info.name} binds at most {readable_bytes(self._limit)} at once"
        reason = self._refusal or f"{name} of shape {shape} is {readable_bytes(nbytes)}, but {binds}"
        return f"even in the smallest piece, {reason}: run it on the CPU with wgpt.use('cpu')"


def _load(work: Work[R], device: GpuDevice, sizes: Sequence[int]) -> _Load:
    """The load of the first piece; no other piece is larger."""
    load = _Load(device)
    work.body(load, *(slice(0, min(size, end)) for size, end in zip(sizes, work.axes, strict=True)))
    return load


class Joined:
    """Joins the results of pieces as they arrive."""

    def __init__(self, work: Work[R]) -> None:
        self._work = work
        self._arrays: Results = {}
        self._sums: dict[str, NDArray[np.float64]] = {}

    def add(self, piece: Piece, results: Results) -> None:
        if piece == self._work.whole:
            self._arrays = results
            return
        lengths = tuple(map(length, piece))
        for name, array in results.items():
            if name in self._work.sums:
                before = self._sums.get(name)
                self._sums[name] = array.astype(np.float64) if before is None else before + array
                continue
            rest = array.size // math.prod(lengths)
            if name not in self._arrays:
                self._arrays[name] = np.empty((*self._work.axes, rest), array.dtype)
            self._arrays[name][piece] = array.reshape(*lengths, rest)

    def result(self) -> Results:
        """Sums are in float64 and in the order of the pieces, so they are reproducible."""
        return {**self._arrays, **{name: total.astype(np.float32) for name, total in self._sums.items()}}
