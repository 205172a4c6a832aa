"""`wgpt bench decode` and `wgpt bench prefill`: tokens per second of a whole model."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from rich.console import Console

from ..core.progress import Progress
from ..core.sizes import readable_bytes
from ..engine.fixed_batch import FixedBatch
from ..gpu import Pending, Program, probe
from ..gpu.profile import time_program, time_steps
from ..models.network import Network
from ..ops.fallbacks import Fallback, fallback_line
from ..table import number, percent
from .layer import LayerTime, time_layer
from .models import Chosen, check_room, prompts
from .origin import origin
from .submit_clock import SubmitClock
from .timing import wake

_LEAST_REPEATS = 3
_SPARE = 32  # decode positions for the warm-up, and for replays timed by the GPU's clock
_TOKENS, _TOKENS_SOFTWARE = 128, 16
_PRODUCTS = (
    *("gemv_fused", "gemm_fused", "triton_gemv_fused", "triton_gemm_fused", "gemv", "gemm", "gemm_matrix"),
)
_EXPERTS = ("expert_gemv", "expert_gemm", "expert_matrix")


@dataclass(frozen=True)
class Step:
    """One decode step: the next token of every sequence."""

    dispatches: int
    gpu_seconds: float
    cpu_seconds: float  # CPU time to record and submit it, on both threads
    weight_bytes: int
    copy_bytes_per_second: float
    layer: LayerTime
    streamed_bytes: int = 0  # bytes of non-resident layers' weights
    host_bytes_per_second: float = 0.0  # bytes per second of the GPU's copies of these weights

    @property
    def least_streaming_seconds(self) -> float:
        """The least time of a step with weights copied from host memory."""
        return self.streamed_bytes / self.host_bytes_per_second if self.streamed_bytes else 0.0

    @property
    def of_copy(self) -> float:
        """The rate at which weights are read, as a share of the copy rate."""
        return self.weight_bytes / self.gpu_seconds / self.copy_bytes_per_second if self.gpu_seconds else 0.0

    def to_dict(self) -> dict[str, Any]:
        return {
            "dispatches": self.dispatches,
            "gpu_us": self.gpu_seconds * 1e6,
            "cpu_us": self.cpu_seconds * 1e6,
            "weight_bytes": self.weight_bytes,
            "copy_bytes_per_second": self.copy_bytes_per_second,
            "of_copy_bandwidth": self.of_copy,
            "layer": self.layer.to_dict(),
            "streamed_bytes": self.streamed_bytes,
            "host_bytes_per_second": self.host_bytes_per_second or None,
        }


@dataclass(frozen=True)
class Bench:
    """The time of each repetition, by the host's clock."""

    task: str  # "decode" or "prefill"
    origin: dict[str, Any]
    chosen: Chosen
    cache: str
    batch: int
    context: int  # tokens per sequence: where decoding starts, or the length of the prompt
    tokens: int  # tokens of all sequences in one repetition
    seconds: tuple[float, ...]
    gpu_bytes: int
    step: Step | None = None
    kernels: str = "wgsl"
    fallbacks: tuple[Fallback, ...] = ()  # operations without a Triton kernel, which ran on hand-written ones

    @property
    def rate(self) -> float:
        """Tokens per second of all sequences together, in the median repetition."""
        return self.tokens / median(self.seconds)

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.origin,
            "bench": self.task,
            "model": self.chosen.to_dict(),
            "cache": self.cache,
            "kernels": self.kernels,
            "fallbacks": [asdict(fallback) for fallback in self.fallbacks],
            "batch": self.batch,
            "context": self.context,
            "tokens": self.tokens,
            "seconds": list(self.seconds),
            "tokens_per_second": self.rate,
            "tokens_per_second_per_sequence": self.rate / self.batch,
            "gpu_bytes": self.gpu_bytes,
            "step": self.step.to_dict() if self.step else None,
        }


