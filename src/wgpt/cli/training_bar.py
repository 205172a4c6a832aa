"""A run as people watch it: a live bar in a terminal, a line now and then in a log."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from ..train.trainer import Moment

_LINES = 20  # of a log, beside the evaluations


@contextmanager
def training_bar() -> Iterator[Callable[[Moment], None]]:
    """Shows each moment that it is given."""
    if not sys.stderr.isatty():
        yield _log
        return
    bar = Progress(
        TextColumn("training"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.description}", markup=False),
        console=Console(stderr=True),
    )
    with bar:
        task = bar.add_task("the first step compiles", total=None)
        held_out: list[str] = []

        def watch(moment: Moment) -> None:
            held_out[:] = _held_out(moment, 3) or held_out
            told = [_loss(moment)] if moment.step else []
            told += held_out
            told += [*_speed(moment), f"{moment.nbytes / 2**30:.2f} GiB"]
            bar.update(task, completed=moment.step, total=moment.total, description="  ".join(told))

        yield watch


def _log(moment: Moment) -> None:
    every = max(1, moment.total // _LINES)
    if moment.held_out is None and moment.step % every and moment.step not in (1, moment.total):
        return
    told = [f"step {moment.step}/{moment.total}"] + ([_loss(moment)] if moment.step else [])
    told += _held_out(moment, 4)
    told += [f"lr {moment.lr:.2e}", f"norm {moment.norm:.3g}", *_speed(moment)] if moment.step else []
    typer.echo("  ".join(told), err=True)


def _loss(moment: Moment) -> str:
    return f"loss {moment.loss:.4f}"


def _held_out(moment: Moment, digits: int) -> list[str]:
    """What was just measured."""
    told = [] if moment.held_out is None else [f"held out {moment.held_out:.{digits}f}"]
    return told + ([] if moment.accuracy is None else [f"accuracy {moment.accuracy:.1%}"])


def _speed(moment: Moment) -> list[str]:
    if math.isnan(moment.left):
        return []
    minutes, seconds = divmod(round(moment.left), 60)
    hours, minutes = divmod(minutes, 60)
    return [f"{moment.rate:,.0f} tok/s", f"{hours}:{minutes:02}:{seconds:02} left"]
