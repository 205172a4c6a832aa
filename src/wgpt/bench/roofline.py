"""The roofline: how fast a kernel can be on this adapter, by how much it computes for each byte it moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..gpu import GpuDevice, probe
from ..table import number, percent, si
from .explain import Rates
from .kernels import Result
from .svg import BOTTOM, COLOURS, LEFT, RIGHT, TOP, WIDTH, Frame, Scale, decades, dot, legend, line, words

_HEIGHT = 560
_NAMED = ("gemv", "gemm", "attention_decode", "attention_prefill")  # in the chart itself; all under the pointer
_FAMILIES = {
    "products": ("gemv", "gemm", "matmul", "lora"),
    "attention": ("attention", "rope"),
    "norms and softmax": ("rmsnorm", "layernorm", "softmax"),
    "loss, sampling, optimiser": ("cross_entropy", "sample", "argmax", "adamw", "clip", "mark_seen", "square_sum"),
    "the rest": ("",),
}


@dataclass(frozen=True)
class Roofs:
    """What the adapter was measured to do: a copy, and multiply-adds that touch no memory."""

    bytes_per_second: float
    f32_flops_per_second: float
    f16_flops_per_second: float | None  # None: it has no f16

    @property
    def rates(self) -> Rates:
        return Rates(self.bytes_per_second, self.f32_flops_per_second)

    def share(self, result: Result) -> float:
        """Of the speed that the nearer roof, memory or f32, allows."""
        return self.rates.bound(result)[1] / result.seconds

    def to_dict(self) -> dict[str, Any]:
        return {
            "copy_bytes_per_second": self.bytes_per_second,
            "f32_flops_per_second": self.f32_flops_per_second,
            "f16_flops_per_second": self.f16_flops_per_second,
        }

    def __str__(self) -> str:
        half = f", {si(self.f16_flops_per_second)}FLOPS in f16" if self.f16_flops_per_second else ", no f16"
        copied = number(self.bytes_per_second / 1e9)
        return f"copies {copied} GB/s (read + written), {si(self.f32_flops_per_second)}FLOPS in f32{half}"


def measure(device: GpuDevice) -> Roofs:
    half = probe.fma_rate(device, "f16") if device.traits.f16 else None
    return Roofs(probe.copy_bandwidth(device), probe.fma_rate(device), half)


def chart(roofs: Roofs, results: Sequence[Result]) -> str:
    """FLOPS by FLOPs per byte, both logarithmic. Kernels that only move bytes stand at the left edge, where their
    height below the roof is their share of the bandwidth."""
    timed = [r for r in results if not r.skipped]
    edge = decades([r.flops / r.bytes for r in timed if r.flops] or [1.0])
    low, high = edge[0] / 10, max(edge[1], 10 * roofs.f32_flops_per_second / roofs.bytes_per_second)
    best = max(roofs.f32_flops_per_second, roofs.f16_flops_per_second or 0.0)
    rates = [_height(r, low) for r in timed]
    x = Scale(low, high, LEFT, WIDTH - RIGHT, log=True)
    y = Scale(*decades([*rates, 2 * best]), _HEIGHT - BOTTOM, TOP, log=True)
    parts = _roofs(roofs, x, y)
    for result in timed:
        at = x(max(low, result.flops / result.bytes)), y(_height(result, low))
        parts.append(dot(at, COLOURS[_family(result.kernel)], _told(result, roofs)))
    for name in _NAMED:
        found = [r for r in timed if r.kernel == name and r.flops]
        if found:
            top = max(found, key=lambda r: r.flops_per_second)
            left, foot = x(top.flops / top.bytes), y(top.flops_per_second) + 18
            parts.append(words(left + 6, foot, name) if left < WIDTH - 160 else words(left - 6, foot, name, "end"))
    frame = Frame(x, y, _HEIGHT, "FLOPs per byte (at the left edge: kernels that only move bytes)", "FLOPS")
    named = [(name, COLOURS[i]) for i, name in enumerate(_FAMILIES)]
    return legend(named) + frame.draw("Roofline of every kernel", parts)


def _height(result: Result, low: float) -> float:
    """FLOPS; of what computes nothing, as if it were at the left edge."""
    return result.flops_per_second if result.flops else low * result.bytes_per_second


def _roofs(roofs: Roofs, x: Scale, y: Scale) -> list[str]:
    parts = []
    for name, rate in (("f32", roofs.f32_flops_per_second), ("f16", roofs.f16_flops_per_second)):
        if rate is None:
            continue
        knee = rate / roofs.bytes_per_second
        start = max(x.low, y.low / roofs.bytes_per_second)
        points = [(start, start * roofs.bytes_per_second), (knee, rate), (x.high, rate)]
        parts.append(line([(x(a), y(b)) for a, b in points], "currentColor", 1.5, dashed=name == "f16"))
        under = name == "f32" and roofs.f16_flops_per_second is not None
        parts.append(words(WIDTH - RIGHT, y(rate) + (16 if under else -6), f"{name}: {si(rate)}FLOPS", "end"))
    label = f"copy: {number(roofs.bytes_per_second / 1e9)} GB/s"
    middle = (x.low * roofs.f32_flops_per_second / roofs.bytes_per_second) ** 0.5
    return [*parts, words(x(middle) - 8, y(max(y.low, middle * roofs.bytes_per_second)) - 8, label, "end")]


def _family(kernel: str) -> int:
    return next(i for i, begins in enumerate(_FAMILIES.values()) if kernel.startswith(begins))


def _told(r: Result, roofs: Roofs) -> str:
    speed = f"{si(r.flops_per_second)}FLOPS, " if r.flops else ""
    speed += f"{number(r.bytes_per_second / 1e9)} GB/s, {percent(roofs.share(r))} of the roof"
    return f"{r.kernel} {r.problem}: {number(r.seconds * 1e6)} us, {speed}. {r.case.note}".strip()
