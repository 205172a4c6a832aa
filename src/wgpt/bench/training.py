"""`wgpt bench train`: the time of a LoRA or QLoRA step, by kernel, and its memory."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console

from ..core.progress import Progress
from ..core.sizes import readable_bytes
from ..engine.errors import ContextError
from ..gpu import Program, probe
from ..gpu.profile import time_program
from ..models.config import Config
from ..models.network import Network
from ..models.targets import linear_rows
from ..ops.lora import LoraLayers
from ..table import Column, number, percent, show, si
from ..train.batches import Batch, make_batch
from ..train.initial import factors_of
from ..train.recipe import Recipe
from ..train.step import TrainStep
from ..train.tokens import Example
from .models import Chosen
from .origin import origin
from .submit_clock import SubmitClock
from .timing import wake

_LEAST_STEPS = 3
_STEPS, _STEPS_SOFTWARE = 10, 3
_LENGTH, _LENGTH_SOFTWARE = 512, 32
_LR = 1e-5


@dataclass(frozen=True)
class Work:
    """All dispatches of a kernel in one step."""

    kernel: str
    count: int
    seconds: float
    flops: int
    bytes: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "kernel": self.kernel,
            "dispatches": self.count,
            "gpu_ms": self.seconds * 1e3,
            "flops": self.flops,
            "bytes": self.bytes,
        }


@dataclass(frozen=True)
class Training:
    """Steps of forward, backward, clipping and AdamW; `seconds` of each by the host's clock, until its loss is read."""

    origin: dict[str, Any]
    chosen: Chosen
    batch: int
    length: int
    rank: int
    targets: tuple[str, ...]
    checkpointing: bool
    precision: str
    parameters: int  # trainable parameters
    seconds: tuple[float, ...]
    gpu_seconds: float
    cpu_seconds: float  # CPU time to encode and submit a step
    dispatches: int
    flops: int
    flops_per_second: float  # multiply-adds per second measured on this GPU, in f32
    memory: dict[str, int]
    peak_bytes: int
    kernels: tuple[Work, ...] = ()  # empty without timestamp queries

    @property
    def tokens(self) -> int:
        return self.batch * self.length

    @property
    def step_seconds(self) -> float:
        return median(self.seconds)

    @property
    def rate(self) -> float:
        """Tokens per second."""
        return self.tokens / self.step_seconds

    @property
    def of_arithmetic(self) -> float:
        """The reached FLOPS, as a share of the multiply-add rate."""
        return self.flops / self.gpu_seconds / self.flops_per_second if self.gpu_seconds else 0.0

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.origin,
            "bench": "train",
            "model": self.chosen.to_dict(),
            "batch": self.batch,
            "seq": self.length,
            "tokens": self.tokens,
            "rank": self.rank,
            "targets": list(self.targets),
            "checkpointing": self.checkpointing,
            "precision": self.precision,
            "parameters": self.parameters,
            "seconds": list(self.seconds),
            "step_ms": self.step_seconds * 1e3,
            "tokens_per_second": self.rate,
            "gpu_ms": self.gpu_seconds * 1e3,
            "cpu_ms": self.cpu_seconds * 1e3,
            "dispatches": self.dispatches,
            "flops": self.flops,
            "f32_flops_per_second": self.flops_per_second,
            "of_f32_arithmetic": self.of_arithmetic,
            "memory_bytes": dict(self.memory),
            "peak_bytes": self.peak_bytes,
            "kernels": [work.to_dict() for work in self.kernels],
        }


def default_targets(config: Config) -> tuple[str, ...]:
    """q and v, as in the LoRA paper, or the fused layer that contains both; by the last part of the name."""
    names = (row.name.rsplit(".", 1)[-1] for row in linear_rows(config) if row.part in ("q", "v", "qkv"))
    return tuple(dict.fromkeys(names))


def train(
    network: Network,
    chosen: Chosen,
    batch: int = 4,
    length: int | None = None,
    rank: int = 16,
    targets: Sequence[str] = (),
    checkpointing: bool = False,
    steps: int | None = None,
    progress: Progress | None = None,
    precision: str = "fast",
) -> Training:
    """Train on random tokens, the same ones in every step."""
    device, config = network.device, network.config
    length = length or (_LENGTH_SOFTWARE if device.software else _LENGTH)
    if length > config.context:
        raise ContextError(
            f"a sequence length of {length} exceeds the model's context length of {config.context}: use a shorter --seq"
        )
    steps = max(_LEAST_STEPS, steps or (_STEPS_SOFTWARE if device.software else _STEPS))
    recipe = Recipe(
        rank=rank,
        targets=tuple(targets) or default_targets(config),
        checkpointing=checkpointing,
        precision=precision,
    )
    random_batch = _random_batch(config, batch, length)
    with _step_of(network, recipe, random_batch, length) as (step, adapters):
        times: list[tuple[float, float]] = []
        _timed_step(step, random_batch, 1)  # compiles
        wake(device, lambda: _timed_step(step, random_batch, 1))
        for i in range(steps):
            if progress:
                progress(i, steps, "")
            times.append(_timed_step(step, random_batch, i + 2))
        programs, repeats = list(step.programs), 1 if device.software else 5
        peak = device.peak_bytes
        return Training(
            origin(device),
            chosen,
            batch,
            length,
            rank,
            recipe.targets,
            checkpointing,
            precision,
            parameters=sum(a * k + n * b for (a, k), (n, b) in adapters.shapes.values()),
            seconds=tuple(seconds for seconds, _ in times),
            gpu_seconds=sum(time_program(program, repeats=repeats) for program in programs),
            cpu_seconds=median(cpu for _, cpu in times),
            dispatches=sum(map(len, programs)),
            flops=sum(program.flops for program in programs),
            flops_per_second=probe.fma_rate(device),
            memory=_memory(network, step, peak),
            peak_bytes=peak,
            kernels=_kernels(programs, repeats) if "timestamp-query" in device.features else (),
        )


