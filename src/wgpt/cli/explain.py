"""`wgpt explain`: what runs for a problem, and where the time goes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..bench import samples
from ..bench.explain import Explained, explain, print_explained
from ..bench.models import Chosen
from ..bench.passes import decoding, reading
from ..core.atomic import writing
from ..core.errors import WgptError
from ..formats.sources import DEFAULT
from ..gpu import GpuDevice
from ..gpu.trace import write_trace
from ..kernels import registry
from ..quant.weights import TYPES
from .common import Gpu, Json, opened, print_json, stdout
from .options import RECIPES, ModelName, Preset, loaded_on, weight_recipe
from .outputs import check_report, output_path
from .progress import progress_bar

TRACE_MARK = '"traceEvents"'
_MEASURING = "compiling and measuring"
_SAMPLES = ("mlp", "step")
_PASSES = {"decode": (decoding, 64), "prefill": (reading, 512)}  # also the default of --rows
_OPTIONS = {
    **dict.fromkeys(_PASSES, ("rows", "model", "preset", "weights")),
    "mlp": ("rows", "weights", "hidden", "ffn"),
    "step": ("rows", "hidden", "ffn"),
}


def _known(name: str) -> str:
    if name not in (*_SAMPLES, *_PASSES) and name not in registry.kernels():
        raise typer.BadParameter(
            f"unknown name {name!r}; choose decode, prefill, mlp, step, or a kernel: {', '.join(registry.kernels())}"
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
            help="Number of tokens; for decode, the context length. Default: decode and step 64, prefill 512, mlp 1.",
            show_default=False,
        ),
    ] = None,
    model: ModelName = None,
    preset: Preset = None,
    weights: Annotated[
        str | None,
        typer.Option(
            callback=weight_recipe,
            metavar="TYPE|RECIPE",
            help=f"Weight type. For decode and prefill: {RECIPES}; for mlp, a type. Default: f16, or as stored in "
            "--model.",
            show_default=False,
        ),
    ] = None,
    hidden: Annotated[
        int | None, typer.Option(min=1, help="Hidden size of mlp and step. Default: 576.", show_default=False)
    ] = None,
    ffn: Annotated[
        int | None,
        typer.Option(
            min=1, help="Feed-forward size of mlp; number of classes of step. Default: 1536.", show_default=False
        ),
    ] = None,
    profile: Annotated[bool, typer.Option(help="Run the dispatches and time each of them.")] = True,
    trace: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            parser=output_path,
            help="Write a trace file for Perfetto or chrome://tracing.",
            show_default=False,
        ),
    ] = None,
    gpu: Gpu = None,
    json: Json = False,
) -> None:
    """NAME is one of: `decode` (one token of an answer) or `prefill` (a prompt, or the last chunk of a long one) of a
    whole model, by default smollm2-135m with random weights; `mlp` (a feed-forward block: norm, gate and up
    projections, SiLU, down projection, residual); `step` (one training step of a linear layer: forward, loss,
    gradients, AdamW); or the name of a kernel, which runs its first benchmark case.

    The layers of a model repeat, so its equal dispatches share a line. "% of bound" compares with the shortest time
    possible on this GPU, from its measured copy bandwidth and multiply-add rate.

    \b
    Examples:
      wgpt explain decode                          what runs for one token
      wgpt explain decode -m model.gguf --rows 4096
      wgpt explain prefill --preset qwen2.5-1.5b --no-profile
      wgpt explain decode --weights q4_k_m         a mix of types
      wgpt explain mlp --rows 512 --weights q4_1   512 tokens, 4-bit weights
      wgpt explain mlp --hidden 1536 --ffn 8960    Qwen2.5-1.5B's sizes
      wgpt explain step --trace step.json          open it at ui.perfetto.dev
      wgpt explain gemv --no-profile --json        plain data, nothing is timed
    """
    if trace is not None and not profile:
        raise typer.BadParameter("--trace needs times: remove --no-profile")
    options = {"rows": rows, "model": model, "preset": preset, "weights": weights, "hidden": hidden, "ffn": ffn}
    allowed = _OPTIONS.get(name, ())
    if unused := [option for option, value in options.items() if value is not None and option not in allowed]:
        names = ", ".join(f"--{option}" for option in allowed)
        takes = f"{name} takes {names}" if names else f"{name} has a fixed size"
        raise typer.BadParameter(f"--{unused[0]} does not apply to {name}: {takes}")
    if name not in _PASSES and weights is not None and weights not in TYPES:
        raise typer.BadParameter(f"--weights {weights}: {name} has one type; choose one of {', '.join(TYPES)}")
    chosen = Chosen(model, preset or (None if model else DEFAULT), weights) if name in _PASSES else None
    if trace is not None:
        check_report(trace, TRACE_MARK)
    with opened(gpu) as device:
        if trace is not None and "timestamp-query" not in device.features:
            raise WgptError(f"--trace: {device.info.name} does not support timestamp queries")
        if chosen is not None:
            explained = _explain_model(device, name, rows, chosen, profile)
        else:
            program, title = samples.record(device, name, rows, hidden or 576, ffn or 1536, weights or "f16")
            with program, progress_bar(_MEASURING):
                explained = explain(program, title, profile)
    if trace is not None:
        assert explained.profile is not None
        with writing(trace):
            write_trace(trace, explained.profile, explained.origin["gpu"]["name"])
    if json:
        print_json(explained.to_dict())
    else:
        print_explained(explained, stdout())
        if trace is not None:
            typer.echo(f"trace written to {trace}: open it at ui.perfetto.dev or in chrome://tracing", err=True)


def _explain_model(device: GpuDevice, name: str, rows: int | None, chosen: Chosen, profile: bool) -> Explained:
    record, default_rows = _PASSES[name]
    with (
        loaded_on(device, chosen) as network,
        progress_bar(_MEASURING),
        record(network.whole("wgpt explain"), rows or default_rows, profile) as (program, title),
    ):
        return explain(program, f"{chosen}: {title}", profile, grouped=True)
