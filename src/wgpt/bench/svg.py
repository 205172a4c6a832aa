"""Charts as inline SVG: scales, axes, lines and dots. Colours that read on light paper and on dark."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from ..table import si
from ..train.plot import nice_ticks

COLOURS = (
    *("#2a68c4", "#d65d0e", "#3a9a5b", "#a24bb8", "#c43a4b", "#1b9aaa", "#b8860b", "#7a6ff0"),
    *("#8a8f98", "#e06c9f", "#5f8f1f", "#9a6a4a"),
)
WIDTH = 960
LEFT, RIGHT, TOP, BOTTOM = 84, 24, 32, 60  # margins
Point = tuple[float, float]


@dataclass(frozen=True)
class Scale:
    """From values to pixels; `log` by powers of ten."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        low, high = self.low, self.high
        if self.log:
            low, high, value = math.log10(low), math.log10(high), math.log10(value)
        return self.start + (value - low) / (high - low) * (self.end - self.start)

    def ticks(self) -> list[tuple[float, str]]:
        if not self.log:
            return [(v, _round(v)) for v in nice_ticks(self.low, self.high)]
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        return [(10.0**e, _round(10.0**e)) for e in range(first, last + 1)]


def _round(tick: float) -> str:
    """A round number in few letters: 5, 0.01, 200 k."""
    digits, _, unit = (si(tick) if tick >= 1000 else f"{tick:g}").partition(" ")
    return f"{float(digits.replace(',', '')):g} {unit}".rstrip()


def decades(values: Sequence[float]) -> tuple[float, float]:
    """Whole powers of ten around positive values."""
    low, high = 10.0 ** math.floor(math.log10(min(values))), 10.0 ** math.ceil(math.log10(max(values)))
    return low, high if high > low else 10 * low


@dataclass(frozen=True)
class Frame:
    """Both axes of a chart."""

    x: Scale
    y: Scale
    height: int
    x_title: str
    y_title: str
    x_marks: Sequence[float] = ()  # where there is something to read off; else round numbers

    def draw(self, label: str, parts: Sequence[str]) -> str:
        """The chart, with `parts` on its grid."""
        foot, right = self.height - BOTTOM, WIDTH - RIGHT
        drawn = [f'<svg viewBox="0 0 {WIDTH} {self.height}" role="img" aria-label="{escape(label)}">']
        for value, text in self.y.ticks():
            y = self.y(value)
            drawn.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>')
            drawn.append(words(LEFT - 10, y + 5, text, "end"))
        marks = [(v, f"{v:,.0f}") for v in self.x_marks] or self.x.ticks()
        for value, text in marks:
            x = self.x(value)
            drawn.append(f'<line class="grid" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{foot}"/>')
            drawn.append(words(x, foot + 20, text, "middle"))
        drawn.append(f'<polyline class="axis" points="{LEFT},{TOP} {LEFT},{foot} {right},{foot}"/>')
        drawn.append(words((LEFT + right) / 2, self.height - 12, self.x_title, "middle"))
        drawn.append(words(8, TOP - 14, self.y_title))
        return "\n".join([*drawn, *parts, "</svg>"])


def words(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def line(points: Sequence[Point], colour: str, width: float = 2, dashed: bool = False) -> str:
    text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = ' stroke-dasharray="6 4"' if dashed else ""
    return f'<polyline points="{text}" stroke="{colour}" stroke-width="{width}"{dash}/>'


def dot(at: Point, colour: str, title: str, radius: float = 4) -> str:
    """Says `title` under the pointer."""
    circle = f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius}" fill="{colour}" fill-opacity="0.8">'
    return f"{circle}<title>{escape(title)}</title></circle>"


def box(x: float, y: float, width: float, height: float, colour: str, title: str) -> str:
    rect = f'<rect x="{x:.2f}" y="{y:.1f}" width="{width:.2f}" height="{height}" fill="{colour}">'
    return f"{rect}<title>{escape(title)}</title></rect>"


def legend(names: Sequence[tuple[str, str]]) -> str:
    """(name, colour) as text beside small squares; wraps like a paragraph."""
    items = (f'<span><i style="background:{colour}"></i>{escape(name)}</span>' for name, colour in names)
    return f'<p class="legend">{" ".join(items)}</p>'
