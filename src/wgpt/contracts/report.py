"""Prints a Report: a table for each contract, followed by the details of every failure."""

from __future__ import annotations

import math

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from ..table import Column, show
from .verify import FAIL, PASS, Report, Row

_STYLE = {PASS: "green", FAIL: "bold red"}


def print_report(report: Report, console: Console) -> None:
    """Print to `console`; the last line says whether all obligations hold."""
    for contract in dict.fromkeys(row.contract for row in report.rows):
        _print_table(contract, [row for row in report.rows if row.contract == contract], console)
    for row in report.failed:
        _print_failure(row, console)
    if report.stopped:
        console.print(f"[bold red]stopped:[/] {escape(report.stopped)}")
    console.print(_summary(report))


_COLUMNS = (
    Column("obligation", words=True, least=24),
    Column("trials", drop=2),
    Column("largest error"),
    Column("tolerance", drop=1),
    Column("where it occurred", words=True, drop=3, least=24),
    Column("verdict", words=True, least=7),
    Column("time", drop=4),
)


def _print_table(contract: str, rows: list[Row], console: Console) -> None:
    console.print(contract, style="bold", markup=False)
    cells = [
        (
            row.id,
            str(row.trials),
            _error(row.error),
            _tolerance(row),
            Text(_place(row), "dim"),
            Text(row.verdict, _STYLE.get(row.verdict, "yellow")),
            f"{row.seconds:.1f} s",
        )
        for row in rows
    ]
    show(console, _COLUMNS, cells)


def _error(error: float) -> str:
    return f"{error:.2e}" if math.isfinite(error) and error else "0" if error == 0 else "inf"


def _tolerance(row: Row) -> str:
    return f"{row.tolerance:.2e}" if row.tolerance else "exact"


def _place(row: Row) -> str:
    """Where the largest error occurred; empty if there was none."""
    if row.verdict not in (PASS, FAIL):
        return row.message
    return f"{row.element} of {row.case}" if row.element and row.error else ""


def _print_failure(row: Row, console: Console) -> None:
    console.print(f"\n[bold red]{escape(row.id)}[/] {escape(row.title)}")
    lines = {
        "kernel": f"{row.kernel}[{row.variant}]" if row.variant else row.kernel,
        "case": row.case,
        "element": row.element,
        "error": f"{_error(row.error)}, tolerance {_tolerance(row)}",
        "reason": row.message,
    }
    for name, text in lines.items():
        if text:
            console.print(f"  {name:8} {escape(text)}", soft_wrap=True)


def _summary(report: Report) -> str:
    count, where = len(report.rows), f"{report.gpu} ({report.driver}, {report.backend}, {report.webgpu})"
    trials = f"{report.trials} trials in {report.seconds:.0f} s on {where}"
    if report.passed:
        absent = sum(row.verdict not in (PASS, FAIL) for row in report.rows)
        note = f", {absent} not applicable to this GPU" if absent else ""
        return f"\n[bold green]all hold[/]: {count - absent} of {count} obligations{note}; {escape(trials)}"
    return f"\n[bold red]{len(report.failed)} of {count} obligations FAIL[/]; {escape(trials)}"
