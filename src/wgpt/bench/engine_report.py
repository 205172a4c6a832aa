"""The results of `wgpt bench engine`: as a table, and as a page with charts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape

from rich.console import Console

from ..core.sizes import readable_bytes
from ..table import Column, number, show
from .curves import Latencies, Point, curves, load_charts, load_page
from .engine import EngineBench, Load
from .engine_scenarios import Scenario

PAGE_MARK = "<title>wgpt bench engine on "
_COLUMNS = (
    *(Column("requests"), Column("arrivals", words=True), Column("tok/s")),
    *(Column("first token ms"), Column("p99", drop=3), Column("between tokens ms"), Column("p99 ", drop=2)),
    *(Column("longest"), Column("cached tokens", drop=4), Column("preempted", drop=5), Column("recorded", drop=6)),
)
_GUESSES = Column("right guesses")  # columns for runs with a draft model
_BUSY = Column("GPUs busy")  # columns for several GPUs


def heading(bench: EngineBench | Scenario) -> str:
    gpus = bench.gpus if isinstance(bench, EngineBench) else ()
    return f"{bench.chosen}, on {', '.join(gpus) or bench.origin['gpu']['name']}"


def work(bench: EngineBench) -> str:
    low, high = bench.prompt
    prompt = f"{low}" if low == high else f"{low} to {high}"
    draft = "" if bench.draft is None else f"; draft model {bench.draft}"
    return (
        f"prompts of {prompt} random tokens, {bench.new} new tokens each; {bench.cache} cache, GPU memory "
        f"{readable_bytes(bench.gpu_bytes)}{draft}"
    )


NOTES = (
    "each load ran before it was measured, with other prompts, so that its Programs were recorded; arrivals (n%): "
    "a Poisson process at n% of the rate at which requests end if all come at once"
)


def columns(bench: EngineBench) -> tuple[Column, ...]:
    return (*_COLUMNS, *([_GUESSES] if bench.draft is not None else []), *([_BUSY] if bench.gpus else []))


def row(bench: EngineBench, load: Load) -> list[str]:
    guesses = [] if bench.draft is None else [f"{load.accepted:,} of {load.drafted:,}"]
    times = (load.first_median, load.first_p99, load.gap_median, load.gap_p99, load.gap_longest)
    return [
        *(str(load.requests), load.arrivals, number(load.tokens_per_second, 4)),
        *(number(seconds * 1e3) for seconds in times),
        *(f"{load.cached_tokens:,}", f"{load.preemptions or ''}", f"{load.recorded or ''}"),
        *guesses,
        *([" ".join(f"{share:.0%}" for share in load.busy)] if bench.gpus else []),
    ]


def print_engine(bench: EngineBench, console: Console) -> None:
    console.print(heading(bench), style="bold", markup=False)
    console.print(work(bench), markup=False)
    show(console, columns(bench), [row(bench, load) for load in bench.loads])
    console.print(NOTES, style="dim", markup=False)


def print_scenario(scenario: Scenario, console: Console) -> None:
    console.print(heading(scenario), style="bold", markup=False)
    for line in scenario.lines:
        console.print(line, markup=False)


def html(bench: EngineBench) -> str:
    charts = load_charts(partial(_curves, bench), "tokens")
    about = f"{escape(str(bench.chosen))}; {escape(work(bench))}<br>{escape(bench.origin['date'])}"
    rows = [row(bench, load) for load in bench.loads]
    return load_page(f"wgpt bench engine on {bench.origin['gpu']['name']}", about, columns(bench), rows, charts, NOTES)


def _curves(bench: EngineBench, value: Callable[[Latencies], float], unit: str, label: str) -> str:
    """A line for each kind of arrivals."""
    lines: dict[str, list[Point]] = {}
    for load in bench.loads:
        name = f"{load.share:.0%} of that rate" if load.share else load.arrivals
        point = Point(load.requests, value(load), f"{load.requests} requests, {load.arrivals}")
        lines.setdefault(name, []).append(point)
    return curves(lines, "requests", unit, f"{label} by number of requests")
