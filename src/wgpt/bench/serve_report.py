"""The results of `wgpt bench serve`: as a table, and as a page with charts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape

from rich.console import Console

from ..table import Column, number, show
from .curves import Latencies, Point, curves, load_charts, load_page
from .serve import ServeBench, ServeLoad

PAGE_MARK = "<title>wgpt bench serve: "
_COLUMNS = (
    *(Column("load", words=True), Column("requests"), Column("failed"), Column("tok/s"), Column("first token ms")),
    *(Column("p99", drop=3), Column("between pieces ms"), Column("p99 ", drop=1), Column("longest", drop=2)),
    *(Column("tokens a piece", drop=5), Column("cached tokens", drop=4)),
)
NOTES = (
    "clients send one request after the other; n/s: requests come at random times, n a second on average; each load "
    "ran before it was measured; a piece is what arrives at once"
)


def work(bench: ServeBench) -> str:
    plan = bench.plan
    low, high = plan.prompt
    prompt = f"{low}" if low == high else f"{low} to {high}"
    text = f"prompts of {prompt} random tokens, {plan.new} new tokens each, streamed"
    text += ", JSON by a schema" if plan.schema is not None else ""
    return text + (f"; beside them prompts of {plan.long} tokens, {plan.long_rate:g} a second" if plan.long else "")


def row(load: ServeLoad) -> list[str]:
    times = (load.first_median, load.first_p99, load.gap_median, load.gap_p99, load.gap_longest)
    return [
        *(load.arrivals, f"{load.requests}", f"{load.failed or ''}", number(load.tokens_per_second, 4)),
        *(number(seconds * 1e3) for seconds in times),
        *(number(load.new_tokens / load.pieces), f"{load.cached_tokens:,}"),
    ]


def print_serve(bench: ServeBench, console: Console) -> None:
    console.print(f"{bench.model}, at {bench.url}", style="bold", markup=False)
    console.print(work(bench), markup=False)
    show(console, _COLUMNS, [row(load) for load in bench.loads])
    for error in bench.errors:
        console.print(f"error: {error}", style="red", markup=False)
    console.print(NOTES, style="dim", markup=False)


def html(bench: ServeBench) -> str:
    charts = load_charts(partial(_curves, bench), "pieces")
    about = f"{escape(bench.url)}; {escape(work(bench))}<br>{escape(bench.date)}"
    rows = [row(load) for load in bench.loads]
    return load_page(f"wgpt bench serve: {escape(bench.model)}", about, _COLUMNS, rows, charts, NOTES)


def _curves(bench: ServeBench, value: Callable[[Latencies], float], unit: str, label: str) -> str:
    """A line for clients and one for rates, in separate charts because their axes differ."""
    kinds = {
        "clients": [Point(load.clients, value(load), load.arrivals) for load in bench.loads if load.clients],
        "requests per second": [Point(load.rate, value(load), load.arrivals) for load in bench.loads if load.rate],
    }
    return "".join(curves({name: line}, name, unit, f"{label} by {name}") for name, line in kinds.items() if line)
