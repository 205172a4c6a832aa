"""The report's charts of models: the time of a token, speed by context length and batch size, and the peers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from ..gpu.profile import Timed
from ..plotting import COLOURS, FAINT, Box, legend, short_ticks, svg, tip, titled
from ..table import number, percent
from .comparison import TASKS, UNITS, Figure, by_task
from .explain import Explained
from .generation import Bench

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CURVES = Box(360)
_TIMELINE = Box(180, left=10, right=30, top=24, bottom=32)
_BAR = 30  # height of the chart of peers, per bar
_NAMES, _VALUES = 330, 130  # width of the bars' names, and of their values
_ROOM = 1.1  # factor between the outermost points and the edges
_OURS, _THEIRS = COLOURS[0], COLOURS[8]


def timeline(explained: Explained) -> str:
    """Two bars: a token's dispatches in their order, and the same time by kernel."""
    if explained.profile is None:
        return "<p>No times of single dispatches: this GPU does not support timestamp queries.</p>"
    rows, total = explained.profile.rows, explained.profile.seconds
    by_kernel: dict[str, list[Timed]] = {}
    for row in rows:
        by_kernel.setdefault(row.launch.kernel, []).append(row)
    spent = {kernel: sum(row.seconds for row in timed) for kernel, timed in by_kernel.items()}
    order = sorted(spent, key=spent.__getitem__, reverse=True)
    colour = {kernel: COLOURS[i % len(COLOURS)] for i, kernel in enumerate(order)}

    def draw(axes: Axes) -> None:
        end = 0.0
        for i, row in enumerate(rows):
            kernel = row.launch.kernel
            text = f"{i}: {kernel} {row.launch.shape}, {number(row.seconds * 1e6)} us"
            end = _span(axes, 1, end, row.seconds, colour[kernel], text)
        end = 0.0
        for kernel in order:
            text = f"{kernel}: {len(by_kernel[kernel])} dispatches, {number(spent[kernel] * 1e6)} us"
            end = _span(axes, 0, end, spent[kernel], colour[kernel], text)
        axes.set_xlim(0, max(end, 1e-9) * 1e6)
        axes.set_ylim(-0.34, 1.62)
        axes.text(0, 1.42, f"in order: {len(rows)} dispatches, {number(total * 1e6)} us of GPU time")
        axes.text(0, 0.42, "the same, by kernel")
        axes.yaxis.set_visible(False)
        axes.spines[["left", "bottom"]].set_visible(False)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g} us" if value else "0")

    share = {kernel: percent(spent[kernel] / total) if total else "" for kernel in order}
    legend_items = [(f"{k} {len(by_kernel[k])}x, {number(spent[k] * 1e6)} us, {share[k]}", colour[k]) for k in order]
    return f"{svg(draw, _TIMELINE, 'Timeline of one token')}\n{legend(legend_items)}"


def _span(axes: Axes, y: float, start: float, seconds: float, colour: str, text: str) -> float:
    """Draw a section of a bar; returns its end."""
    (piece,) = axes.barh(y, seconds * 1e6, 0.6, left=start * 1e6, color=colour)
    tip(piece, text)
    return start + seconds


def by_context(runs: Mapping[str, Sequence[Bench]]) -> str:
    return _curves(runs, lambda b: b.context, "context length in tokens", "Decode by context length")


def by_batch(runs: Mapping[str, Sequence[Bench]]) -> str:
    return _curves(runs, lambda b: b.batch, "batch size in sequences", "Decode by batch size, all sequences together")


def _curves(runs: Mapping[str, Sequence[Bench]], at: Callable[[Bench], int], x_title: str, label: str) -> str:
    """Tokens per second, with a line per model."""
    places = sorted({at(b) for benches in runs.values() for b in benches})
    if not places:
        return ""
    colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(runs)}

    def draw(axes: Axes) -> None:
        for name, benches in runs.items():
            axes.plot([at(b) for b in benches], [b.rate for b in benches], color=colours[name], linewidth=2)
            for b in benches:
                (point,) = axes.plot([at(b)], [b.rate], color=colours[name], marker="o", markersize=9)
                tip(point, f"{name}, {at(b)}: {number(b.rate, 4)} tok/s")
        axes.set_xscale("log")
        axes.set_xlim(places[0] / _ROOM, places[-1] * _ROOM)
        axes.set_xticks(places, [f"{place:,}" for place in places])
        axes.set_xticks([], minor=True)
        axes.set_ylim(0, 1.08 * max(b.rate for benches in runs.values() for b in benches))
        short_ticks(axes.yaxis)
        axes.grid()
        titled(axes, x_title, "tok/s")

    return legend(list(colours.items())) + svg(draw, _CURVES, label)


def peers(figures: Sequence[Figure]) -> str:
    """Bars for every model and task; if one was skipped, its reason."""
    return "\n".join(
        f"<h3>{escape(model)}: {escape(TASKS[task])}, {unit} ({'more' if UNITS[unit] else 'less'} is better)</h3>\n"
        f"{_bars(compared, f'{model}, {task}')}"
        for (model, task, unit), compared in by_task(figures).items()
    )


def _bars(figures: Sequence[Figure], label: str) -> str:
    names = [f"{f.peer}, {f.mode}" for f in figures]
    most = max((f.value for f in figures if f.value is not None), default=1.0)

    def draw(axes: Axes) -> None:
        for i, f in enumerate(figures):
            if f.value is None:
                _label_right_of(axes, f"skipped: {_shortened(f.skipped or '')}", 0, i)
                continue
            text = f"{number(f.value, 4)} {f.unit}"
            (bar,) = axes.barh(i, f.value, 0.74, color=_OURS if f.peer == "wgpt" else _THEIRS)
            tip(bar, f"{names[i]}: {text}")
            _label_right_of(axes, text, f.value, i)
        axes.set_xlim(0, most)
        axes.set_ylim(len(figures) - 0.5, -0.5)
        axes.set_yticks(range(len(figures)), names)
        axes.tick_params(length=0)
        axes.xaxis.set_visible(False)
        axes.spines["bottom"].set_visible(False)
        axes.spines["left"].set_color(FAINT)

    return svg(draw, Box(_BAR * len(figures) + 8, _NAMES, _VALUES, 4, 4), label)


def _label_right_of(axes: Axes, text: str, x: float, y: float) -> None:
    axes.annotate(text, (x, y), xytext=(8, 0), textcoords="offset points", verticalalignment="center_baseline")


def _shortened(reason: str) -> str:
    return reason if len(reason) <= 60 else f"{reason[:57]}..."
