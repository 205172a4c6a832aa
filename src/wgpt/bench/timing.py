"""Times one dispatch of a kernel on the GPU, and the same computation in NumPy."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from statistics import median

from ..gpu import GpuDevice, Recorder
from ..gpu.profile import time_program
from ..gpu.program import Program
from ..kernels.kernel import Kernel, Problem, Variant
from .workset import Workset

_PASS_SECONDS = 2e-3
# seconds per pass on a software driver: waking its threads takes as long as a small kernel
_PASS_SECONDS_SOFTWARE = 20e-3
_LEAST_DISPATCHES = 20  # on a GPU; a software driver needs no warm-up and is slow
_MOST_SECONDS = 0.25  # most seconds per pass: drivers reset a GPU that is busy for too long
_TICK = 1e-7  # shorter times are below the resolution of timestamps
_WAKE_SECONDS = 0.5  # seconds that an H200 needs to leave its idle clock of 345 MHz
_DOZE_SECONDS = 0.1  # seconds without work after which it may be idle again
_last_work = -math.inf


def record(device: GpuDevice, kernel: Kernel, problem: Problem, variant: Variant, work: Workset) -> Program:
    """A Program with one dispatch per copy. Outputs share a buffer, so each dispatch waits for the previous one."""
    recorder = Recorder(device)
    try:
        for tensors in work.copies:
            recorder.launch(kernel.launch(device, tensors, problem, variant))
        return recorder.finish()
    except BaseException:
        recorder.discard()
        raise


def dispatch_seconds(program: Program, repeats: int = 5, give_up: float = math.inf) -> float:
    """Seconds per dispatch: the median of `repeats` passes of at least 2 ms (20 ms on a software driver).

    A first short pass decides how many replays that takes. If it is slower than `give_up`, its time is returned.
    """
    device, count = program.device, len(program)
    pass_seconds = _PASS_SECONDS_SOFTWARE if device.software else _PASS_SECONDS
    if not device.software:
        _wake(program)
    first = max(time_program(program, repeats=1) / count, _TICK)
    if first > give_up or (first * count > pass_seconds and repeats == 1):
        return first
    least = 1 if device.software else min(_LEAST_DISPATCHES, math.ceil(_MOST_SECONDS / first))
    replays = max(math.ceil(least / count), math.ceil(pass_seconds / (first * count)))
    seconds = time_program(program, replays, repeats) / count
    _note_work()
    return seconds


def _note_work() -> None:
    global _last_work
    _last_work = time.perf_counter()


def _wake(program: Program) -> None:
    """Run the program until the GPU has raised its clocks, unless it was busy just now."""
    began = time.perf_counter()
    if began - _last_work < _DOZE_SECONDS:
        return
    replays = 1
    while time.perf_counter() - began < _WAKE_SECONDS:
        replays = max(1, min(10_000, int(0.02 / max(time_program(program, replays, 1), _TICK))))
    _note_work()


def wake(device: GpuDevice, work: Callable[[], object]) -> None:
    """Repeat the work until a GPU has surely raised its clocks. Compile everything before: the GPU is idle
    meanwhile."""
    began = time.perf_counter()
    while not device.software and time.perf_counter() - began < 2 * _WAKE_SECONDS:
        work()


def host_seconds(work: Callable[[], object]) -> float:
    """Seconds per call on the host, over at least 2 ms of calls."""
    calls = 0
    began = time.perf_counter()
    while True:
        work()
        calls += 1
        spent = time.perf_counter() - began
        if spent >= _PASS_SECONDS:
            return spent / calls


def side_by_side(program: Program, work: Callable[[], object]) -> tuple[float, float]:
    """(GPU, host) seconds: medians of three alternating rounds, so that other load on the machine slows both."""
    work()
    gpu, host = list[float](), list[float]()
    for _ in range(3):
        settle()
        gpu.append(dispatch_seconds(program))
        host.append(median(host_seconds(work) for _ in range(5)))
    return median(gpu), median(host)


def settle() -> None:
    """Wait until this process is idle: after a product, BLAS threads spin for up to half a second on cores that a
    software driver needs.
    """
    for _ in range(100):
        before = time.process_time()
        time.sleep(0.02)
        if time.process_time() - before < 0.004:
            return