def decode(
    network: Network,
    chosen: Chosen,
    batch: int = 1,
    context: int = 64,
    tokens: int | None = None,
    repeats: int = 5,
    cache: str = "f16",
    progress: Progress | None = None,
    kernels: str = "wgsl",
) -> Bench:
    """Generate `tokens` per sequence greedily; each repetition starts at `context` again."""
    device = network.device
    tokens = tokens or (_TOKENS_SOFTWARE if device.software else _TOKENS)
    capacity = context + max(tokens, _SPARE)
    check_room(network, capacity, context)
    with FixedBatch(network, capacity, batch, cache, kernels=kernels, precision="fast") as running:
        ids = prompts(network, batch, context)
        running.start(ids)
        _warm(running, ids, context)
        seconds, cpu = list[float](), list[float]()
        for i in range(max(_LEAST_REPEATS, repeats)):
            if progress:
                progress(i, repeats, "")
            _rewind(running, ids, context)
            seconds.append(_steps(running, tokens, cpu))
        _rewind(running, ids, context)
        running.send()
        program, bandwidth = running.step_program(context), probe.copy_bandwidth(device)
        gpu_seconds = time_program(program)
        layer = time_layer(program, network.config, batch)
        bus = (network.residency.streamed_bytes, host_bandwidth(program)) if network.uploads else ()
        step = Step(len(program), gpu_seconds, median(cpu), weight_bytes(program), bandwidth, layer, *bus)
        facts = (cache, batch, context, batch * tokens, tuple(seconds), device.bytes_in_use)
        return Bench("decode", origin(device), chosen, *facts, step, kernels, tuple(running.fallbacks))


def host_bandwidth(program: Program) -> float:
    """Bytes per second of a Program's copies from host memory, without its other steps."""
    copies = [(launch, step) for launch, step in zip(program.launches, program.steps, strict=True) if launch.is_copy]
    seconds = time_steps(program.device, [step for _, step in copies])
    return sum(launch.bytes for launch, _ in copies) / seconds if seconds else 0.0


def _rewind(running: FixedBatch, ids: dict[int, list[int]], context: int) -> None:
    """Reset the sequences to the last token of their prompts; layers' states are computed again."""
    for slot in ids:
        running.forget(slot, context - 1 if running.shortens else 0)
    running.start({slot: tokens[-1:] if running.shortens else tokens for slot, tokens in ids.items()})


def _steps(running: FixedBatch, tokens: int, cpu: list[float]) -> float:
    """Seconds of `tokens` steps, each read while the next ones run. Adds the CPU seconds per step to `cpu`."""
    queued: deque[Pending] = deque()
    clock, began = SubmitClock(running.device), time.perf_counter()
    for _ in range(tokens):
        if len(queued) == running.device.ahead:
            queued.popleft().result()
        with clock:
            queued.append(running.step())
    while queued:
        queued.popleft().result()
    cpu.append(clock.seconds / tokens)
    return time.perf_counter() - began


def _warm(running: FixedBatch, ids: dict[int, list[int]], context: int) -> None:
    """Compile; on a GPU, also run steps until it has raised its clocks."""

    def again() -> None:
        _rewind(running, ids, context)
        _steps(running, _SPARE, [])

    _steps(running, 2, [])
    wake(running.device, again)


def weight_bytes(program: Program) -> int:
    """The size of the matrices that a Program multiplies with. For experts: of as many as its rows may choose. Inputs
    and outputs are included, but small."""
    launches = [launch for launch in program.launches if not launch.is_copy]
    computed = {(b.tensor.buffer, b.tensor.offset) for step in launches for b in step.bindings if b.access != "read"}
    read = (
        b.tensor for launch in launches for b in launch.bindings if launch.kernel in _PRODUCTS and b.name in ("w", "s")
    )
    matrices = sum(t.nbytes for t in read if (t.buffer, t.offset) not in computed)
    return matrices + sum(launch.bytes for launch in launches if launch.kernel in _EXPERTS)


