"""The HTML page of a comparison of two models: charts by position in the text, and tables."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from ..core.atomic import replacing
from ..table import Column
from .curves import Point, curves, load_page

PAGE_MARK = "<title>Comparison of two models"
SUMMARY = (Column("", words=True), Column("value"))
PLACES = (
    *(Column("tokens", words=True), Column("perplexity of A"), Column("of B"), Column("mean KL"), Column("same token")),
)


def summary_rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
    ratio = f"{facts['perplexity_ratio']:.4f} ± {facts['perplexity_ratio'] * facts['log_ratio_error']:.4f}"
    return [
        ("tokens", f"{facts['tokens']:,}"),
        ("perplexity of A", f"{facts['perplexity_a']:.4f}"),
        ("perplexity of B", f"{facts['perplexity_b']:.4f}"),
        ("B / A", ratio),
        ("KL divergence, mean", f"{facts['kl_mean']:.6f} ± {facts['kl_error']:.6f}"),
        ("KL divergence, median", f"{facts['kl_median']:.6f}"),
        ("KL divergence, 99 %", f"{facts['kl_99']:.6f}"),
        ("KL divergence, largest", f"{facts['kl_max']:.6f}"),
        ("same likeliest token", f"{facts['agreement']:.2%}"),
    ]


def place_rows(groups: Sequence[dict[str, float]]) -> list[tuple[str, ...]]:
    return [
        (
            f"{group['first']:.0f} to {group['last']:.0f}",
            f"{group['perplexity_a']:.3f}",
            f"{group['perplexity_b']:.3f}",
            f"{group['kl_mean']:.6f}",
            f"{group['agreement']:.2%}",
        )
        for group in groups
    ]


def write(path: Path, names: tuple[str, str], facts: dict[str, Any], groups: Sequence[dict[str, float]]) -> None:
    def line(key: str, name: str) -> list[Point]:
        return [Point(g["last"], g[key], f"{name}, tokens {g['first']:.0f} to {g['last']:.0f}") for g in groups]

    where = "place in the text"
    charts = {
        "Perplexity": curves(
            {"A": line("perplexity_a", "A"), "B": line("perplexity_b", "B")}, where, "perplexity", "Perplexity by place"
        ),
        "KL divergence of B from A": curves({"KL": line("kl_mean", "KL")}, where, "nats", "KL divergence by place"),
    }
    about = f"A is {escape(names[0])}, B is {escape(names[1])}."
    rows = [*summary_rows(facts)]
    text = load_page("Comparison of two models", about, SUMMARY, rows, charts, "± is the standard error of the mean.")
    with replacing(path) as file:
        file.write(text.encode())
