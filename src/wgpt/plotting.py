"""Charts for reports, drawn by matplotlib, which is optional (wgpt[charts]) and imported only to draw a chart.

A chart is a function that draws on a matplotlib `Axes`. As SVG it is part of a page: its text stays text, its colours
follow the page (light or dark), and the same data gives the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from .table import si

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INSTALL = "pip install 'wgpt[charts]'"
COLOURS = (
    *("#2a68c4", "#d65d0e", "#3a9a5b", "#a24bb8", "#c43a4b", "#1b9aaa", "#b8860b", "#7a6ff0"),
    *("#8a8f98", "#e06c9f", "#5f8f1f", "#9a6a4a"),
)
INK, FAINT = "#262b33", "#e2e5ea"  # in a PNG; a page defines its own
WIDTH = 900  # of every chart, in points of matplotlib, the unit of margins and text
_PNG_SCALE = 2  # pixels per point
_TIP = "tip:"  # prefix of an element's id that holds its tooltip, until it becomes a <title>
CSS = """
:root { --ink: #262b33; --faint: #e2e5ea; --paper: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #d9dde3; --faint: #2d323b; --paper: #16191e; } }
.chart { overflow-x: auto; } .chart svg { display: block; width: 100%; min-width: 36rem; max-width: 60rem; height: auto;
  stroke-linejoin: round; } .chart text { paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
.legend span { margin-right: 1.2rem; display: inline-block; } .legend i { display: inline-block; width: 0.8em;
  height: 0.8em; margin-right: 0.4em; border-radius: 2px; }
"""
_STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "wgpt",  # makes ids depend on the content alone, not on the time
    "font.family": "DejaVu Sans",  # comes with matplotlib: text has the same width everywhere
    "font.size": 15,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    **{f"{part}.color": INK for part in ("text", "xtick", "ytick")},
    **{"axes.edgecolor": INK, "axes.labelcolor": INK, "grid.color": FAINT, "legend.frameon": False},
}


@dataclass(frozen=True)
class Box:
    """The height of a chart and its margins."""

    height: int
    left: int = 84
    right: int = 24
    top: int = 36
    bottom: int = 56


def chart_problem() -> str | None:
    """Why charts cannot be drawn, and what to install; None if they can."""
    try:
        import matplotlib.backends.backend_agg
        import matplotlib.backends.backend_svg
        import matplotlib.figure  # noqa: F401
    except ModuleNotFoundError as e:
        return f"charts need {(e.name or 'matplotlib').partition('.')[0]}, which is not installed: {INSTALL}"
    except ImportError as e:
        return f"charts need matplotlib, which cannot be imported ({e}): {INSTALL}"
    return None


def svg(draw: Callable[[Axes], None], box: Box, label: str) -> str:
    """The chart as an element of a page; `label` is its name for screen readers."""
    with _drawn(draw, box) as figure:
        for patch in (figure.patch, figure.axes[0].patch):
            patch.set_visible(False)
        none = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata=none)
    return f'<div class="chart">{_inline(file.getvalue(), label)}</div>'


def png(draw: Callable[[Axes], None], box: Box) -> bytes:
    """The chart as a PNG file on white."""
    with _drawn(draw, box) as figure:
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=72 * _PNG_SCALE, facecolor="white", metadata={"Software": None})
    return file.getvalue()


def tip(artist: Artist, text: str) -> None:
    """Give the artist a tooltip."""
    artist.set_gid(_TIP + text)


def titled(axes: Axes, x: str, y: str) -> None:
    """Label both axes: x below its middle, y horizontally above its end."""
    axes.set_xlabel(x, labelpad=8)
    left = axes.get_position().x0 * WIDTH
    axes.annotate(
        y, (0, 1), xytext=(8 - left, 14), xycoords="axes fraction", textcoords="offset points", annotation_clip=False
    )


def short_ticks(axis: Any) -> None:
    """Short tick labels: 5, 0.01, 200 k."""
    axis.set_major_formatter(lambda value, _: _short(value))


def legend(names: list[tuple[str, str]]) -> str:
    """A legend of (name, colour) pairs in HTML, which wraps like a paragraph."""
    items = (f'<span><i style="background:{colour}"></i>{escape(name)}</span>' for name, colour in names)
    return f'<p class="legend">{" ".join(items)}</p>'


def _short(tick: float) -> str:
    digits, _, unit = (si(tick) if tick >= 1000 else f"{tick:g}").partition(" ")
    return f"{float(digits.replace(',', '')):g} {unit}".rstrip()


@contextmanager
def _drawn(draw: Callable[[Axes], None], box: Box) -> Iterator[Figure]:
    """A figure in matplotlib's default style and ours, whatever the user's settings; no window, no global figure."""
    import matplotlib.style
    from matplotlib.figure import Figure

    with matplotlib.style.context(["default", _STYLE]):
        figure = Figure(figsize=(WIDTH / 72, box.height / 72))
        width, height = WIDTH - box.left - box.right, box.height - box.top - box.bottom
        draw(figure.add_axes((box.left / WIDTH, box.bottom / box.height, width / WIDTH, height / box.height)))
        yield figure


def _inline(document: str, label: str) -> str:
    """matplotlib's document as an element, without namespaces and without styles or ids that would affect the page."""
    root = ElementTree.fromstring(document)
    used = {value for element in root.iter() for name, value in element.items() if name.endswith("}href")}
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        for child in [c for c in element if c.tag.rpartition("}")[2] in ("style", "clipPath", "metadata")]:
            element.remove(child)
        _simplify(element, used)
    for name in ("width", "height", "version"):
        root.attrib.pop(name, None)
    root.attrib |= {"role": "img", "aria-label": label}
    return ElementTree.tostring(root, encoding="unicode")


def _simplify(element: ElementTree.Element, used: set[str]) -> None:
    """Remove attributes that a page does not need, and convert the tooltip and the colours."""
    attributes = dict(element.attrib)
    element.attrib.clear()
    for name, value in attributes.items():
        name = name.rpartition("}")[2]
        if name == "id" and value.startswith(_TIP):
            title = ElementTree.Element("title")
            title.text = value.removeprefix(_TIP)
            element.insert(0, title)
        elif name == "style":
            value = value.replace(INK, "var(--ink)").replace(FAINT, "var(--faint)")
            element.set(name, value.replace("'DejaVu Sans'", "system-ui, sans-serif"))
        elif name != "clip-path" and (name != "id" or f"#{value}" in used):  # nothing is drawn beyond the axes
            element.set(name, value)