def _random_batch(config: Config, batch: int, length: int) -> Batch:
    ids = np.random.default_rng(0).integers(0, config.vocab, (batch, length)).astype(np.int32)
    examples = [Example(row, np.ones(length, np.bool_)) for row in ids]
    return make_batch(examples, range(batch), batch * (length - 1))


@contextmanager
def _step_of(
    network: Network, recipe: Recipe, batch: Batch, length: int
) -> Iterator[tuple[TrainStep, LoraLayers]]:
    adapters = LoraLayers(network.device, factors_of(network.config, recipe))
    try:
        step = TrainStep(
            network,
            adapters,
            batch.m,
            batch.slots,
            length,
            checkpointing=recipe.checkpointing,
            precision=recipe.precision,
        )
        try:
            yield step, adapters
        finally:
            step.release()
    finally:
        adapters.release()


def _timed_step(step: TrainStep, batch: Batch, number: int) -> tuple[float, float]:
    """Seconds of a step until its loss is on the host, and the CPU seconds to submit it."""
    clock, began = SubmitClock(step.device), time.perf_counter()
    with clock:
        pending = step.gradients(batch), step.update(_LR, number)
    for result in pending:
        result.result()
    return time.perf_counter() - began, clock.seconds


def _memory(network: Network, step: TrainStep, peak: int) -> dict[str, int]:
    sizes = {
        "weights": network.nbytes,
        "activations and logits": step.heap.nbytes,
        "keys and values": step.cache.nbytes,
    }
    sizes["adapters, gradients and moments"] = step.nbytes - step.heap.nbytes - step.cache.nbytes
    return {**sizes, "the rest": peak - sum(sizes.values())}


def _kernels(programs: Sequence[Program], repeats: int) -> tuple[Work, ...]:
    """The work of each kernel, the longest first."""
    rows = defaultdict(list)
    for program in programs:
        for row in program.profile(repeats).rows:
            rows[row.launch.kernel].append(row)
    kernels = [
        Work(
            name,
            len(timed),
            sum(row.seconds for row in timed),
            sum(row.launch.flops for row in timed),
            sum(row.launch.bytes for row in timed),
        )
        for name, timed in rows.items()
    ]
    return tuple(sorted(kernels, key=lambda work: -work.seconds))


def print_training(bench: Training, console: Console) -> None:
    console.print(f"{bench.chosen}, on {bench.origin['gpu']['name']}", style="bold", markup=False)
    for line in _lines(bench):
        console.print(line, markup=False)
    if bench.kernels:
        _table(bench, console)


def _lines(bench: Training) -> list[str]:
    ms = [seconds * 1e3 for seconds in bench.seconds]
    recomputed = ", activations recomputed" if bench.checkpointing else ""
    exact = ", exact products" if bench.precision == "exact" else ""
    memory = ", ".join(f"{name} {readable_bytes(size)}" for name, size in bench.memory.items())
    return [
        f"train: {number(bench.step_seconds * 1e3, 4)} ms a step, {number(bench.rate, 4)} tok/s",
        f"  {bench.batch} x {bench.length} tokens; LoRA of rank {bench.rank} on {', '.join(bench.targets)}: "
        f"{bench.parameters:,} parameters{recomputed}{exact}",
        f"  median of {len(ms)}, from {number(min(ms), 4)} to {number(max(ms), 4)} ms",
        f"  {bench.dispatches} dispatches, {number(bench.gpu_seconds * 1e3)} ms on the GPU, "
        f"{number(bench.cpu_seconds * 1e3)} ms on the CPU to submit",
        f"  {si(bench.flops)}FLOPs: {percent(bench.of_arithmetic)} of the {si(bench.flops_per_second)}FLOPS "
        "that multiply-adds alone reach in f32",
        f"  peak GPU memory {readable_bytes(bench.peak_bytes)}: {memory}",
    ]


def _table(bench: Training, console: Console) -> None:
    total = sum(work.seconds for work in bench.kernels)
    columns = [
        Column("kernel", words=True, least=22),
        Column("dispatches", drop=3),
        Column("ms"),
        Column("% of step", drop=1),
        Column("GFLOPS", drop=2),
        Column("% of f32", drop=4),
        Column("GB/s", drop=5),
    ]
    rows = [_cells(work, bench, total) for work in bench.kernels]
    count = sum(work.count for work in bench.kernels)
    show(console, columns, rows, ("sum, timed one by one", str(count), number(total * 1e3), "", "", "", ""))


def _cells(work: Work, bench: Training, total: float) -> Sequence[str]:
    rate = work.flops / work.seconds if work.seconds else 0.0
    return (
        work.kernel,
        str(work.count),
        number(work.seconds * 1e3),
        percent(work.seconds / total if total else 0.0),
        number(rate / 1e9) if work.flops else "",
        percent(rate / bench.flops_per_second) if work.flops else "",
        number(work.bytes / work.seconds / 1e9) if work.seconds else "",
    )
