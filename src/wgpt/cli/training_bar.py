"""Progress of a training run: a live bar in a terminal, an occasional line in a log."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from ..train.trainer import Moment
from .progress import Lines, duration, progress_lines
from .styles import console, watched

_LINES = 20  # in a log, besides the evaluations


@contextmanager
def training_bar() -> Iterator[Callable[[Moment], None]]:
    """A function that shows the progress at each moment."""
    if not watched(sys.stderr):
        with progress_lines("training") as lines:
            yield partial(_log, lines)
        return
    bar = Progress(
        TextColumn("training"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("{task.description}", markup=False),
        console=console(stderr=True),
    )
    with bar:
        task = bar.add_task("compiling", total=None)
        held_out: list[str] = []

        def watch(moment: Moment) -> None:
            held_out[:] = _held_out(moment, 3) or held_out
            parts = [_loss(moment)] if moment.step else []
            parts += held_out
            parts += [*_speed(moment), f"{moment.nbytes / 2**30:.2f} GiB"]
            bar.update(task, completed=moment.step, total=moment.total, description="  ".join(parts))

        yield watch


def _log(lines: Lines, moment: Moment) -> None:
    lines.step(moment.step, moment.total, _loss(moment) if moment.step else "")
    every = max(1, moment.total // _LINES)
    if moment.held_out is None and moment.step % every and moment.step not in (1, moment.total):
        return
    parts = [f"step {moment.step}/{moment.total}"] + ([_loss(moment)] if moment.step else [])
    parts += _held_out(moment, 4)
    parts += [f"lr {moment.lr:.2e}", f"norm {moment.norm:.3g}", *_speed(moment)] if moment.step else []
    lines.say("  ".join(parts))


def _loss(moment: Moment) -> str:
    return f"loss {moment.loss:.4f}"


def _held_out(moment: Moment, digits: int) -> list[str]:
    """The evaluation at this moment, if there was one."""
    parts = [] if moment.held_out is None else [f"held out {moment.held_out:.{digits}f}"]
    return parts + ([] if moment.accuracy is None else [f"accuracy {moment.accuracy:.1%}"])


def _speed(moment: Moment) -> list[str]:
    if math.isnan(moment.left):
        return []
    return [f"{moment.rate:,.0f} tok/s", f"{duration(moment.left)} left"]
