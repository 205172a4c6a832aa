"""The loss curve: what is drawn where, for the PNG and the HTML report alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from .canvas import Canvas, Colour, Point

WIDTH, HEIGHT = 960, 540
LEFT, RIGHT, TOP, BOTTOM = 80, 24, 56, 64  # margins
_MOST_POINTS = 1500  # of a line: more do not fit into its pixels
_INK: Colour = (38, 43, 51)
_FAINT: Colour = (226, 229, 234)
TRAIN: Colour = (42, 104, 196)
HELD_OUT: Colour = (214, 93, 14)


@dataclass(frozen=True)
class Plot:
    """Lines in pixels, and the ticks of both axes as (pixel, text)."""

    raw: list[list[Point]]  # every step's loss; broken where it was no number
    smooth: list[list[Point]]
    held_out: list[Point]
    x_ticks: list[tuple[float, str]]
    y_ticks: list[tuple[float, str]]
    notes: list[str] = field(default_factory=list)


def plot(losses: Sequence[float], evaluations: Sequence[tuple[int, float]] = ()) -> Plot:
    """losses[i] is step i + 1's; evaluations are (step, held-out loss), step 0 being before training."""
    points = [(i + 1, loss) for i, loss in enumerate(losses)]
    held = [(step, loss) for step, loss in evaluations if math.isfinite(loss)]
    finite = [loss for loss in losses if math.isfinite(loss)] + [loss for _, loss in held]
    last = max([len(losses), *(step for step, _ in held)], default=0)
    first = min([1, *(step for step, _ in held)])
    low, high = (min(finite), max(finite)) if finite else (0.0, 1.0)
    if high - low < 1e-9 * max(1.0, abs(high)):
        low, high = low - 0.5, high + 0.5
    low = 0.0 if 0 <= low < 0.35 * high else low
    y_steps = nice_ticks(low, high)
    low, high = min(low, y_steps[0]), max(high, y_steps[-1])
    span = max(1, last - first)

    def place(point: tuple[float, float]) -> Point:
        x = LEFT + (point[0] - first) / span * (WIDTH - LEFT - RIGHT)
        return x, TOP + (high - point[1]) / (high - low) * (HEIGHT - TOP - BOTTOM)

    raw = [[place(p) for p in thinned(run)] for run in _runs(points)]
    smooth = [[place(p) for p in thinned(run)] for run in _runs(_smoothed(points))] if len(losses) >= 10 else []
    lost = sum(not math.isfinite(loss) for loss in losses)
    whole = [tick for tick in nice_ticks(first, max(last, first + 1)) if tick == int(tick)]
    return Plot(
        raw,
        smooth,
        [place(p) for p in held],
        [(place((tick, low))[0], f"{int(tick)}") for tick in whole],
        [(place((first, tick))[1], _short(tick, y_steps)) for tick in y_steps],
        [f"{lost} steps had no finite loss"] if lost else [],
    )


def nice_ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Round numbers within low..high: 1, 2 or 5 times a power of ten apart."""
    rough = (high - low) / about
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= rough * 0.999)
    count = math.floor(high / step + 1e-9) - math.ceil(low / step - 1e-9)
    return [round((math.ceil(low / step - 1e-9) + i) * step, 12) for i in range(count + 1)] or [low, high]


def _short(tick: float, ticks: Sequence[float]) -> str:
    apart = min((b - a for a, b in pairwise(ticks)), default=1.0)
    return f"{tick:.{max(0, min(9, -math.floor(math.log10(apart) + 1e-9)))}f}"


def _runs(points: Sequence[tuple[float, float]]) -> list[list[tuple[float, float]]]:
    """Pieces without gaps."""
    found: list[list[tuple[float, float]]] = [[]]
    for point in points:
        if math.isfinite(point[1]):
            found[-1].append(point)
        elif found[-1]:
            found.append([])
    return [run for run in found if run]


def _smoothed(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """A mean over about a twentieth of the run to both sides, so that it does not lag behind."""
    after, before = _running(points), _running(points[::-1])[::-1]
    return [(x, (one + other) / 2) for (x, one), (_, other) in zip(after, before, strict=True)]


def _running(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    keep = 1 - 1 / max(2.0, len(points) / 20)
    total, weight, found = 0.0, 0.0, []
    for x, y in points:
        if math.isfinite(y):
            total, weight = keep * total + y, keep * weight + 1
            y = total / weight
        found.append((x, y))
    return found


def thinned(run: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """A line of few enough points that looks the same: of each stretch its lowest and its highest."""
    if len(run) <= _MOST_POINTS:
        return list(run)
    stretch = math.ceil(2 * len(run) / _MOST_POINTS)
    found: list[tuple[float, float]] = []
    for at in range(0, len(run), stretch):
        part = run[at : at + stretch]
        found += sorted({min(part, key=lambda p: p[1]), max(part, key=lambda p: p[1])})
    return found


def png(losses: Sequence[float], evaluations: Sequence[tuple[int, float]] = (), title: str = "") -> bytes:
    """The loss curve as a PNG file."""
    drawn, canvas = plot(losses, evaluations), Canvas(WIDTH, HEIGHT)
    right, foot = WIDTH - RIGHT, HEIGHT - BOTTOM
    canvas.lines([[(LEFT, y), (right, y)] for y, _ in drawn.y_ticks], _FAINT, 1)
    canvas.lines([[(LEFT, TOP), (LEFT, foot), (right, foot)]], _INK, 1.2)
    canvas.lines([[(x, foot), (x, foot + 5)] for x, _ in drawn.x_ticks], _INK, 1.2)
    for y, text in drawn.y_ticks:
        canvas.text((LEFT - 10, y + 5), text, _INK, 10, anchor=1)
    for x, text in drawn.x_ticks:
        canvas.text((x, foot + 22), text, _INK, 10, anchor=0.5)
    canvas.text(((LEFT + right) / 2, HEIGHT - 12), "step", _INK, 10, anchor=0.5)
    canvas.text((14, TOP - 16), "loss", _INK, 10)
    canvas.text((LEFT, 24), title[:60], _INK, 13)
    canvas.lines(drawn.raw, TRAIN, 1.2, 0.35 if drawn.smooth else 1.0)
    canvas.lines(drawn.smooth, TRAIN, 2.4)
    canvas.lines([drawn.held_out] if drawn.held_out else [], HELD_OUT, 2)
    canvas.lines([[point] for point in drawn.held_out], HELD_OUT, 8)
    _legend(canvas, bool(drawn.held_out), drawn.notes)
    return canvas.png()


def _legend(canvas: Canvas, held_out: bool, notes: Sequence[str]) -> None:
    entries = [("training", TRAIN)] + ([("held out", HELD_OUT)] if held_out else [])
    for i, (name, colour) in enumerate(entries):
        x = WIDTH - RIGHT - 120 * (len(entries) - i)
        canvas.lines([[(x, 44 - 5), (x + 24, 44 - 5)]], colour, 3)
        canvas.text((x + 32, 44), name, _INK, 10)
    for i, note in enumerate(notes):
        canvas.text((LEFT + 12, TOP + 20 + 18 * i), note, HELD_OUT, 10)
