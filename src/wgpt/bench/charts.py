"""The report's charts of models: where a token's time goes, speed by context and batch, and the peers as bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from ..gpu.profile import Timed
from ..table import number, percent
from .comparison import UNITS, WHATS, Figure, beside
from .explain import Explained
from .generation import Bench
from .svg import BOTTOM, COLOURS, LEFT, RIGHT, TOP, WIDTH, Frame, Scale, box, dot, legend, line, words

_HEIGHT, _BAR, _STEP = 360, 22, 30
_NAMES = 350  # pixels for the names of bars


def timeline(explained: Explained) -> str:
    """Two bars: a token's dispatches in their order, and the same time by kernel."""
    if explained.profile is None:
        return "<p>No times of single dispatches: this adapter has no timestamp queries.</p>"
    rows, total = explained.profile.rows, explained.profile.seconds
    by_kernel: dict[str, list[Timed]] = {}
    for row in rows:
        by_kernel.setdefault(row.launch.kernel, []).append(row)
    spent = {k: sum(r.seconds for r in found) for k, found in by_kernel.items()}
    order = sorted(spent, key=spent.__getitem__, reverse=True)
    colour = {kernel: COLOURS[i % len(COLOURS)] for i, kernel in enumerate(order)}
    scale = Scale(0, max(total, 1e-9) * 1e6, 8, WIDTH - 8)
    parts = [f'<svg viewBox="0 0 {WIDTH} 178" role="img" aria-label="Timeline of one token">']
    parts.append(words(8, 16, f"in order: {len(rows)} dispatches, {number(total * 1e6)} us of GPU time"))
    end = 0.0
    for i, row in enumerate(rows):
        what = f"{i}: {row.launch.kernel} {row.launch.shape}, {number(row.seconds * 1e6)} us"
        parts.append(_span(scale, end, row.seconds, 24, colour[row.launch.kernel], what))
        end += row.seconds
    parts.append(words(8, 98, "the same, by kernel"))
    end = 0.0
    for kernel in order:
        what = f"{kernel}: {len(by_kernel[kernel])} dispatches, {number(spent[kernel] * 1e6)} us"
        parts.append(_span(scale, end, spent[kernel], 106, colour[kernel], what))
        end += spent[kernel]
    parts += [words(scale(v), 170, f"{text} us" if v else "0", _anchor(scale, v)) for v, text in scale.ticks()]
    share = {k: percent(spent[k] / total) if total else "" for k in order}
    named = [(f"{k} {len(by_kernel[k])}x, {number(spent[k] * 1e6)} us, {share[k]}", colour[k]) for k in order]
    return "\n".join([*parts, "</svg>", legend(named)])


def _span(scale: Scale, start: float, seconds: float, y: float, colour: str, title: str) -> str:
    left, right = scale(start * 1e6), scale((start + seconds) * 1e6)
    return box(left, y, max(right - left - 0.3, 0.3), 44, colour, title)


def _anchor(scale: Scale, value: float) -> str:
    return "start" if value == scale.low else "end" if scale(value) > WIDTH - 60 else "middle"


def by_context(runs: Mapping[str, Sequence[Bench]]) -> str:
    return _curves(runs, lambda b: b.context, "tokens in the cache when it begins", "Decode by context length")


def by_batch(runs: Mapping[str, Sequence[Bench]]) -> str:
    return _curves(runs, lambda b: b.batch, "sequences at once", "Decode by batch size, all sequences together")


def _curves(runs: Mapping[str, Sequence[Bench]], at: Callable[[Bench], int], x_title: str, label: str) -> str:
    """Tokens a second; a line for each model."""
    found = [b for benches in runs.values() for b in benches]
    if not found:
        return ""
    places = sorted({at(b) for b in found})
    high = places[-1] if places[-1] > places[0] else places[0] * 2
    x = Scale(places[0], high, LEFT + 12, WIDTH - RIGHT - 12, log=True)
    y = Scale(0, 1.08 * max(b.rate for b in found), _HEIGHT - BOTTOM, TOP)
    parts, named = list[str](), list[tuple[str, str]]()
    for (name, benches), colour in zip(runs.items(), COLOURS * len(runs), strict=False):
        points = [(x(at(b)), y(b.rate)) for b in benches]
        parts += [line(points, colour)] if len(points) > 1 else []
        parts += [
            dot(point, colour, f"{name}, {at(b)}: {number(b.rate, 4)} tok/s", 5)
            for point, b in zip(points, benches, strict=True)
        ]
        named.append((name, colour))
    return legend(named) + Frame(x, y, _HEIGHT, x_title, "tok/s", places).draw(label, parts)


def peers(figures: Sequence[Figure]) -> str:
    """Bars for every model and task; what was skipped has its reason instead."""
    return "\n".join(
        f"<h3>{escape(model)}: {escape(WHATS[what])}, {unit} ({'more' if UNITS[unit] else 'less'} is better)</h3>\n"
        f"{_bars(found, f'{model}, {what}')}"
        for (model, what, unit), found in beside(figures).items()
    )


def _bars(figures: Sequence[Figure], label: str) -> str:
    most = max((f.value for f in figures if f.value is not None), default=1.0)
    scale = Scale(0, most, _NAMES, WIDTH - 130)
    parts = [f'<svg viewBox="0 0 {WIDTH} {_STEP * len(figures) + 8}" role="img" aria-label="{escape(label)}">']
    for i, f in enumerate(figures):
        y, name = 4 + i * _STEP, f"{f.peer}, {f.mode}"
        parts.append(words(_NAMES - 10, y + 16, name, "end"))
        if f.value is None:
            parts.append(words(_NAMES, y + 16, f"skipped: {_short(f.skipped or '')}"))
            continue
        colour, told = COLOURS[0 if f.peer == "wgpt" else 8], f"{number(f.value, 4)} {f.unit}"
        parts.append(box(_NAMES, y, max(1.0, scale(f.value) - _NAMES), _BAR, colour, f"{name}: {told}"))
        parts.append(words(scale(f.value) + 8, y + 16, told))
    return "\n".join([*parts, "</svg>"])


def _short(reason: str) -> str:
    return reason if len(reason) <= 90 else f"{reason[:87]}..."
