"""Reports of a training run: loss.png, and a self-contained report.html.

Without matplotlib there is no loss.png, and the report says so in place of its chart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from ..core.atomic import replacing
from ..plotting import CSS, chart_problem
from .loss_curve import curve_png, curve_svg

CURVE, REPORT = "loss.png", "report.html"


@dataclass(frozen=True)
class Sample:
    """The model's answers to a prompt, before and after training."""

    prompt: str
    before: str
    after: str


@dataclass(frozen=True)
class Run:
    """The contents of a report."""

    title: str
    losses: Sequence[float]  # of steps 1, 2, ...
    evaluations: Sequence[tuple[int, float]] = ()  # (step, held-out loss)
    facts: Mapping[str, str] = field(default_factory=dict)  # model, data, settings, speed, ...
    samples: Sequence[Sample] = ()
    accuracies: Sequence[tuple[int, float]] = ()  # of classification: (step, share of held-out texts)


def without_charts() -> str | None:
    """What the report will lack, and how to get it; None if nothing is missing."""
    problem = chart_problem()
    return None if problem is None else f"no {CURVE}, and no chart in {REPORT}: {problem}"


def write_reports(run: Run, folder: str | Path) -> tuple[Path, Path]:
    """loss.png and report.html in the folder; each is replaced as a whole."""
    curve, report = Path(folder) / CURVE, Path(folder) / REPORT
    if chart_problem() is None:
        with replacing(curve) as file:
            file.write(curve_png(run.losses, run.evaluations, run.title))
    else:
        curve.unlink(missing_ok=True)  # left by the run that is overwritten
    with replacing(report) as file:
        file.write(html(run).encode())
    return curve, report


def html(run: Run) -> str:
    """A self-contained page, without external scripts, fonts or images."""
    facts = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>\n" for name, value in run.facts.items())
    problem = chart_problem()
    chart = curve_svg(run.losses, run.evaluations) if problem is None else f"<p>No chart: {escape(problem)}</p>"
    return page(
        run.title,
        f"""{_summary(run)}
{chart}
{f"<h2>The run</h2><table>{facts}</table>" if facts else ""}
{_samples(run.samples)}
{_evaluations(run)}""",
    )


def page(title: str, body: str, style: str = "") -> str:
    """An HTML document around `body` that follows the reader's light or dark mode; `style` is added CSS."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{CSS}{_STYLE}{style}</style>
</head>
<body>
<h1>{escape(title)}</h1>
{body}
</body>
</html>
"""


def _summary(run: Run) -> str:
    parts = [f"{len(run.losses)} steps"]
    if run.losses:
        parts.append(f"training loss {run.losses[0]:.4f} &rarr; {run.losses[-1]:.4f}")
    if run.evaluations:
        parts.append(f"held-out loss {run.evaluations[0][1]:.4f} &rarr; {run.evaluations[-1][1]:.4f}")
    if run.accuracies:
        parts.append(f"accuracy {run.accuracies[0][1]:.1%} &rarr; {run.accuracies[-1][1]:.1%}")
    return f"<p>{', '.join(parts)}</p>"


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
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto;
  max-width: 60rem; padding: 0 1rem; }
table { border-collapse: collapse; } th, td { text-align: left; vertical-align: top; padding: 0.3rem 1rem 0.3rem 0;
  border-bottom: 1px solid var(--faint); white-space: pre-wrap; } td { overflow-wrap: anywhere; }
"""
