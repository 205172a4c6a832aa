"""Tables that fit the terminal: if it is narrow, the least important columns are dropped, with a note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

_GAP = 2


@dataclass(frozen=True)
class Column:
    """`words`: left-aligned text that may wrap to `least` characters. `drop`: the highest is dropped first, 0 never."""

    title: str
    words: bool = False
    drop: int = 0
    least: int = 14


Row = Sequence[str | Text]


def show(console: Console, columns: Sequence[Column], rows: Sequence[Row], totals: Row | None = None) -> list[str]:
    """Print rows under their titles, without empty columns. Returns the titles shown."""
    lines = [*rows, totals] if totals is not None else list(rows)
    filled = [i for i in range(len(columns)) if any(len(line[i]) for line in lines)]
    kept = _fitting(columns, lines, filled, console.width)
    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="bold", show_footer=False)
    for i in kept:
        c = columns[i]
        table.add_column(c.title, justify="left" if c.words else "right", no_wrap=not c.words, overflow="fold")
    for line in rows:
        table.add_row(*(_text(line[i]) for i in kept))
    if totals is not None:
        table.add_row(*(_text(totals[i]) for i in kept), style="bold")
    console.print(table)
    hidden = [columns[i].title for i in filled if i not in kept]
    if hidden:
        console.print(f"(columns hidden to fit the width: {', '.join(hidden)}; --json has everything)", style="dim")
    return [columns[i].title for i in kept]


def _fitting(columns: Sequence[Column], lines: Sequence[Row], filled: list[int], width: int) -> list[int]:
    def least(i: int) -> int:
        c = columns[i]
        widest = max(_widest(line[i]) for line in lines) if lines else 0
        return max(cell_len(c.title), min(widest, c.least) if c.words else widest) + _GAP

    kept = list(filled)
    while sum(map(least, kept)) > width:
        candidates = [i for i in kept if columns[i].drop]
        if not candidates:
            break
        kept.remove(max(candidates, key=lambda i: columns[i].drop))
    return kept


def _text(cell: str | Text) -> Text:
    """Plain text, not markup: names of kernels and GPUs may contain brackets."""
    return cell if isinstance(cell, Text) else Text(cell)


def _widest(cell: str | Text) -> int:
    return max((cell_len(line) for line in str(cell).splitlines()), default=0)


def number(value: float | None, digits: int = 3) -> str:
    """1234.5 -> '1,234', 12.345 -> '12.3', 0.0123 -> '0.0123'; None -> ''."""
    if value is None:
        return ""
    if value == 0:
        return "0"
    if abs(value) >= 10 ** (digits - 1):
        return f"{value:,.0f}"
    return f"{value:.{digits}g}" if abs(value) < 1 else f"{value:.{digits - len(str(int(abs(value))))}f}"


def percent(fraction: float | None) -> str:
    return "" if fraction is None else f"{100 * fraction:.0f}%"


def si(value: float) -> str:
    """1.5e9 -> '1.5 G'; 0 -> ''."""
    if not value:
        return ""
    for unit in ("", "k", "M", "G", "T"):
        if abs(value) < 1000:
            return f"{number(value)} {unit}".rstrip()
        value /= 1000
    return f"{number(value)} P"