def prefill(
    network: Network,
    chosen: Chosen,
    batch: int = 1,
    context: int = 512,
    repeats: int = 5,
    cache: str = "f16",
    progress: Progress | None = None,
    kernels: str = "wgsl",
) -> Bench:
    """Process prompts of `context` tokens, up to the first token that follows each."""
    device = network.device
    check_room(network, context, context)
    with FixedBatch(network, context, batch, cache, kernels=kernels, precision="fast") as running:
        ids = prompts(network, batch, context)
        _read(running, ids)  # compiles
        wake(device, lambda: _read(running, ids))
        seconds = []
        for i in range(max(_LEAST_REPEATS, repeats)):
            if progress:
                progress(i, repeats, "")
            seconds.append(_read(running, ids))
        facts = (cache, batch, context, batch * context, tuple(seconds), device.bytes_in_use)
        fallbacks = tuple(running.fallbacks)
        return Bench("prefill", origin(device), chosen, *facts, kernels=kernels, fallbacks=fallbacks)


def _read(running: FixedBatch, ids: dict[int, list[int]]) -> float:
    began = time.perf_counter()
    for slot in ids:
        running.forget(slot)
    running.first(ids).result()
    return time.perf_counter() - began


def print_generation(bench: Bench, console: Console) -> None:
    console.print(f"{bench.chosen}, on {bench.origin['gpu']['name']}", style="bold", markup=False)
    for line in _lines(bench):
        console.print(line, markup=False)


def _lines(bench: Bench) -> list[str]:
    batch, per = bench.batch, bench.tokens // bench.batch
    each = f", {number(bench.rate / batch)} each" if batch > 1 else ""
    if bench.task == "decode":
        work = (
            f"{per} tokens{f' for each of {batch} sequences' if batch > 1 else ''}, from context length {bench.context}"
        )
    else:
        work = f"{f'{batch} prompts' if batch > 1 else 'a prompt'} of {per} tokens, up to the first token of the answer"
    slowest, fastest = (bench.tokens / f(bench.seconds) for f in (max, min))
    lines = [
        f"{bench.task}: {number(bench.rate, 4)} tok/s{each}",
        f"  {work}; kernels in {bench.kernels}, {bench.cache} cache, GPU memory {readable_bytes(bench.gpu_bytes)}",
        f"  median of {len(bench.seconds)}, from {number(slowest, 4)} to {number(fastest, 4)}",
        *([f"  {fallback_line(bench.fallbacks)}"] if bench.fallbacks else []),
    ]
    if bench.step:
        s = bench.step
        lines += [
            f"  a step: {s.dispatches} dispatches, {number(s.gpu_seconds * 1e6)} us on the GPU, "
            f"{number(s.cpu_seconds * 1e6)} us on the CPU to submit",
            f"  it reads {readable_bytes(s.weight_bytes)} of weights: {percent(s.of_copy)} of the "
            f"{number(s.copy_bytes_per_second / 1e9)} GB/s that a copy reaches",
            f"  a layer: {number(s.layer.gpu_seconds * 1e6)} us on the GPU (the dispatches of all {s.layer.layers} "
            f"layers in one pass, divided by {s.layer.layers})",
            f"  its matrix products alone take NumPy {number(s.layer.numpy_seconds * 1e6)} us in f32: "
            f"{number(s.layer.ratio)} times as long",
        ]
        if s.streamed_bytes:
            lines.append(
                f"  {readable_bytes(s.streamed_bytes)} of them come from host memory at "
                f"{number(s.host_bytes_per_second / 1e9)} GB/s: {number(s.least_streaming_seconds * 1e6)} us at least, "
                f"{percent(s.least_streaming_seconds / s.gpu_seconds if s.gpu_seconds else 0.0)} of the step"
            )
    return lines
