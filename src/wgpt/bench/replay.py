"""`wgpt bench replay`: CPU time per dispatch of a Program's replay, compared with wgpu-py's public API."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console

from ..core.errors import WgptError
from ..core.progress import Progress
from ..gpu import GpuDevice, Program, Recorder, Tensor
from ..gpu.webgpu.wgpu_native import WgpuNative
from ..kernels import registry
from ..table import Column, number, percent, show
from .origin import origin
from .submit_clock import SubmitClock

_ROWS, _COLUMNS = 64, 64  # small, so that the GPU is never the bottleneck


@dataclass(frozen=True)
class Path:
    """Microseconds per dispatch with one way to encode and submit."""

    cpu_us: float  # CPU time of the calling and the submitting thread
    wall_us: float


@dataclass(frozen=True)
class ReplayBench:
    origin: dict[str, Any]
    dispatches: int
    rounds: int
    replay: Path
    public: Path

    @property
    def ratio(self) -> float:
        """The replay's share of the public API's CPU time."""
        return self.replay.cpu_us / self.public.cpu_us

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.origin,
            "dispatches": self.dispatches,
            "rounds": self.rounds,
            "replay": {"cpu_us": self.replay.cpu_us, "wall_us": self.replay.wall_us},
            "wgpu_py": {"cpu_us": self.public.cpu_us, "wall_us": self.public.wall_us},
            "ratio": self.ratio,
        }


def sample(device: GpuDevice, dispatches: int) -> Program:
    """Dependent dispatches as in decode: alternating pipelines, a bind group for each."""
    gemv, add = registry.get("gemv"), registry.get("add")
    rng = np.random.default_rng(0)
    problem = {"weight": "f32", "n": _ROWS, "k": _COLUMNS}
    weights = gemv.inputs(rng, problem)
    recorder = Recorder(device)
    w = recorder.upload(weights["w"])
    x = recorder.upload(weights["x"], "x")
    ring: list[Tensor] = [recorder.tensor((_ROWS,)) for _ in range(4)]
    previous = x
    for i in range(dispatches):
        out = ring[i % len(ring)]
        if i % 2:
            launch = add.launch(device, {"a": previous, "b": x, "y": out}, {"n": _ROWS})
        else:
            launch = gemv.launch(device, {"x": previous, "w": w, "y": out}, problem)
        recorder.launch(launch)
        previous = out
    return recorder.finish(y=previous)


def run(device: GpuDevice, dispatches: int = 300, rounds: int = 31, progress: Progress | None = None) -> ReplayBench:
    """Medians of both ways, run alternately, with the GPU idle before each."""
    with sample(device, dispatches) as program:
        public, replay = _Clock(device), _Clock(device)
        for i in range(-3, rounds):  # the first three are warm-up
            if progress:
                progress(max(i, 0), rounds, "")
            for clock, call in ((public, _public(program)), (replay, program.run)):
                clock.time(call, keep=i >= 0)
                program.read()  # waits until the GPU is idle
    return ReplayBench(origin(device), dispatches, rounds, replay.per(dispatches), public.per(dispatches))


def _public(program: Program) -> Callable[[], None]:
    webgpu = program.device.webgpu
    if not isinstance(webgpu, WgpuNative):
        raise WgptError("`wgpt bench replay` needs a wgpu-native device")
    ready = webgpu.ready(program.steps)
    return lambda: webgpu.submit_public(ready)


class _Clock:
    def __init__(self, device: GpuDevice) -> None:
        self.device = device
        self.cpu, self.wall = list[float](), list[float]()

    def time(self, call: Callable[[], None], keep: bool) -> None:
        clock, began = SubmitClock(self.device), time.perf_counter()
        with clock:
            call()
            self.device.settle()
        wall = time.perf_counter() - began
        if keep:
            self.cpu.append(clock.seconds)
            self.wall.append(wall)

    def per(self, dispatches: int) -> Path:
        return Path(median(self.cpu) * 1e6 / dispatches, median(self.wall) * 1e6 / dispatches)


def print_replay(bench: ReplayBench, console: Console) -> None:
    name = bench.origin["gpu"]["name"]
    console.print(f"{name}: {bench.dispatches} dispatches, one submit", style="bold", markup=False)
    columns = [Column("path", words=True, least=30), Column("CPU us/dispatch"), Column("wall us/dispatch", drop=1)]
    replay_path = (
        "direct C calls" if bench.origin["native_replay"] else "public API: WGPT_NATIVE=0, or an unknown wgpu-py"
    )
    rows = [
        (f"Program replay ({replay_path})", number(bench.replay.cpu_us), number(bench.replay.wall_us)),
        ("wgpu-py's public API", number(bench.public.cpu_us), number(bench.public.wall_us)),
    ]
    show(console, columns, rows)
    console.print(f"replay takes {percent(bench.ratio)} of wgpu-py's CPU time", markup=False)
