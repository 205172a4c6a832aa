"""`wgpt bench`: how fast the kernels are, and what a dispatch costs the CPU."""

from __future__ import annotations

from typing import Annotated

import typer

from ..bench import kernels as kernel_bench
from ..bench import replay as replay_bench
from .common import Adapter, Commands, Json, KernelName, opened, print_json, progress_bar, stdout

app = typer.Typer(cls=Commands, rich_markup_mode=None, no_args_is_help=True)


@app.callback()
def group() -> None:
    """Measure: the kernels on the GPU, or the CPU time of a dispatch.

    \b
    Examples:
      wgpt bench kernels
      wgpt bench replay --dispatches 300
    """


@app.command("kernels")
def kernels(kernel: KernelName = None, adapter: Adapter = None, json: Json = False) -> None:
    """Time every kernel at the sizes of real models.

    Times are the GPU's own, medians, of dispatches that wait for each other and find their
    inputs outside the cache. GB/s counts every input read once and every output written once;
    "% of copy" compares with a plain copy on the same adapter, measured in the same run. On a
    software driver, products are timed beside NumPy's.

    \b
    Examples:
      wgpt bench kernels
      wgpt bench kernels --kernel gemv
      wgpt bench kernels --json > kernels.json
    """
    with opened(adapter) as device, progress_bar("timing") as progress:
        result = kernel_bench.run(device, kernel, progress)
    if json:
        print_json(result.to_dict())
    else:
        kernel_bench.print_bench(result, stdout())


@app.command("replay")
def replay(
    dispatches: Annotated[int, typer.Option(min=1, max=100_000, help="Dispatches in the Program.")] = 300,
    adapter: Adapter = None,
    json: Json = False,
) -> None:
    """Time a dispatch on the CPU: replay beside wgpu-py's API.

    Both ways encode and submit the same dispatches, in turns; medians. The CPU, not the GPU,
    is what limits small models.

    \b
    Examples:
      wgpt bench replay
      wgpt bench replay --dispatches 1000 --json
    """
    with opened(adapter) as device, progress_bar("replaying") as progress:
        result = replay_bench.run(device, dispatches, progress=progress)
    if json:
        print_json(result.to_dict())
    else:
        replay_bench.print_replay(result, stdout())
