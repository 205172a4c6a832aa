"""`wgpt tune`: measure what is fastest on this adapter, and keep it."""

from __future__ import annotations

from typing import Annotated

import typer

from ..bench import tune
from .common import INTERRUPTED, Adapter, Json, KernelName, opened, print_json, progress_bar, stdout


def command(
    kernel: KernelName = None,
    quick: Annotated[bool, typer.Option("--quick", help="One problem per choice, and short timings.")] = False,
    adapter: Adapter = None,
    json: Json = False,
) -> None:
    """Find the fastest variant of every kernel, and keep it.

    Every variant is first checked against its reference; one that gives wrong results is never
    kept. It also measures from which size on the GPU beats the CPU. Results go to a file in your
    cache directory (or WGPT_HOME) and are used from then on. Ctrl-C keeps what was found so far.

    \b
    Examples:
      wgpt tune
      wgpt tune --quick
      wgpt tune --kernel gemv --adapter nvidia
    """
    with opened(adapter) as device, progress_bar("tuning") as progress:
        result = tune.run(device, kernel, quick, progress)
    if json:
        print_json(result.to_dict())
    else:
        tune.print_tuning(result, stdout())
    if result.interrupted:
        typer.echo("interrupted: what was measured so far is kept", err=True)
        raise typer.Exit(INTERRUPTED)
