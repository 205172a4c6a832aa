"""What every command shares: its options, its console, its progress bar and its errors."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Column
from typer.core import TyperGroup

from ..gpu import GpuDevice, WgptError
from ..kernels import registry

INTERRUPTED = 130
REFUSED = 2
_PIPED_WIDTH = 160

Adapter = Annotated[
    str | None,
    typer.Option(
        "--adapter",
        "-a",
        metavar="N|NAME",
        help="Adapter by its index in `wgpt info`, or by part of its name. Default: WGPT_ADAPTER, else the best.",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and nothing else there.")]


def _known_kernel(name: str | None) -> str | None:
    if name is not None and name not in registry.kernels():
        raise typer.BadParameter(f"no kernel {name!r}; there are {', '.join(registry.kernels())}")
    return name


KernelName = Annotated[
    str | None,
    typer.Option("--kernel", "-k", metavar="K", callback=_known_kernel, help="Only this kernel.", show_default=False),
]


class Commands(TyperGroup):
    """A group whose commands fail in one line: exit code 2 for errors, 130 for Ctrl-C."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo("interrupted", err=True)
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            raise
        except (WgptError, OSError, MemoryError) as e:
            if os.environ.get("WGPT_DEBUG") == "1":
                traceback.print_exc()
            message = " ".join(str(e).split()) or type(e).__name__
            typer.echo(f"{typer.style('wgpt: error:', fg='red', bold=True)} {message}", err=True)
            raise typer.Exit(REFUSED) from None


@contextmanager
def opened(adapter: str | None, *, allow_faulty: bool = False) -> Iterator[GpuDevice]:
    """The device a command works on, closed at its end."""
    device = GpuDevice.open(adapter, allow_faulty=allow_faulty)
    try:
        yield device
    finally:
        device.close()


def stdout() -> Console:
    """Results. A pipe has no width of its own: give it enough that nothing wraps."""
    piped = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(highlight=False, width=_PIPED_WIDTH if piped else None)


def print_json(data: Any) -> None:
    typer.echo(json.dumps(data, indent=2, allow_nan=False))


Step = Callable[[int, int, str], None]  # (done, of how many, what comes next)


@contextmanager
def progress_bar(label: str, count: ProgressColumn | None = None) -> Iterator[Step]:
    """A bar on stderr while a person is looking; nothing in a pipe or a log."""
    bar = Progress(
        TextColumn(label),
        BarColumn(bar_width=20),
        count or MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
        # The rest of the line, cut where it ends: the bar must not be squeezed by a long name.
        TextColumn("{task.description}", markup=False, table_column=Column(ratio=1, no_wrap=True)),
        expand=True,
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with bar:
        task = bar.add_task("", total=None)

        def step(done: int, total: int, what: str) -> None:
            if bar.tasks[0].completed > done:  # something else began, at a speed of its own
                bar.reset(task)
            bar.update(task, completed=done, total=total, description=what)

        yield step


def byte_bar(label: str) -> AbstractContextManager[Step]:
    """The same for bytes."""
    return progress_bar(label, DownloadColumn(binary_units=True))
