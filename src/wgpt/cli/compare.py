"""`wgpt compare`: how far a model is from another on a text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..api import load
from ..api.comparing import compare
from ..bench import comparing as report
from ..core.errors import WgptError
from ..plotting import chart_problem
from ..table import show
from .common import Gpu, Json, opened, print_json, stdout
from .outputs import check_report, output_path
from .progress import byte_bar, progress_bar
from .texts import Text, read_some_text


def command(
    a: Annotated[str, typer.Argument(metavar="A", help="The model to compare with, such as the one in f16.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The other model, with the same vocabulary.")],
    text: Text,
    context: Annotated[
        int | None,
        typer.Option(
            min=2,
            metavar="N",
            help="Read the text in windows of N tokens. Default: 512, or the models' context length if it is shorter.",
            show_default=False,
        ),
    ] = None,
    stride: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="Begin the next window N tokens later; it scores the tokens that are new. Default: half of --context.",
            show_default=False,
        ),
    ] = None,
    tokens: Annotated[
        int | None, typer.Option(min=2, metavar="N", help="Use the first N tokens of the text.", show_default=False)
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.html", parser=output_path, help="Write a page with tables and charts.", show_default=False
        ),
    ] = None,
    gpu: Gpu = None,
    json: Json = False,
) -> None:
    """KL divergence measures how far the probabilities of B are from those of A, at every token; 0 is no difference. It
    finds the loss of quantisation in a few thousand tokens, where perplexities still hide it in their noise.

    \b
    Examples:
      wgpt compare model.f16.gguf model.q4_k_m.gguf --text sample.txt
      wgpt compare model.f16.gguf model.q4_0.gguf --text sample.txt --tokens 4096 --html q4_0.html
    """
    if html is not None:
        if problem := chart_problem():
            raise WgptError(f"--html {html}: {problem}")
        check_report(html, report.PAGE_MARK)
    content = read_some_text(text)
    with opened(gpu) as device:
        with byte_bar("loading A") as progress:
            first = load(a, device=device, progress=progress)
        with first:
            with byte_bar("loading B") as progress:
                second = load(b, device=device, progress=progress)
            with second, progress_bar("comparing") as step:
                how = {"context": context, "stride": stride, "tokens": tokens}
                comparison = compare(first, second, content, **how, progress=step)
    facts, groups = comparison.summary(), comparison.by_position()
    if html is not None:
        report.write(html, (a, b), facts, groups)
        typer.echo(f"wrote {html}", err=True)
    if json:
        print_json({"a": a, "b": b, "text": text, **facts, "by_position": groups})
        return
    show(stdout(), report.SUMMARY, report.summary_rows(facts))
    stdout().print()
    show(stdout(), report.PLACES, report.place_rows(groups))
