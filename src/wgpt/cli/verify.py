"""`wgpt verify`: checks every contract on this GPU."""

from __future__ import annotations

from typing import Annotated

import typer

from ..api import model_checks as _model_checks  # noqa: F401 - registers the checks of whole models
from ..contracts.report import print_report
from ..contracts.verify import select, verify
from ..table import Column, show
from .common import Gpu, Json, opened, print_json, stdout
from .progress import progress_bar
from .verify_jobs import verify_in_processes

FAILED = 1


def _known(only: str | None) -> str | None:
    try:
        select(only)
    except ValueError as e:
        raise typer.BadParameter(str(e)) from None
    return only


def _print_list(only: str | None, json: bool) -> None:
    chosen = select(only)
    if json:
        print_json([{"id": o.id, "kernel": o.kernel, "contract": o.contract} for o in chosen])
    else:
        columns = [Column("obligation", words=True), Column("kernel", words=True), Column("contract", words=True)]
        show(stdout(), columns, [[o.id, o.kernel, o.contract] for o in chosen])


def command(
    only: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            callback=_known,
            help="Check only obligations with this id, kernel or contract; * matches anything. Default: all.",
            show_default=False,
        ),
    ] = None,
    show_list: Annotated[
        bool, typer.Option("--list", help="List the obligations (all, or those of --only) without checking them.")
    ] = False,
    jobs: Annotated[
        int,
        typer.Option(min=1, max=64, help="Processes that share the work and the GPU; most of it is compiling."),
    ] = 1,
    gpu: Gpu = None,
    json: Json = False,
) -> None:
    """Each obligation has an equation, a tolerance and cases that try to break it. The table shows the
    largest error, where it occurred, the tolerance and the verdict. The exit code is 1 if an
    obligation fails.

    \b
    Examples:
      wgpt verify
      wgpt verify --jobs 8
      wgpt verify --list
      wgpt verify --only rmsnorm
      wgpt verify --only 'gemv*'
      wgpt verify --only C-WGPU-FWD-001
      wgpt verify --gpu 1 --json > verified.json
    """
    if show_list:
        _print_list(only, json)
        return
    with progress_bar("verifying") as progress:
        if jobs > 1:
            report = verify_in_processes(jobs, gpu, only, progress)
        else:
            with opened(gpu) as device:
                report = verify(device, only, progress)
    if json:
        print_json(report.to_dict())
    else:
        print_report(report, stdout())
    if not report.passed:
        raise typer.Exit(FAILED)
