"""GPU time from timestamp queries: per dispatch (a pass each), or for a whole pass."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np
import wgpu

from . import native
from .buffer import QUERIES, Buffer, Tensor
from .errors import WgptError, translated
from .program import Launch

if TYPE_CHECKING:
    from .device import GpuDevice
    from .program import Program

_MOST_QUERIES = 4096


@dataclass(frozen=True)
class Timed:
    """One dispatch and how long the GPU spent in it."""

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


def time_passes(device: GpuDevice, passes: Sequence[Sequence[native.Step]]) -> list[tuple[float, float]]:
    """(start, duration) in seconds of each pass; all of them in one submit per 2,048 passes."""
    if "timestamp-query" not in device.features:
        raise WgptError(f"{device.info.name} has no timestamp queries, so GPU times cannot be measured on it")
    chunk = _MOST_QUERIES // 2
    spans: list[tuple[float, float]] = []
    for i in range(0, len(passes), chunk):
        spans += _time_chunk(device, passes[i : i + chunk])
    return spans


def _time_chunk(device: GpuDevice, passes: Sequence[Sequence[native.Step]]) -> list[tuple[float, float]]:
    count = 2 * len(passes)
    with device.lock, translated("profiling"):
        device.check_alive()
        device.settle()
        wgpu_device = device.wgpu_device
        queries = wgpu_device.create_query_set(type=wgpu.QueryType.timestamp, count=count)
        resolved = Buffer(device, 8 * count, QUERIES, "timestamps")
        encoder = wgpu_device.create_command_encoder()
        for i, steps in enumerate(passes):
            writes = {
                "query_set": queries,
                "beginning_of_pass_write_index": 2 * i,
                "end_of_pass_write_index": 2 * i + 1,
            }
            _encode(encoder.begin_compute_pass(timestamp_writes=writes), steps)
        encoder.resolve_query_set(queries, 0, count, resolved.handle, 0)
        wgpu_device.queue.submit([encoder.finish()])
    words = device.read(Tensor(resolved, (count, 2), "u32"))
    resolved.release()
    ticks = words.reshape(-1).view(np.uint64).reshape(-1, 2)
    scale = native.timestamp_period(wgpu_device) * 1e-9
    origin = int(ticks[0, 0])
    return [((int(a) - origin) * scale, max(0, int(b) - int(a)) * scale) for a, b in ticks]


def _encode(pass_: Any, steps: Sequence[native.Step]) -> None:
    for s in steps:
        pass_.set_pipeline(s.pipeline)
        pass_.set_bind_group(0, s.bind_group)
        pass_.dispatch_workgroups(s.x, s.y, s.z)
    pass_.end()


def _clock_pass(device: GpuDevice, steps: Sequence[native.Step], scratch: Tensor) -> float:
    """Seconds from the submit of one pass to its end, as the host sees them."""
    with device.lock, translated("timing"):
        device.check_alive()
        device.settle()
        encoder = device.wgpu_device.create_command_encoder()
        _encode(encoder.begin_compute_pass(), steps)
        commands = encoder.finish()
        began = time.perf_counter()
        device.wgpu_device.queue.submit([commands])
    device.read(scratch)
    return time.perf_counter() - began


def profile_program(program: Program, repeats: int = 5) -> Profile:
    """Each dispatch in a pass of its own, `repeats` times after a warm-up; medians per dispatch."""
    passes = [[step] for step in program.steps]
    time_passes(program.device, passes)
    runs = [time_passes(program.device, passes) for _ in range(repeats)]
    rows = []
    for i, launch in enumerate(program.launches):
        duration = median(run[i][1] for run in runs)
        rows.append(Timed(launch, median(run[i][0] for run in runs), duration))
    return Profile(tuple(rows))


def time_program(program: Program, replays: int = 1, repeats: int = 5) -> float:
    """Seconds of GPU time per replay, `replays` of them back to back in one pass; median of `repeats`.

    Without timestamp queries it is the host's clock, less what an empty pass takes.
    """
    device, steps = program.device, list(program.steps) * replays
    if "timestamp-query" in device.features:
        time_passes(device, [steps])
        return median(time_passes(device, [steps])[0][1] for _ in range(repeats)) / replays
    scratch = device.empty((1,), label="clock")
    try:
        _clock_pass(device, steps, scratch)
        full = median(_clock_pass(device, steps, scratch) for _ in range(repeats))
        empty = min(_clock_pass(device, [], scratch) for _ in range(repeats))
    finally:
        scratch.buffer.release()
    # On a busy machine an empty pass may have taken longer; then all that is known is that it was no more than this.
    return (full - empty if full > empty else full) / replays
