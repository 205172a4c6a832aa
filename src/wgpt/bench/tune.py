"""`wgpt tune`: finds the fastest variant of each kernel on this GPU, among those with correct results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import compress
from typing import Any

from rich.console import Console

from ..core.errors import PreconditionError, WgptError
from ..core.progress import Progress
from ..gpu import AllocationError, GpuDevice
from ..kernels import registry, tuning
from ..kernels.kernel import BenchCase, Kernel, Problem, Variant, variant_label
from ..ops import by_rows
from ..ops.backend import has_matrices
from ..ops.by_rows import Limits
from ..table import Column, number, show
from . import crossover, few_rows, workset
from . import kernels as kernel_bench
from .check import Checker
from .origin import origin
from .timing import dispatch_seconds, record
from .workset import Workset

_NOISE = 0.98  # a variant must take less than this share of the default's time to replace it
_HOPELESS = 2.0  # variants slower than this multiple of the best time are not measured precisely
_FINALISTS, _ROUNDS = 4, 3  # how many variants are measured again, and how often


@dataclass(frozen=True)
class Job:
    """Benchmark cases of one kernel that share a tuning result."""

    kernel: Kernel
    key: str
    cases: tuple[BenchCase, ...]

    def variants(self, device: GpuDevice) -> list[Variant]:
        """The variants that support every case; the default comes first."""
        sets = [self.kernel.usable(device.traits, c.problem) for c in self.cases]
        return [v for v in sets[0] if all(v in other for other in sets[1:])]


@dataclass(frozen=True)
class Choice:
    """The result for one key."""

    kernel: str
    key: str
    default: Variant
    best: Variant
    default_seconds: float | None  # None: the default gives wrong results on this GPU
    best_seconds: float
    tried: int
    wrong: tuple[str, ...] = ()

    @property
    def gain(self) -> float | None:
        return None if self.default_seconds is None else self.default_seconds / self.best_seconds

    def to_dict(self) -> dict[str, Any]:
        return {
            "kernel": self.kernel,
            "key": self.key,
            "default": dict(self.default),
            "best": dict(self.best),
            "default_us": None if self.default_seconds is None else self.default_seconds * 1e6,
            "best_us": self.best_seconds * 1e6,
            "gain": self.gain,
            "tried": self.tried,
            "wrong": list(self.wrong),
        }


@dataclass
class Tuning:
    """A run of `wgpt tune`, complete or cut short."""

    origin: dict[str, Any]
    choices: list[Choice] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    points: list[crossover.Point] = field(default_factory=list)
    gpu_min_size: int | None = None
    rows: dict[str, Limits] = field(default_factory=dict)  # by `by_rows.key`
    interrupted: bool = False
    file: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.origin,
            "file": self.file,
            "interrupted": self.interrupted,
            "gpu_min_size": self.gpu_min_size,
            "crossover": [asdict(p) for p in self.points],
            "rows": {key: limits._asdict() for key, limits in self.rows.items()},
            "choices": [c.to_dict() for c in self.choices],
            "skipped": self.skipped,
        }


def jobs(device: GpuDevice, only: str | None = None, quick: bool = False) -> list[Job]:
    """Every kernel and key with several usable variants; `quick` takes one problem per key."""
    tunable: list[Job] = []
    for kernel in [registry.get(only)] if only else registry.kernels().values():
        groups: dict[str, list[BenchCase]] = {}
        for case in kernel_bench.cases(device, kernel):
            groups.setdefault(kernel.tune_key(case.problem), []).append(case)
        for key, cases in groups.items():
            job = Job(kernel, key, tuple(cases[:1] if quick else cases))
            with suppress(PreconditionError):  # this GPU cannot run the kernel at all
                if len(job.variants(device)) > 1:
                    tunable.append(job)
    return tunable


def run(
    device: GpuDevice,
    only: str | None = None,
    quick: bool = False,
    progress: Progress | None = None,
) -> Tuning:
    """Tune, and save after every choice, so that Ctrl-C or a lost device keeps the results so far.

    If all kernels are tuned, the array size from which the GPU is faster than the CPU is measured too, and, unless
    `quick`, which kernels multiply a few rows fastest, with the variants just chosen.
    """
    result = Tuning(origin(device), file=str(tuning.path(device)))
    todo = jobs(device, only, quick)
    try:
        for i, job in enumerate(todo):
            if progress:
                progress(i, len(todo), f"{job.kernel.name} {job.key}")
            try:
                result.choices.append(tune_job(device, job, repeats=1 if quick else 5))
            except (AllocationError, Untunable) as e:
                result.skipped[f"{job.kernel.name} {job.key}".strip()] = " ".join(str(e).split())
            else:
                _save(device, result)
        if only is None:
            if progress:
                progress(len(todo), len(todo), "CPU or GPU")
            result.points = crossover.measure(device)
            result.gpu_min_size = crossover.gpu_min_size(result.points)
            _save(device, result)
            if not (quick or device.software):  # a software driver has one way
                _tune_rows(device, result, progress)
    except KeyboardInterrupt:
        result.interrupted = True
    return result


def _tune_rows(device: GpuDevice, result: Tuning, progress: Progress | None) -> None:
    for i, weight in enumerate(few_rows.TYPES):
        if progress:
            progress(i, len(few_rows.TYPES), f"a few rows of {weight}")
        try:
            result.rows[by_rows.key(weight, has_matrices(device))] = few_rows.limits(few_rows.measure(device, weight))
        except AllocationError as e:
            result.skipped[f"a few rows of {weight}"] = " ".join(str(e).split())
        _save(device, result)


class Untunable(WgptError):
    """All variants of a kernel give wrong results."""


def _save(device: GpuDevice, result: Tuning) -> None:
    table = dict(tuning.table(device))
    variants = {kernel: dict(choices) for kernel, choices in table.get("variants", {}).items()}
    for choice in result.choices:
        variants.setdefault(choice.kernel, {})[choice.key] = dict(choice.best)
    table |= {"gpu": device.key, "date": result.origin["date"], "variants": variants}
    if result.rows:
        table["rows"] = table.get("rows", {}) | {key: list(limits) for key, limits in result.rows.items()}
    if result.gpu_min_size is not None:
        table["gpu_min_size"] = result.gpu_min_size
    tuning.save(device, table)


def tune_job(device: GpuDevice, job: Job, repeats: int = 5) -> Choice:
    """Check every variant, time the correct ones, and choose the one with the least time over all cases."""
    kernel, checker = job.kernel, Checker(device, job.kernel)
    usable = job.variants(device)
    checker.compile_ahead(usable, [case.problem for case in job.cases])
    variants = [v for v in usable if checker.passes_cases(v, job.cases[0].problem)]
    totals = [0.0] * len(variants)
    for case in job.cases:
        arrays = workset.random_inputs(kernel, case.problem)
        correct = checker.correct_at_size(variants, case.problem, arrays)
        variants, totals = list(compress(variants, correct)), list(compress(totals, correct))
        with workset.make(device, kernel, case.problem, arrays) as work:
            times = _times(device, kernel, case.problem, variants, work, repeats)
        totals = [total + seconds for total, seconds in zip(totals, times, strict=True)]
    if not variants:
        raise Untunable(f"all {len(usable)} variants of {kernel.name} give wrong results; see `wgpt verify`")
    best = min(range(len(variants)), key=totals.__getitem__)
    default = totals[0] if variants[0] == usable[0] else None
    if default is not None and totals[best] > _NOISE * default:
        best = 0
    wrong = tuple(variant_label(v) for v in usable if v not in variants)
    tried = len(usable)
    return Choice(kernel.name, job.key, usable[0], variants[best], default, totals[best], tried, wrong)


def _times(
    device: GpuDevice, kernel: Kernel, problem: Problem, variants: Sequence[Variant], work: Workset, repeats: int
) -> list[float]:
    """Seconds of each variant. The default and the fastest few are timed again in turns, and their least time counts:
    other work on the machine only ever adds time, and must not decide.
    """
    times: list[float] = []

    def timed(variant: Variant) -> float:
        with record(device, kernel, problem, variant, work) as program:
            return dispatch_seconds(program, repeats, give_up=_HOPELESS * min(times, default=math.inf))

    for variant in variants:
        times.append(timed(variant))
    close = sorted(range(len(variants)), key=times.__getitem__)[:_FINALISTS]
    for i in _ROUNDS * sorted({0, *close}) if len(variants) > 1 else ():
        times[i] = min(times[i], timed(variants[i]))
    return times


def print_tuning(result: Tuning, console: Console) -> None:
    columns = [
        Column("kernel", words=True, least=24),
        Column("problem", words=True, least=18),
        Column("default us"),
        Column("best us"),
        Column("gain"),
        Column("tried", drop=2),
        Column("wrong", drop=1),
        Column("best variant", words=True, drop=3, least=28),
    ]
    rows = [
        (
            c.kernel,
            c.key or "any",
            "wrong" if c.default_seconds is None else number(c.default_seconds * 1e6),
            number(c.best_seconds * 1e6),
            f"{c.gain:.2f}x" if c.gain is not None and c.best != c.default else "",
            str(c.tried),
            str(len(c.wrong) or ""),
            variant_label(c.best) if c.best != c.default else "the default",
        )
        for c in result.choices
    ]
    if rows:
        show(console, columns, rows)
    if result.gpu_min_size is not None:
        console.print(_crossover(result.gpu_min_size))
    for key, limits in result.rows.items():
        console.print(f"{key}: {_rows(limits)}", markup=False)
    for job, reason in result.skipped.items():
        console.print(f"skipped {job}: {reason}", style="yellow", markup=False)
    for c in result.choices:
        if c.wrong:
            job = f"{c.kernel} {c.key}".strip()
            console.print(
                f"{job}: {len(c.wrong)} of {c.tried} variants give wrong results on this GPU and are not used "
                f"(the first: {c.wrong[0]}); run `wgpt verify` for details",
                style="red",
                markup=False,
            )


def _rows(limits: Limits) -> str:
    alone = f"up to {limits.alone} rows one by one" if limits.alone > 1 else "no rows one by one"
    first = max(limits.many, limits.alone + 1)
    many = "none" if limits.many >= few_rows.NEVER else f"from {first} on"
    return f"{alone}, {many} by the kernels for many rows"


def _crossover(least: int) -> str:
    if least >= crossover.NEVER:
        return "wgpt.ops on NumPy arrays: the CPU is faster overall and is used at every size"
    return f"wgpt.ops on NumPy arrays: the GPU is used from {least:,} elements, the CPU below"
