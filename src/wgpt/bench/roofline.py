"""The roofline: how fast a kernel can be on this GPU, given its FLOPs per byte."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..gpu import GpuDevice, probe
from ..plotting import COLOURS, INK, Box, legend, short_ticks, svg, tip, titled
from ..table import number, percent, si
from .explain import Rates
from .kernels import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BOX = Box(560)
_NAMED = (
    "gemv",
    "gemm",
    "attention_decode",
    "attention_prefill",
)  # these are labelled in the chart; others have tooltips only
_ROOMY = 0.8  # share of the width beyond which a label is put to the left of its point
_FAMILIES = {
    "products": ("gemv", "gemm", "matmul", "lora"),
    "attention": ("attention", "rope"),
    "norms and softmax": ("rmsnorm", "layernorm", "softmax"),
    "loss, sampling, optimiser": (
        *("cross_entropy", "adamw", "clip", "square_sum"),
        *("sample", "argmax", "top_logprobs", "begin_step", "start_slot"),
        *("propose", "write_history", "spec_rows", "accept", "draft_"),
    ),
    "the rest": ("",),
}


@dataclass(frozen=True)
class Roofs:
    """The GPU's measured rates: of a copy, and of multiply-adds without memory access."""

    bytes_per_second: float
    f32_flops_per_second: float
    f16_flops_per_second: float | None  # None: f16 is unsupported

    @property
    def rates(self) -> Rates:
        return Rates(self.bytes_per_second, self.f32_flops_per_second)

    def share(self, result: Result) -> float:
        """The reached share of the lower roof: memory or f32."""
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
    """FLOPS by FLOPs per byte, both logarithmic. Kernels that only move bytes are at the left edge, where their
    distance to the roof shows their share of the bandwidth."""
    timed = [r for r in results if not r.skipped]
    edge = _decades([r.flops / r.bytes for r in timed if r.flops] or [1.0])
    low, high = edge[0] / 10, max(edge[1], 10 * roofs.f32_flops_per_second / roofs.bytes_per_second)
    best = max(roofs.f32_flops_per_second, roofs.f16_flops_per_second or 0.0)
    heights = _decades([*(_height(r, low) for r in timed), 2 * best])

    def draw(axes: Axes) -> None:
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlim(low, high)
        axes.set_ylim(*heights)
        axes.minorticks_off()
        _draw_roofs(axes, roofs)
        for result in timed:
            place, colour = max(low, result.flops / result.bytes), COLOURS[_family(result.kernel)]
            (point,) = axes.plot(place, _height(result, low), color=colour, marker="o", markersize=8, alpha=0.8)
            tip(point, _tooltip(result, roofs))
        _label_the_best(axes, timed)
        short_ticks(axes.xaxis)
        short_ticks(axes.yaxis)
        axes.grid()
        titled(axes, "FLOPs per byte (at the left edge: kernels that only move bytes)", "FLOPS")

    legend_items = [(name, COLOURS[i]) for i, name in enumerate(_FAMILIES)]
    return legend(legend_items) + svg(draw, _BOX, "Roofline of every kernel")


def _decades(values: Sequence[float]) -> tuple[float, float]:
    """The powers of ten around positive values."""
    low, high = 10.0 ** math.floor(math.log10(min(values))), 10.0 ** math.ceil(math.log10(max(values)))
    return low, high if high > low else 10 * low


def _height(result: Result, low: float) -> float:
    """The reached FLOPS; for a kernel without FLOPs, the height at the left edge that shows its bandwidth."""
    return result.flops_per_second if result.flops else low * result.bytes_per_second


def _draw_roofs(axes: Axes, roofs: Roofs) -> None:
    (left, right), floor = axes.get_xlim(), axes.get_ylim()[0]
    start = max(left, floor / roofs.bytes_per_second)
    for name, rate in (("f32", roofs.f32_flops_per_second), ("f16", roofs.f16_flops_per_second)):
        if rate is None:
            continue
        places = [start, rate / roofs.bytes_per_second, right]
        axes.plot(places, [start * roofs.bytes_per_second, rate, rate], INK, ls="--" if name == "f16" else "-", lw=1.5)
        under = name == "f32" and roofs.f16_flops_per_second is not None
        _note(axes, f"{name}: {si(rate)}FLOPS", (right, rate), (0, -18 if under else 6), "right")
    middle = (left * roofs.f32_flops_per_second / roofs.bytes_per_second) ** 0.5
    at = middle, max(floor, middle * roofs.bytes_per_second)
    _note(axes, f"copy: {number(roofs.bytes_per_second / 1e9)} GB/s", at, (-8, 8), "right")


def _label_the_best(axes: Axes, timed: Sequence[Result]) -> None:
    """Label the fastest case of the most important kernels."""
    for name in _NAMED:
        cases = [r for r in timed if r.kernel == name and r.flops]
        if cases:
            best = max(cases, key=lambda r: r.flops_per_second)
            place = best.flops / best.bytes, best.flops_per_second
            fits_right = axes.transAxes.inverted().transform(axes.transData.transform(place))[0] < _ROOMY
            _note(axes, name, place, (8 if fits_right else -8, -18), "left" if fits_right else "right")


def _note(axes: Axes, text: str, place: tuple[float, float], offset: tuple[float, float], align: str) -> None:
    axes.annotate(text, place, xytext=offset, textcoords="offset points", horizontalalignment=align)


def _family(kernel: str) -> int:
    return next(i for i, prefixes in enumerate(_FAMILIES.values()) if kernel.startswith(prefixes))


def _tooltip(r: Result, roofs: Roofs) -> str:
    speed = f"{si(r.flops_per_second)}FLOPS, " if r.flops else ""
    speed += f"{number(r.bytes_per_second / 1e9)} GB/s, {percent(roofs.share(r))} of the roof"
    return f"{r.kernel} {r.problem}: {number(r.seconds * 1e6)} us, {speed}. {r.case.note}".strip()
