"""Progress on stderr: a moving bar in a terminal, a line now and then in a pipe or a log."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import rich.progress
import typer
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Column

from ..core.progress import Progress
from ..core.sizes import readable_bytes
from .styles import console, watched

_FIRST = 5.0  # seconds until the first line; each next pause is twice as long
_MOST = 30.0  # most seconds between two lines
_SPEED_OVER = 300.0  # seconds over which a bar measures its speed: a step of `verify` may take a minute


@contextmanager
def progress_bar(label: str, *, in_bytes: bool = False) -> Iterator[Progress]:
    """A function (done, total, label) that shows progress. A total of 0 means unknown."""
    if watched(sys.stderr):
        with _bar(label, in_bytes) as step:
            yield step
    else:
        with progress_lines(label, in_bytes=in_bytes) as lines:
            yield lines.step


def byte_bar(label: str) -> AbstractContextManager[Progress]:
    """A progress bar that counts bytes."""
    return progress_bar(label, in_bytes=True)


def duration(seconds: float) -> str:
    """0:05, 12:34 or 1:02:03."""
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


# In a terminal --------------------------------------------------------------------------------------------------


@contextmanager
def _bar(label: str, in_bytes: bool) -> Iterator[Progress]:
    count: ProgressColumn = DownloadColumn(binary_units=True) if in_bytes else MofNCompleteColumn()
    bar = rich.progress.Progress(
        TextColumn(label),
        BarColumn(bar_width=20),
        count,
        TimeRemainingColumn(compact=True),
        # Takes the rest of the line and is cut there: a long name must not squeeze the bar.
        TextColumn("{task.description}", markup=False, table_column=Column(ratio=1, no_wrap=True)),
        expand=True,
        console=console(stderr=True),
        transient=True,
        speed_estimate_period=_SPEED_OVER,
    )
    with bar:
        task = bar.add_task("", total=None)

        def step(done: int, total: int, description: str) -> None:
            if bar.tasks[0].completed > done:  # another task has begun, with another speed
                bar.reset(task)
            bar.update(task, completed=done, total=total or None, description=description)

        yield step


# In a log -------------------------------------------------------------------------------------------------------


@contextmanager
def progress_lines(label: str, *, in_bytes: bool = False) -> Iterator[Lines]:
    """Print lines from a thread, so that they also appear while a single step takes minutes."""
    lines = Lines(label, in_bytes)
    thread = threading.Thread(target=lines.write, name="progress", daemon=True)
    thread.start()
    try:
        yield lines
    finally:
        lines.over.set()
        thread.join(1.0)  # with a limit: a full pipe may block the thread


class Lines:
    """Prints a line whenever there was none for a while."""

    def __init__(self, label: str, in_bytes: bool) -> None:
        self._label, self._in_bytes = label, in_bytes
        self._began = self._said = time.monotonic()
        # how much was done when the task began (it may be resumed), and the time
        self._from: tuple[int, float] | None = None
        self._at: tuple[int, int, str] = (0, 0, "")
        self.over = threading.Event()

    def say(self, line: str) -> None:
        """Print a line now."""
        self._said = time.monotonic()
        typer.echo(line, err=True)

    def step(self, done: int, total: int, description: str) -> None:
        if self._from is None or done < self._at[0]:  # another task, with another speed
            self._from = (done, time.monotonic())
        self._at = (done, total, description)

    def write(self) -> None:
        quiet = _FIRST
        while not self.over.wait(max(0.0, self._said + quiet - time.monotonic())):
            if time.monotonic() >= self._said + quiet:
                self.say(self.line())
                quiet = min(_MOST, self._said - self._began)

    def line(self) -> str:
        done, total, description = self._at
        now = time.monotonic()
        parts = [f"{duration(now - self._began)} so far"]
        if total > 0:
            parts.insert(0, f"{self._count(done)} of {self._count(total)} ({done / total:.0%})")
        first, began = self._from or (0, now)
        if first < done < total:
            parts.append(f"about {duration((now - began) * (total - done) / (done - first))} left")
        return f"{self._label}: {', '.join(parts)}{f': {description}' if description else ''}"

    def _count(self, count: int) -> str:
        return readable_bytes(count) if self._in_bytes else f"{count:,}"
