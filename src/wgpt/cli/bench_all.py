"""`wgpt bench` by itself: everything there is to measure, as tables, JSON and a page."""

from __future__ import annotations

import json as json_module
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ..bench import report
from ..bench.everything import PARTS, Everything, Runner, choices
from ..bench.models import Chosen
from ..bench.peers import MOST_SECONDS, SCRIPTS, Peers, locate, pythons
from ..bench.summary import print_everything
from ..formats.aside import replacing
from ..models.presets import PRESETS
from ..quant.weights import TYPES
from .common import INTERRUPTED, Adapter, Commands, opened, print_json, progress_bar, stdout
from .options import Cache, Dtype, ModelName, one_of

_STDOUT = "-"


class AllByDefault(Commands):
    """`wgpt bench --quick` is `wgpt bench all --quick`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        own = ctx.help_option_names
        if not args or (args[0].startswith("-") and args[0] not in own):
            args = ["all", *args]
        return super().parse_args(ctx, args)


def _each_of(*names: str) -> Any:
    check = one_of(*names)

    def each(given: list[str] | None) -> list[str] | None:
        for name in given or ():
            check(name)
        return given

    return each


def command(
    model: ModelName = None,
    preset: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            callback=_each_of(*PRESETS),
            help=f"Sizes with random weights; may be given several times: {', '.join(PRESETS)}. "
            "Default: smollm2-135m, on a GPU qwen2.5-1.5b too.",
            show_default=False,
        ),
    ] = None,
    dtype: Dtype = None,
    table: Annotated[
        str | None,
        typer.Option(
            metavar="TYPE",
            callback=one_of(*TYPES),
            help="Type of a random embedding table and head.",
            show_default=False,
        ),
    ] = None,
    cache: Cache = "f16",
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PART",
            callback=_each_of(*PARTS),
            help=f"Only this part; may be given several times: {', '.join(PARTS)}.",
            show_default=False,
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer sizes and repetitions: a minute or two.")] = False,
    peers: Annotated[bool, typer.Option("--peers", help="Also run PyTorch and llama.cpp, beside it.")] = False,
    peers_python: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[PEER=]PYTHON",
            help=f"The Python that has them, or one of {', '.join(SCRIPTS)}. Default: this one.",
            show_default=False,
        ),
    ] = None,
    peers_timeout: Annotated[
        float, typer.Option(min=1, metavar="SECONDS", help="The longest that one of them may take with one model.")
    ] = MOST_SECONDS,
    peers_dir: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Their scripts. Default: the checkout's bench/peers.", show_default=False),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page with charts, by itself.", show_default=False),
    ] = None,
    json: Annotated[
        str | None,
        typer.Option(metavar="FILE|-", help="Write JSON; - is stdout, and nothing else is there.", show_default=False),
    ] = None,
    adapter: Adapter = None,
) -> None:
    """Measure everything: models, kernels, and the peers beside them.

    Of each model: decode, prefill, decode by context length and by batch size, the time of every dispatch of a
    token, and a training step. Of each kernel: its time at the sizes of real models, beside the roofs this adapter
    was measured to have.
    Without --model and --preset, known models' sizes with random weights: nothing is downloaded. Ctrl-C ends the
    run and keeps what was measured.

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
    asked = None
    if peers or "peers" in (only or ()):
        asked = Peers(locate(peers_dir), pythons(peers_python or ()), quick, peers_timeout)
    for path in (html, Path(json) if json and json != _STDOUT else None):
        if path is not None and not path.parent.is_dir():
            raise typer.BadParameter(f"{path}: there is no folder {path.parent}")
    with opened(adapter) as device:
        given = [Chosen(model, dtype=dtype)] if model else choices(device.software, quick, preset or (), dtype, table)
        runner = Runner(device, given, parts, quick, asked, cache)
        with progress_bar("measuring") as progress:
            result = runner.run(progress)
    _show(result, json, html)
    if result.interrupted:
        typer.echo("interrupted: what was measured is kept", err=True)
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
            file.write(json_module.dumps(result.to_dict(), indent=2, allow_nan=False).encode())
    for path in (html, json):
        if path is not None:
            typer.echo(f"written: {path}", err=True)
