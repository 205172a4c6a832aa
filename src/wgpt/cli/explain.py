"""`wgpt explain`: what runs for a problem, and where the time goes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..bench import samples
from ..bench.explain import explain, print_explained
from ..gpu import WgptError
from ..gpu.trace import write_trace
from ..kernels import registry
from ..quant.weights import TYPES
from .common import Adapter, Json, opened, print_json, stdout

_SAMPLES = ("mlp", "step")


def _known(name: str) -> str:
    if name not in _SAMPLES and name not in registry.kernels():
        raise typer.BadParameter(f"{name!r}: choose mlp, step, or a kernel: {', '.join(registry.kernels())}")
    return name


def _weight(name: str) -> str:
    if name not in TYPES:
        raise typer.BadParameter(f"{name!r}: choose one of {', '.join(TYPES)}")
    return name


def command(
    name: Annotated[
        str, typer.Argument(callback=_known, help="mlp, step, or the name of a kernel.", metavar="NAME")
    ] = "mlp",
    rows: Annotated[
        int | None, typer.Option(min=1, help="Tokens at once. Default: 1 for mlp, 64 for step.", show_default=False)
    ] = None,
    weights: Annotated[
        str, typer.Option(callback=_weight, metavar="TYPE", help=f"Weight type of mlp: {', '.join(TYPES)}.")
    ] = "f16",
    hidden: Annotated[int, typer.Option(min=1, help="Width of the hidden state.")] = 576,
    ffn: Annotated[int, typer.Option(min=1, help="Width of the feed-forward block; vocabulary of step.")] = 1536,
    profile: Annotated[bool, typer.Option(help="Run it and time every dispatch.")] = True,
    trace: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a trace that Perfetto and chrome://tracing open.", show_default=False),
    ] = None,
    adapter: Adapter = None,
    json: Json = False,
) -> None:
    """Print a Program: shape, cost and time of each dispatch.

    NAME is `mlp` (a feed-forward block: norm, gate and up projections, SiLU, down
    projection, residual), `step` (one training step of a linear layer: forward, loss,
    gradients, AdamW), or the name of any kernel, which runs its first bench case.

    "% of bound" compares with the best the adapter was measured to do: its copy bandwidth
    or its multiply-add rate, whichever would take longer.

    \b
    Examples:
      wgpt explain                                 one token, SmolLM2's sizes
      wgpt explain mlp --rows 512 --weights q4_1   512 tokens, 4-bit weights
      wgpt explain mlp --hidden 1536 --ffn 8960    Qwen2.5-1.5B's sizes
      wgpt explain step --trace step.json          open it at ui.perfetto.dev
      wgpt explain gemv --no-profile --json        plain data, nothing is timed
    """
    if trace is not None and not profile:
        raise typer.BadParameter("--trace needs times: leave --no-profile out")
    with opened(adapter) as device:
        program, title = samples.record(device, name, rows, hidden, ffn, weights)
        with program:
            explained = explain(program, title, profile)
        if trace is not None:
            if explained.profile is None:
                raise WgptError(f"no trace: {device.info.name} has no timestamp queries")
            write_trace(trace, explained.profile, str(device.info))
    if json:
        print_json(explained.to_dict())
    else:
        print_explained(explained, stdout())
        if trace is not None:
            typer.echo(f"trace written to {trace}: open it at ui.perfetto.dev or in chrome://tracing", err=True)
