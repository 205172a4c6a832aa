"""`wgpt bench kernels`: times each kernel's bench cases, compared with the copy bandwidth of the GPU."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.console import Console

from ..core.errors import PreconditionError
from ..core.progress import Progress
from ..gpu import AllocationError, GpuDevice, probe
from ..kernels import registry, weighted
from ..kernels.kernel import Arrays, BenchCase, Kernel, variant_label
from ..table import Column, number, percent, show
from . import workset
from .origin import origin
from .timing import dispatch_seconds, record, side_by_side

_COMPARED_WITH_NUMPY = ("gemv", "gemm")
_FLOPS = {"TFLOPS": 1e12, "GFLOPS": 1e9}


@dataclass(frozen=True)
class Result:
    """A timed problem, or the reason why it was not timed."""

    kernel: str
    case: BenchCase
    variant: str = ""
    seconds: float = math.nan
    flops: int = 0
    bytes: int = 0
    numpy_seconds: float | None = None
    skipped: str = ""

    @property
    def problem(self) -> str:
        return " ".join(f"{k}={v}" for k, v in self.case.problem.items())

    @property
    def bytes_per_second(self) -> float:
        return self.bytes / self.seconds

    @property
    def flops_per_second(self) -> float:
        return self.flops / self.seconds

    @property
    def times_numpy(self) -> float | None:
        """The GPU's time as a multiple of NumPy's."""
        return self.seconds / self.numpy_seconds if self.numpy_seconds else None


@dataclass(frozen=True)
class KernelBench:
    """All results of one run, and the copy bandwidth to compare them with."""

    origin: dict[str, Any]
    copy_bytes_per_second: float
    results: tuple[Result, ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.origin,
            "copy_bytes_per_second": self.copy_bytes_per_second,
            "results": [self._row(r) for r in self.results],
        }

    def _row(self, r: Result) -> dict[str, Any]:
        row: dict[str, Any] = {"kernel": r.kernel, "problem": dict(r.case.problem), "note": r.case.note}
        if r.skipped:
            return {**row, "skipped": r.skipped}
        return {
            **row,
            "variant": r.variant,
            "us": r.seconds * 1e6,
            "bytes": r.bytes,
            "flops": r.flops,
            "gb_per_second": r.bytes_per_second / 1e9,
            "of_copy_bandwidth": r.bytes_per_second / self.copy_bytes_per_second,
            "tflops": r.flops_per_second / 1e12,
            "numpy_us": None if r.numpy_seconds is None else r.numpy_seconds * 1e6,
            "times_numpy": r.times_numpy,
        }


def cases(device: GpuDevice, kernel: Kernel) -> list[BenchCase]:
    """A kernel's benchmark cases for this kind of GPU."""
    return [c for c in kernel.bench_cases if c.software in (None, device.software)]


def run(device: GpuDevice, only: str | None = None, progress: Progress | None = None) -> KernelBench:
    """Time all kernels, or the one named `only`."""
    chosen = [registry.get(only)] if only else list(registry.kernels().values())
    todo = [(kernel, case) for kernel in chosen for case in cases(device, kernel)]
    bandwidth = probe.copy_bandwidth(device)
    results = []
    for i, (kernel, case) in enumerate(todo):
        if progress:
            progress(i, len(todo), f"{kernel.name} {case.note}")
        results.append(time_case(device, kernel, case))
    return KernelBench(origin(device), bandwidth, tuple(results))


def time_case(device: GpuDevice, kernel: Kernel, case: BenchCase) -> Result:
    problem = case.problem
    try:
        variant = kernel.choose(device, problem)
        arrays = workset.random_inputs(kernel, problem)
        with (
            workset.make(device, kernel, problem, arrays) as work,
            record(device, kernel, problem, variant, work) as program,
        ):
            host = _numpy(kernel, arrays, case) if device.software else None
            seconds, numpy_seconds = side_by_side(program, host) if host else (dispatch_seconds(program), None)
    except (AllocationError, PreconditionError) as e:
        return Result(kernel.name, case, skipped=" ".join(str(e).split()))
    return Result(
        kernel.name,
        case,
        variant_label(variant),
        seconds,
        kernel.flops(problem),
        kernel.bytes(problem),
        numpy_seconds,
    )


def _numpy(kernel: Kernel, arrays: Arrays, case: BenchCase) -> Callable[[], object] | None:
    """The same product in NumPy's f32, with weights already unpacked."""
    if kernel.name not in _COMPARED_WITH_NUMPY:
        return None
    weights = weighted.dequantised(arrays, case.problem).astype(np.float32)
    x = arrays["x"]
    return (lambda: weights @ x) if x.ndim == 1 else (lambda: x @ weights.T)


def print_bench(bench: KernelBench, console: Console) -> None:
    name = bench.origin["gpu"]["name"]
    copy = number(bench.copy_bytes_per_second / 1e9)
    console.print(f"{name}: copies {copy} GB/s (read + written)", style="bold", markup=False)
    unit = _unit(bench)
    columns = [
        Column("kernel", words=True, least=24),
        Column("problem", words=True, least=20),
        Column("variant", words=True, drop=5, least=28),
        Column("us"),
        Column("GB/s"),
        Column("% of copy", drop=3),
        Column(unit, drop=2),
        Column("NumPy us", drop=4),
        Column("x NumPy", drop=1),
        Column("note", words=True, drop=6, least=12),
    ]
    rows = [_cells(r, bench.copy_bytes_per_second, _FLOPS[unit]) for r in bench.results]
    if "x NumPy" in show(console, columns, rows):
        console.print("x NumPy: the time as a multiple of NumPy's float32 product", style="dim")


def _unit(bench: KernelBench) -> str:
    fastest = max((r.flops_per_second for r in bench.results if not r.skipped), default=0.0)
    return "TFLOPS" if fastest >= 1e12 else "GFLOPS"


def _cells(r: Result, bandwidth: float, flops: float) -> Sequence[str]:
    if r.skipped:
        return (r.kernel, r.problem, "", "", "", "", "", "", "", f"skipped: {r.skipped}")
    return (
        r.kernel,
        r.problem,
        r.variant,
        number(r.seconds * 1e6),
        number(r.bytes_per_second / 1e9),
        percent(r.bytes_per_second / bandwidth),
        number(r.flops_per_second / flops) if r.flops else "",
        number(None if r.numpy_seconds is None else r.numpy_seconds * 1e6),
        number(r.times_numpy),
        r.case.note,
    )
