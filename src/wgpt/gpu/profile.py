"""GPU time from timestamp queries: per dispatch (a pass each), or for a whole pass."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Protocol

import numpy as np

from ..core.errors import PreconditionError, WgptError
from .buffer import Buffer, Tensor
from .device import GpuDevice
from .launch import Launch
from .webgpu.failures import translated
from .webgpu.interface import QUERIES, Copy, Pass, Steps, segments

_MOST_QUERIES = 4096
_MOST_REPEATS = 10_000


@dataclass(frozen=True)
class Timed:
    """One dispatch and its GPU time."""

    launch: Launch
    start: float  # seconds since the first dispatch of the median replay
    seconds: float

    @property
    def bytes_per_second(self) -> float:
        return self.launch.bytes / self.seconds if self.seconds else 0.0

    @property
    def flops_per_second(self) -> float:
        return self.launch.flops / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class Profile:
    """A profiled Program."""

    rows: tuple[Timed, ...]

    @property
    def seconds(self) -> float:
        return sum(row.seconds for row in self.rows)


class Replayed(Protocol):
    """What measuring needs of a Program."""

    @property
    def device(self) -> GpuDevice: ...

    @property
    def launches(self) -> Sequence[Launch]: ...

    @property
    def steps(self) -> Steps: ...


def time_passes(device: GpuDevice, passes: Sequence[Pass]) -> list[tuple[float, float]]:
    """(start, duration) in seconds of each pass or copy; all of them in one submit per 2,048 passes."""
    if "timestamp-query" not in device.features:
        raise WgptError(f"{device.info.name} does not support timestamp queries, so GPU times cannot be measured")
    chunk = _MOST_QUERIES // 2
    spans: list[tuple[float, float]] = []
    for i in range(0, len(passes), chunk):
        spans += _time_chunk(device, passes[i : i + chunk])
    return spans


def _time_chunk(device: GpuDevice, passes: Sequence[Pass]) -> list[tuple[float, float]]:
    count = 2 * len(passes)
    with device.lock, translated("profiling"):
        device.check_alive()
        device.settle()
        resolved = Buffer(device, 8 * count, QUERIES, "timestamps")
        device.webgpu.submit_timed(passes, resolved.handle)
    words = device.read(Tensor(resolved, (count, 2), "u32"))
    resolved.release()
    ticks = words.reshape(-1).view(np.uint64).reshape(-1, 2)
    scale = device.webgpu.timestamp_period() * 1e-9
    origin = int(ticks[0, 0])
    return [((int(a) - origin) * scale, max(0, int(b) - int(a)) * scale) for a, b in ticks]


def _clock(device: GpuDevice, steps: Steps, scratch: Tensor) -> float:
    """Seconds from submitting all steps to their end, by the host's clock."""
    with device.lock, translated("timing"):
        device.check_alive()
        device.settle()
        submit = device.webgpu.finished(steps)
        began = time.perf_counter()
        submit()
    device.read(scratch)
    return time.perf_counter() - began


def profile_program(program: Replayed, repeats: int = 5) -> Profile:
    """Each dispatch in a separate pass, `repeats` times after a warm-up; medians per dispatch."""
    if not 1 <= repeats <= _MOST_REPEATS:
        raise PreconditionError(f"repeats must be from 1 to {_MOST_REPEATS}, not {repeats}")
    passes: list[Pass] = [step if isinstance(step, Copy) else [step] for step in program.steps]
    time_passes(program.device, passes)
    runs = [time_passes(program.device, passes) for _ in range(repeats)]
    rows = []
    for i, launch in enumerate(program.launches):
        duration = median(run[i][1] for run in runs)
        rows.append(Timed(launch, median(run[i][0] for run in runs), duration))
    return Profile(tuple(rows))


def _span(times: Sequence[tuple[float, float]]) -> float:
    """The time from the beginning of the first pass to the end of the last."""
    return times[-1][0] + times[-1][1] - times[0][0]


def time_program(program: Replayed, replays: int = 1, repeats: int = 5) -> float:
    """Seconds of GPU time per replay: the median of `repeats` passes with `replays` each.

    Without timestamp queries, the host's clock is used, minus the time of an empty pass.
    """
    return time_steps(program.device, program.steps, replays, repeats)


def time_steps(device: GpuDevice, steps: Steps, replays: int = 1, repeats: int = 5) -> float:
    """As time_program, for some steps of a Program."""
    steps = list(steps) * replays
    if "timestamp-query" in device.features:
        passes: list[Pass] = []
        for copies, dispatches in segments(steps):
            passes += [*copies, dispatches]
        time_passes(device, passes)
        return median(_span(time_passes(device, passes)) for _ in range(repeats)) / replays
    scratch = device.empty((1,), label="clock")
    try:
        _clock(device, steps, scratch)
        full = median(_clock(device, steps, scratch) for _ in range(repeats))
        empty = min(_clock(device, [], scratch) for _ in range(repeats))
    finally:
        scratch.buffer.release()
    # On a busy machine the empty pass may take longer than the steps: the total is then the best known upper bound.
    return (full - empty if full > empty else full) / replays
