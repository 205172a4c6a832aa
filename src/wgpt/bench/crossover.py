"""The array size from which the GPU is faster than the CPU, transfers included; `wgpt.ops` uses it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from .. import ops
from ..gpu import GpuDevice

NEVER = 1 << 40  # more elements than any array
_SMALLEST, _LARGEST = 1 << 10, 1 << 24
_SLOWEST = 0.25  # seconds per call beyond which larger sizes are not tried
_ROUNDS = 5


@dataclass(frozen=True)
class Point:
    """One operation at one size, in seconds."""

    operation: str
    size: int
    cpu: float
    gpu: float


def measure(device: GpuDevice) -> list[Point]:
    """Time an elementwise operation and a matrix product on CPU and GPU, from small to large."""
    return [*_sweep(device, "silu", _silu), *_sweep(device, "matmul", _matmul)]


def gpu_min_size(points: Sequence[Point]) -> int:
    """The threshold that loses the least time over all sizes: the sum of the logarithms of slowdowns is smallest."""
    sizes = sorted({p.size for p in points})
    full = [p for name in dict.fromkeys(p.operation for p in points) for p in _extended(points, name, sizes)]
    return min([*sizes, NEVER], key=lambda least: sum(_lost(p, least) for p in full))


def _extended(points: Sequence[Point], name: str, sizes: Sequence[int]) -> list[Point]:
    """Extend the points to the largest size: an operation that got too slow keeps its last times."""
    by_size = {p.size: p for p in points if p.operation == name}
    last = by_size[max(by_size)]
    return [by_size.get(size, replace(last, size=size)) for size in sizes if size in by_size or size > last.size]


def _lost(p: Point, least: int) -> float:
    chosen = p.gpu if p.size >= least else p.cpu
    return math.log(chosen / min(p.gpu, p.cpu))


def _silu(rng: np.random.Generator, size: int) -> Callable[[], object]:
    x = rng.standard_normal(size).astype(np.float32)
    return lambda: ops.silu(x)


def _matmul(rng: np.random.Generator, size: int) -> Callable[[], object]:
    a, b = rng.standard_normal((2, math.isqrt(size), math.isqrt(size))).astype(np.float32)
    return lambda: ops.matmul(a, b)


def _sweep(
    device: GpuDevice, name: str, operation: Callable[[np.random.Generator, int], Callable[[], object]]
) -> Iterator[Point]:
    rng = np.random.default_rng(0)
    size = _SMALLEST
    while size <= _LARGEST:
        point = _cpu_and_gpu_times(device, name, size, operation(rng, size))
        yield point
        if max(point.cpu, point.gpu) > _SLOWEST:
            return
        size *= 4


def _cpu_and_gpu_times(device: GpuDevice, name: str, size: int, call: Callable[[], object]) -> Point:
    """Medians of alternating calls, after one call each to compile and to warm up."""
    times: dict[str, list[float]] = {"cpu": [], "gpu": []}
    for turn in range(_ROUNDS + 1):
        for where, place in (("cpu", "cpu"), ("gpu", device)):
            with ops.use(place):
                began = time.perf_counter()
                call()
                spent = time.perf_counter() - began
            if turn:
                times[where].append(spent)
        if turn and max(times["cpu"][0], times["gpu"][0]) > _SLOWEST:
            break
    return Point(name, size, median(times["cpu"]), median(times["gpu"]))
