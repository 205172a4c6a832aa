"""What a training run leaves for people to look at: loss.png, and a report.html that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from ..formats.aside import replacing
from .canvas import Colour, Point
from .plot import BOTTOM, HEIGHT, HELD_OUT, LEFT, RIGHT, TOP, TRAIN, WIDTH, plot, png

CURVE, REPORT = "loss.png", "report.html"


@dataclass(frozen=True)
class Sample:
    """What the model says to a prompt, before and after training."""

    prompt: str
    before: str
    after: str


@dataclass(frozen=True)
class Run:
    """A training run as the report tells it."""

    title: str
    losses: Sequence[float]  # of steps 1, 2, ...
    evaluations: Sequence[tuple[int, float]] = ()  # (step, held-out loss)
    facts: Mapping[str, str] = field(default_factory=dict)  # model, data, settings, speed: whatever there is to say
    samples: Sequence[Sample] = ()
    accuracies: Sequence[tuple[int, float]] = ()  # of a classification: (step, share of held-out texts)


def write_reports(run: Run, folder: str | Path) -> tuple[Path, Path]:
    """loss.png and report.html in the folder; each is replaced as a whole."""
    curve, report = Path(folder) / CURVE, Path(folder) / REPORT
    with replacing(curve) as file:
        file.write(png(run.losses, run.evaluations, run.title))
    with replacing(report) as file:
        file.write(html(run).encode())
    return curve, report


def html(run: Run) -> str:
    """A page by itself: no script, no font, no picture from elsewhere."""
    facts = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>\n" for name, value in run.facts.items())
    return page(
        run.title,
        f"""{_summary(run)}
{svg(run.losses, run.evaluations)}
{f"<h2>The run</h2><table>{facts}</table>" if facts else ""}
{_samples(run.samples)}
{_evaluations(run)}""",
    )


def page(title: str, body: str, style: str = "") -> str:
    """A document around `body`, light or dark as the reader has it; `style` comes on top."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{_STYLE}{style}</style>
</head>
<body>
<h1>{escape(title)}</h1>
{body}
</body>
</html>
"""


def svg(losses: Sequence[float], evaluations: Sequence[tuple[int, float]] = ()) -> str:
    """The loss curve, inline."""
    drawn, right, foot = plot(losses, evaluations), WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="Loss by step">']
    for y, text in drawn.y_ticks:
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>')
        parts.append(f'<text x="{LEFT - 10}" y="{y + 5:.1f}" text-anchor="end">{text}</text>')
    for x, text in drawn.x_ticks:
        parts.append(f'<text x="{x:.1f}" y="{foot + 24}" text-anchor="middle">{text}</text>')
    parts.append(f'<polyline class="axis" points="{LEFT},{TOP} {LEFT},{foot} {right},{foot}"/>')
    parts.append(f'<text x="{(LEFT + right) / 2:.0f}" y="{HEIGHT - 12}" text-anchor="middle">step</text>')
    parts.append(f'<text x="14" y="{TOP - 16}">loss</text>')
    parts += [_polyline(run, TRAIN, 1.2, 0.35 if drawn.smooth else 1.0) for run in drawn.raw]
    parts += [_polyline(run, TRAIN, 2.4) for run in drawn.smooth]
    if drawn.held_out:
        parts.append(_polyline(drawn.held_out, HELD_OUT, 2))
    told = [(step, loss) for step, loss in evaluations if loss - loss == 0]
    for (x, y), (step, loss) in zip(drawn.held_out, told, strict=True):
        dot = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{_css(HELD_OUT)}">'
        parts.append(f"{dot}<title>step {step}: held-out loss {loss:.4f}</title></circle>")
    entries = [("training", TRAIN)] + ([("held out", HELD_OUT)] if drawn.held_out else [])
    for i, (name, colour) in enumerate(entries):
        x = right - 120 * (len(entries) - i)
        parts.append(_polyline([(x, 34), (x + 24, 34)], colour, 3))
        parts.append(f'<text x="{x + 32}" y="39">{name}</text>')
    parts += [f'<text x="{LEFT + 12}" y="{TOP + 20}">{escape(note)}</text>' for note in drawn.notes]
    return "\n".join([*parts, "</svg>"])


def _polyline(points: Sequence[Point], colour: Colour, width: float, alpha: float = 1.0) -> str:
    if len(points) == 1:
        (x, y) = points[0]
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{_css(colour)}"/>'
    text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{text}" stroke="{_css(colour)}" stroke-width="{width}" stroke-opacity="{alpha}"/>'


def _css(colour: Colour) -> str:
    return f"#{colour[0]:02x}{colour[1]:02x}{colour[2]:02x}"


def _summary(run: Run) -> str:
    told = [f"{len(run.losses)} steps"]
    if run.losses:
        told.append(f"training loss {run.losses[0]:.4f} &rarr; {run.losses[-1]:.4f}")
    if run.evaluations:
        told.append(f"held-out loss {run.evaluations[0][1]:.4f} &rarr; {run.evaluations[-1][1]:.4f}")
    if run.accuracies:
        told.append(f"accuracy {run.accuracies[0][1]:.1%} &rarr; {run.accuracies[-1][1]:.1%}")
    return f"<p>{', '.join(told)}</p>"


def _samples(samples: Sequence[Sample]) -> str:
    if not samples:
        return ""
    rows = "".join(
        f"<tr><td>{escape(s.prompt)}</td><td>{escape(s.before)}</td><td>{escape(s.after)}</td></tr>\n" for s in samples
    )
    return f"<h2>Before and after</h2><table><tr><th>prompt</th><th>before</th><th>after</th></tr>\n{rows}</table>"


def _evaluations(run: Run) -> str:
    if not run.evaluations:
        return ""
    shares = dict(run.accuracies)
    rows = ""
    for step, loss in run.evaluations:
        share = f"<td>{shares[step]:.1%}</td>" if step in shares else ""
        rows += f"<tr><td>{step}</td><td>{loss:.4f}</td>{share}</tr>\n"
    title, column = ("Held-out loss and accuracy", "<th>accuracy</th>") if shares else ("Held-out loss", "")
    return f"<h2>{title}</h2><table><tr><th>step</th><th>loss</th>{column}</tr>\n{rows}</table>"


_STYLE = """
:root { color-scheme: light dark; --ink: #262b33; --paper: #fff; --faint: #e2e5ea; }
@media (prefers-color-scheme: dark) { :root { --ink: #d9dde3; --paper: #16191e; --faint: #2d323b; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto;
  max-width: 60rem; padding: 0 1rem; }
svg { width: 100%; height: auto; } svg text { fill: var(--ink); font-size: 14px; }
svg polyline { fill: none; stroke-linejoin: round; }
svg .axis { stroke: var(--ink); } svg .grid { stroke: var(--faint); }
table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top; padding: 0.3rem 1rem 0.3rem 0;
  border-bottom: 1px solid var(--faint); white-space: pre-wrap; overflow-wrap: anywhere; }
"""
