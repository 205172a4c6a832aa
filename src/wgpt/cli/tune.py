"""`wgpt tune`: finds and saves the fastest kernel variants for this GPU."""

from __future__ import annotations

from typing import Annotated

import typer

from ..bench import tune
from ..kernels import tuning
from .common import Gpu, Json, KernelName, opened, print_json, stdout
from .failures import INTERRUPTED
from .outputs import check_own_folder
from .progress import progress_bar


def command(
    kernel: KernelName = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Measure only one problem per choice, with short timings.")
    ] = False,
    gpu: Gpu = None,
    json: Json = False,
) -> None:
    """Every variant is first checked against its reference; one that gives wrong results is never
    used. The array size from which the GPU is faster than the CPU is measured as well, and which kernels
    are fastest for a few sequences at once (not with --quick). Results are saved in your cache directory
    (or WGPT_HOME) and used from then on. Ctrl-C keeps the results so far.

    \b
    Examples:
      wgpt tune
      wgpt tune --quick
      wgpt tune --kernel gemv --gpu nvidia
    """
    with opened(gpu) as device, progress_bar("tuning") as progress:
        check_own_folder(tuning.path(device).parent)
        result = tune.run(device, kernel, quick, progress)
    if json:
        print_json(result.to_dict())
    else:
        tune.print_tuning(result, stdout())
    if result.interrupted:
        typer.echo("interrupted: the results so far are kept", err=True)
        raise typer.Exit(INTERRUPTED)
