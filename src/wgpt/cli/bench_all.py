"""`wgpt bench` without a subcommand: measures everything; prints tables, writes JSON and an HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ..bench import report
from ..bench.everything import PARTS, Everything, Runner, choices
from ..bench.models import Chosen
from ..bench.peers import MOST_SECONDS, SCRIPTS, Peers, locate, pythons
from ..bench.summary import print_everything
from ..core.atomic import replacing
from ..core.errors import WgptError
from ..models.presets import PRESETS
from ..plotting import chart_problem
from ..quant.weights import TYPES
from .common import Gpu, as_json, opened, print_json, stdout
from .failures import INTERRUPTED, Commands
from .options import Cache, Dtype, one_of
from .outputs import check_report, output_path
from .progress import progress_bar

PAGE_MARK, JSON_MARK = "<title>wgpt bench on ", '"bench": "all"'  # these identify the files of earlier runs
_STDOUT = "-"
_DAY = 86_400.0


class AllByDefault(Commands):
    """`wgpt bench --quick` is `wgpt bench all --quick`."""

    default = "all"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        help_options = ctx.help_option_names
        if not args or (args[0].startswith("-") and args[0] not in help_options):
            args = [self.default, *args]
        return super().parse_args(ctx, args)


def _each_of(*names: str) -> Any:
    check = one_of(*names)

    def check_each(values: list[str] | None) -> list[str] | None:
        for name in values or ():
            try:
                check(name)
            except typer.BadParameter as e:
                raise typer.BadParameter(f"{name}: {e.message}") from None
        return values

    return check_each


def command(
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            metavar="NAME|PATH",
            help="Measure this model instead of presets: a known name, a .gguf file, a Hugging Face folder, or "
            "ORG/NAME on the hub.",
            show_default=False,
        ),
    ] = None,
    preset: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            callback=_each_of(*PRESETS),
            help=f"Measure this model's sizes with random weights; may be repeated: {', '.join(PRESETS)}. "
            "Default: smollm2-135m, and on a GPU also qwen2.5-1.5b.",
            show_default=False,
        ),
    ] = None,
    dtype: Dtype = None,
    table: Annotated[
        str | None,
        typer.Option(
            metavar="TYPE",
            callback=one_of(*TYPES),
            help="Weight type of a random embedding table and head. Default: as --dtype; f16 if that is for layers "
            "only.",
            show_default=False,
        ),
    ] = None,
    cache: Cache = "f16",
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PART",
            callback=_each_of(*PARTS),
            help=f"Measure only this part; may be repeated: {', '.join(PARTS)}. Default: all.",
            show_default=False,
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Measure fewer sizes with fewer repetitions: a minute or two.")
    ] = False,
    peers: Annotated[bool, typer.Option("--peers", help="Also run PyTorch and llama.cpp, for comparison.")] = False,
    peers_python: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[PEER=]PYTHON",
            help=f"Python interpreter of the peers, or of one of them ({', '.join(SCRIPTS)}); may be repeated. "
            "Default: this one.",
            show_default=False,
        ),
    ] = None,
    peers_timeout: Annotated[
        float | None,
        typer.Option(
            min=1,
            max=_DAY,
            metavar="SECONDS",
            help=f"Time limit for one peer with one model, in seconds. Default: {MOST_SECONDS:g}.",
            show_default=False,
        ),
    ] = None,
    peers_dir: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder of the peers' scripts. Default: bench/peers of the checkout.",
            show_default=False,
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", parser=output_path, help="Write a self-contained HTML page with charts.", show_default=False
        ),
    ] = None,
    json: Annotated[
        str | None,
        typer.Option(metavar="FILE|-", help="Write JSON to a file; - prints only JSON, to stdout.", show_default=False),
    ] = None,
    gpu: Gpu = None,
) -> None:
    """Measure everything: models, kernels, and optionally PyTorch and llama.cpp.

    For each model: decode, prefill, decode by context length and by batch size, the time of every dispatch of a
    token, and a training step. For each kernel: its time at the sizes of real models, compared with the memory
    bandwidth and arithmetic rate measured on this GPU.
    Without --model and --preset, known models' sizes are measured with random weights: nothing is downloaded.
    Ctrl-C ends the run and keeps the results so far.

    \b
    Examples:
      wgpt bench --html report.html
      wgpt bench --quick
      wgpt bench --peers --peers-python ~/torch/bin/python --html report.html --json bench.json
      wgpt bench all --only kernels --json -
    """
    if model is not None and (preset or table):
        raise typer.BadParameter("--preset and --table are for random weights, not for --model")
    parts: Sequence[str] = only or PARTS
    peer_runner = None
    if peers or "peers" in (only or ()):
        peer_runner = Peers(locate(peers_dir), pythons(peers_python or ()), quick, peers_timeout or MOST_SECONDS)
    elif peers_python or peers_timeout or peers_dir:
        raise typer.BadParameter("--peers-python, --peers-timeout and --peers-dir are for --peers")
    if html is not None:
        if problem := chart_problem():
            raise WgptError(f"--html {html}: {problem}")
        check_report(html, PAGE_MARK)
    if json is not None and json != _STDOUT:
        check_report(output_path(json), JSON_MARK)
    with opened(gpu) as device:
        models = [Chosen(model, dtype=dtype)] if model else choices(device.software, quick, preset or (), dtype, table)
        runner = Runner(device, models, parts, quick, peer_runner, cache)
        with progress_bar("measuring") as progress:
            result = runner.run(progress)
    _show(result, json, html)
    if result.interrupted:
        typer.echo("interrupted: the results so far are kept", err=True)
        raise typer.Exit(INTERRUPTED)


def _show(result: Everything, json: str | None, html: Path | None) -> None:
    if html is not None:
        report.write(result, html)
    if json == _STDOUT:
        print_json(result.to_dict())
        return
    print_everything(result, stdout())
    if json is not None:
        with replacing(Path(json)) as file:
            file.write(as_json(result.to_dict()).encode())
    for path in (html, json):
        if path is not None:
            typer.echo(f"wrote {path}", err=True)
