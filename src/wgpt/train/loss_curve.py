"""The loss curve of a training run, for the PNG and the HTML report."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..plotting import COLOURS, Box, png, svg, tip, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TRAIN, HELD_OUT = COLOURS[:2]
_BOX = Box(506, top=72)
_MOST_POINTS = 1500  # most points of a line: more would be invisible
_LEAST_SMOOTHED = 10  # fewest losses to smooth

Points = list[tuple[float, float]]


def curve_png(losses: Sequence[float], evaluations: Sequence[tuple[int, float]] = (), title: str = "") -> bytes:
    return png(_curve(losses, evaluations, title), _BOX)


def curve_svg(losses: Sequence[float], evaluations: Sequence[tuple[int, float]] = ()) -> str:
    return svg(_curve(losses, evaluations, ""), _BOX, "Loss by step")


def _curve(losses: Sequence[float], evaluations: Sequence[tuple[int, float]], title: str) -> Callable[[Axes], None]:
    """losses[i] belongs to step i + 1; evaluations are (step, held-out loss), step 0 is before training."""
    steps = [(float(i + 1), loss) for i, loss in enumerate(losses)]
    held_out = [(float(step), loss) for step, loss in evaluations if math.isfinite(loss)]
    lost = sum(not math.isfinite(loss) for loss in losses)
    smoothed = len(losses) >= _LEAST_SMOOTHED

    def draw(axes: Axes) -> None:
        _lines(axes, steps, TRAIN, 1.2, 0.35 if smoothed else 1.0)
        if smoothed:
            _lines(axes, _smoothed(steps), TRAIN, 2.4)
        _lines(axes, held_out, HELD_OUT, 2)
        for step, loss in held_out:
            (point,) = axes.plot([step], [loss], color=HELD_OUT, marker="o", markersize=8, clip_on=False)
            tip(point, f"step {step:.0f}: held-out loss {loss:.4f}")
        _limit(axes, steps, held_out)
        axes.grid(axis="y")
        titled(axes, "step", "loss")
        axes.set_title(title[:60], loc="left", pad=40, fontsize=18)
        axes.plot([], [], color=TRAIN, linewidth=3, label="training")
        if held_out:
            axes.plot([], [], color=HELD_OUT, linewidth=2, marker="o", markersize=8, label="held out")
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
        if lost:
            axes.text(0.02, 0.95, f"{lost} steps had no finite loss", transform=axes.transAxes)

    return draw


def _lines(axes: Axes, points: Points, colour: str, width: float, alpha: float = 1.0) -> None:
    """A line with gaps where the loss is not finite; a single point between two gaps is a dot."""
    for run in _runs(points):
        x, y = zip(*thinned(run), strict=True)
        axes.plot(x, y, color=colour, linewidth=width, alpha=alpha, marker="." if len(run) == 1 else "")


def _limit(axes: Axes, steps: Points, held_out: Points) -> None:
    """Axis limits: from the first step to the last, and down to 0 if the losses come near it."""
    from matplotlib.ticker import MaxNLocator

    places = [x for x, _ in [*steps, *held_out]]
    first, last = min(places, default=0.0), max(places, default=1.0)
    axes.set_xlim(first, last if last > first else first + 1)
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    axes.ticklabel_format(style="plain", axis="x", useOffset=False)
    axes.set_ymargin(0.03)
    values = [y for _, y in [*steps, *held_out] if math.isfinite(y)]
    if values and 0 <= min(values) < 0.35 * max(values):
        axes.set_ylim(bottom=0)


def _runs(points: Points) -> list[Points]:
    """The sections of a line between gaps."""
    runs: list[Points] = [[]]
    for point in points:
        if math.isfinite(point[1]):
            runs[-1].append(point)
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]


def _smoothed(points: Points) -> Points:
    """A running mean over about a twentieth of the run in both directions, so that it does not lag."""
    after, before = _running(points), _running(points[::-1])[::-1]
    return [(x, (one + other) / 2) for (x, one), (_, other) in zip(after, before, strict=True)]


def _running(points: Points) -> Points:
    keep = 1 - 1 / max(2.0, len(points) / 20)
    total, weight, means = 0.0, 0.0, []
    for x, y in points:
        if math.isfinite(y):
            total, weight = keep * total + y, keep * weight + 1
            y = total / weight
        means.append((x, y))
    return means


def thinned(run: Points) -> Points:
    """A line with fewer points that looks the same: the lowest and highest of each stretch."""
    if len(run) <= _MOST_POINTS:
        return run
    stretch = math.ceil(2 * len(run) / _MOST_POINTS)
    kept: Points = []
    for at in range(0, len(run), stretch):
        part = run[at : at + stretch]
        kept += sorted({min(part, key=lambda p: p[1]), max(part, key=lambda p: p[1])})
    return kept
