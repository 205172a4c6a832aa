"""`wgpt explain`: what runs for a problem, and where the time goes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..bench import samples
from ..bench.explain import Explained, explain, print_explained
from ..bench.models import Chosen
from ..bench.passes import decoding, reading
from ..formats.sources import DEFAULT
from ..gpu import WgptError
from ..gpu.trace import write_trace
from ..kernels import registry
from ..quant.weights import TYPES
from .common import Adapter, Json, opened, print_json, stdout
from .options import ModelName, Preset, one_of, resident

_SAMPLES = ("mlp", "step")
_PASSES = {"decode": (decoding, 64), "prefill": (reading, 512)}  # and the default of --rows


def _known(name: str) -> str:
    if name not in (*_SAMPLES, *_PASSES) and name not in registry.kernels():
        raise typer.BadParameter(
            f"{name!r}: choose decode, prefill, mlp, step, or a kernel: {', '.join(registry.kernels())}"
        )
    return name


def command(
    name: Annotated[
        str,
        typer.Argument(callback=_known, help="decode, prefill, mlp, step, or the name of a kernel.", metavar="NAME"),
    ] = "mlp",
    rows: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Tokens at once; of decode, its context. Default: decode and step 64, prefill 512, mlp 1.",
            show_default=False,
        ),
    ] = None,
    model: ModelName = None,
    preset: Preset = None,
    weights: Annotated[
        str | None,
        typer.Option(
            callback=one_of(*TYPES),
            metavar="TYPE",
            help=f"Weight type: {', '.join(TYPES)}. Default: f16, or as --model has them.",
            show_default=False,
        ),
    ] = None,
    hidden: Annotated[int, typer.Option(min=1, help="Width of the hidden state of mlp and step.")] = 576,
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

    NAME is `decode` (one token of an answer) or `prefill` (a prompt; the last chunk of a long one) of a whole
    model, by default smollm2-135m with random weights; `mlp` (a feed-forward block: norm, gate and up
    projections, SiLU, down projection, residual), `step` (one training step of a linear layer: forward, loss,
    gradients, AdamW), or the name of any kernel, which runs its first bench case.

    A model's layers repeat, so equal dispatches of it share a line. "% of bound" compares with the best the
    adapter was measured to do: its copy bandwidth or its multiply-add rate, whichever would take longer.

    \b
    Examples:
      wgpt explain decode                          what runs for one token
      wgpt explain decode -m model.gguf --rows 4096
      wgpt explain prefill --preset qwen2.5-1.5b --no-profile
      wgpt explain mlp --rows 512 --weights q4_1   512 tokens, 4-bit weights
      wgpt explain mlp --hidden 1536 --ffn 8960    Qwen2.5-1.5B's sizes
      wgpt explain step --trace step.json          open it at ui.perfetto.dev
      wgpt explain gemv --no-profile --json        plain data, nothing is timed
    """
    if trace is not None and not profile:
        raise typer.BadParameter("--trace needs times: leave --no-profile out")
    if name in _PASSES:
        found = _of_model(name, rows, Chosen(model, preset or (None if model else DEFAULT), weights), adapter, profile)
    elif model or preset:
        raise typer.BadParameter(f"--model and --preset are for decode and prefill, not for {name}")
    else:
        with opened(adapter) as device:
            program, title = samples.record(device, name, rows, hidden, ffn, weights or "f16")
            with program:
                found = explain(program, title, profile)
    if trace is not None:
        if found.profile is None:
            raise WgptError(f"no trace: {found.origin['adapter']['name']} has no timestamp queries")
        write_trace(trace, found.profile, found.origin["adapter"]["name"])
    if json:
        print_json(found.to_dict())
    else:
        print_explained(found, stdout())
        if trace is not None:
            typer.echo(f"trace written to {trace}: open it at ui.perfetto.dev or in chrome://tracing", err=True)


def _of_model(name: str, rows: int | None, chosen: Chosen, adapter: str | None, profile: bool) -> Explained:
    recorded, usual = _PASSES[name]
    with resident(chosen, adapter) as network, recorded(network, rows or usual, profile) as (program, title):
        return explain(program, f"{chosen}: {title}", profile, grouped=True)
