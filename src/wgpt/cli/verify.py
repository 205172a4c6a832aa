"""`wgpt verify`: every contract, on this adapter."""

from __future__ import annotations

from typing import Annotated

import typer

from ..contracts.report import print_report
from ..contracts.verify import select, verify
from .common import Adapter, Json, opened, print_json, progress_bar, stdout

FAILED = 1


def _known(only: str | None) -> str | None:
    try:
        select(only)
    except ValueError as e:
        raise typer.BadParameter(str(e)) from None
    return only


def command(
    only: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            callback=_known,
            help="Only the obligations of this id, kernel or contract; * matches anything.",
            show_default=False,
        ),
    ] = None,
    adapter: Adapter = None,
    json: Json = False,
) -> None:
    """Check every kernel against its contract on this adapter.

    Each obligation has its equation, its tolerance and the cases that try to break it. The table
    shows the largest error, where it occurred, the tolerance and the verdict. The exit code is 1
    when one fails.

    \b
    Examples:
      wgpt verify
      wgpt verify --only rmsnorm
      wgpt verify --only 'gemv*'
      wgpt verify --adapter 1 --json > verified.json
    """
    with opened(adapter) as device, progress_bar("verifying") as progress:
        report = verify(device, only, progress)
    if json:
        print_json(report.to_dict())
    else:
        print_report(report, stdout())
    if not report.passed:
        raise typer.Exit(FAILED)
