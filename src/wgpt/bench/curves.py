"""The HTML page of a load benchmark; its charts have a line for each kind of arrivals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ..core.atomic import replacing
from ..plotting import COLOURS, Box, legend, short_ticks, svg, tip, titled
from ..table import Column, number
from ..train.report import page

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CHART = Box(360)
_ROOM = 1.2  # factor between the outermost points and the edges


class Point(NamedTuple):
    x: float
    y: float
    name: str  # shown with the value


class Latencies(Protocol):
    """The charted values of a load; times are in seconds."""

    @property
    def tokens_per_second(self) -> float: ...
    @property
    def first_p99(self) -> float: ...
    @property
    def gap_p99(self) -> float: ...


def load_charts(chart: Callable[[Callable[[Latencies], float], str, str], str], things: str) -> dict[str, str]:
    """Charts by heading.

    `chart` draws a value of each load with its unit and a label; `things`: what clients wait for.
    """
    return {
        "Throughput": chart(lambda load: load.tokens_per_second, "tok/s", "Throughput"),
        "Time to the first token, 99th percentile": chart(
            lambda load: load.first_p99 * 1e3, "ms", "Time to the first token"
        ),
        f"Time between {things}, 99th percentile": chart(
            lambda load: load.gap_p99 * 1e3, "ms", f"Time between {things}"
        ),
    }


def load_page(
    title: str,
    about: str,
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    charts: Mapping[str, str],
    notes: str,
) -> str:
    """A page with charts by heading, the table, and notes. `about` and the charts are HTML."""
    head = "".join(f"<th>{escape(column.title)}</th>" for column in columns)
    cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    table = "\n".join(f"<tr>{each}</tr>" for each in cells)
    body = [f"<p>{about}</p>", *(part for heading, chart in charts.items() for part in (f"<h2>{heading}</h2>", chart))]
    body += [f'<div class="wide"><table><tr>{head}</tr>\n{table}</table></div>', f"<p>{escape(notes)}</p>"]
    return page(title, "\n".join(body))


def write_page(path: Path, html: str) -> None:
    with replacing(path) as file:
        file.write(html.encode())


def curves(lines: Mapping[str, Sequence[Point]], x_label: str, unit: str, label: str) -> str:
    """Lines by name as SVG, with a legend; the horizontal axis is logarithmic."""
    colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(lines)}
    points = [point for line in lines.values() for point in line]
    places = sorted({point.x for point in points})

    def draw(axes: Axes) -> None:
        for name, line in lines.items():
            axes.plot([p.x for p in line], [p.y for p in line], color=colours[name], linewidth=2)
            for p in line:
                (drawn,) = axes.plot([p.x], [p.y], color=colours[name], marker="o", markersize=9)
                tip(drawn, f"{p.name}: {number(p.y, 4)} {unit}")
        axes.set_xscale("log")
        axes.set_xlim(places[0] / _ROOM, places[-1] * _ROOM)
        axes.set_xticks(places, [f"{place:,g}" for place in places])
        axes.set_xticks([], minor=True)
        axes.set_ylim(0, 1.08 * max(p.y for p in points) or 1)
        short_ticks(axes.yaxis)
        axes.grid()
        titled(axes, x_label, unit)

    return legend(list(colours.items())) + svg(draw, _CHART, label)
