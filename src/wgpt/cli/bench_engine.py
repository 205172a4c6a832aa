"""`wgpt bench engine`: many requests at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from ..bench import engine, engine_report, engine_scenarios
from ..bench.curves import write_page
from ..bench.models import Chosen
from ..core.errors import WgptError
from ..core.sizes import parse_bytes
from ..engine.draft import DraftModel
from ..engine.engine import MAX_BATCH
from ..formats.sources import DEFAULT
from ..kernels.products.lora_layout import MOST_RANK
from ..models.network import AnyNetwork
from ..plotting import chart_problem
from .common import Gpu, Json, check_one_gpu, print_json, stdout
from .options import Cache, CacheMemory, Dtype, Kernels, ModelName, Preset, Resident, loaded_on, on_devices, one_of
from .outputs import check_report, output_path
from .progress import progress_bar

_LOAD, _SCENARIOS = "load", ("load", "prefix", "stall", "lora")
_MOST_REQUESTS = 10_000


def numbers(text: str | None, option: str) -> list[int] | None:
    if text is None:
        return None
    try:
        values = [int(part) for part in text.split(",")]
    except ValueError:
        values = [0]
    if not all(1 <= value <= _MOST_REQUESTS for value in values):
        raise typer.BadParameter(f"{option} {text}: give numbers from 1 to {_MOST_REQUESTS:,}, such as 1,4,16")
    return values


def rates_of(text: str | None) -> list[float]:
    try:
        values = [] if text is None else [float(part) for part in text.split(",")]
    except ValueError:
        values = [0.0]
    if not all(0 < value < 1e6 for value in values):
        raise typer.BadParameter(f"--rate {text}: give requests per second, such as 2 or 0.5,4")
    return values


def span_of(text: str | None) -> engine.Span | None:
    if text is None:
        return None
    low, dash, high = text.partition("-")
    try:
        span = int(low), int(high if dash else low)
    except ValueError:
        span = 0, 0
    if not 1 <= span[0] <= span[1]:
        raise typer.BadParameter(f"--prompt {text}: give a number of tokens, or a range such as 64-512")
    return span


@contextmanager
def _drafting(network: AnyNetwork, guesser: Chosen | None) -> Iterator[DraftModel | None]:
    """Open the draft model on the same device."""
    if guesser is None:
        yield None
        return
    with loaded_on(network.device, guesser) as draft:
        yield DraftModel(draft.whole("a draft model"), name=str(guesser))


def command(
    model: ModelName = None,
    preset: Preset = None,
    random: Annotated[bool, typer.Option("--random", help="Use random weights: nothing is downloaded.")] = False,
    dtype: Dtype = None,
    draft: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|PATH",
            help="Draft model that guesses the next tokens: a model, or a preset with random weights where the model "
            "has those.",
            show_default=False,
        ),
    ] = None,
    cache: Cache = "f16",
    kernels: Kernels = "wgsl",
    resident: Resident = "auto",
    cache_memory: CacheMemory = None,
    scenario: Annotated[
        str,
        typer.Option(
            metavar="|".join(_SCENARIOS),
            callback=one_of(*_SCENARIOS),
            help="load: numbers of requests; prefix: a second prompt with the same beginning; stall: long prompts "
            "that arrive while others run; lora: sequences with different LoRA adapters.",
        ),
    ] = _LOAD,
    requests: Annotated[
        str | None,
        typer.Option(
            metavar="N,N,...",
            help="Numbers of requests. Default: 1,4,16,64,128; 1,4 on a software driver; one number for lora.",
            show_default=False,
        ),
    ] = None,
    rate: Annotated[
        str | None,
        typer.Option(
            metavar="R,R,...",
            help="Requests per second, on average. Default: 25%, 50% and 90% of the rate at which requests end if all "
            "come at once.",
            show_default=False,
        ),
    ] = None,
    prompt: Annotated[
        str | None,
        typer.Option(
            metavar="N|N-N",
            help="Tokens of each prompt, or a range. Default: 128, and 2048 for prefix and stall; less on a software "
            "driver.",
            show_default=False,
        ),
    ] = None,
    new: Annotated[
        int | None,
        typer.Option(
            min=2, metavar="N", help="Tokens to generate. Default: 128; 8 on a software driver.", show_default=False
        ),
    ] = None,
    adapters: Annotated[
        int, typer.Option(min=1, max=engine_scenarios.MOST_ADAPTERS, metavar="N", help="LoRA adapters, for lora.")
    ] = 8,
    rank: Annotated[int, typer.Option(min=1, max=MOST_RANK, metavar="R", help="Their rank.")] = 16,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", parser=output_path, help="Write a self-contained HTML page with charts.", show_default=False
        ),
    ] = None,
    gpu: Gpu = None,
    json: Json = False,
) -> None:
    """Time many requests at once: tokens per second, the time to the first token, and the time between tokens.

    Requests come all at once, and then one by one at random times (a Poisson process). Prompts are random tokens.
    Each load runs before it is measured, because Programs are recorded when they are first needed. With --gpu 0,1, the
    layers are split over two GPUs, and the share of the time is shown in which each had work.

    \b
    Examples:
      wgpt bench engine
      wgpt bench engine --preset qwen2.5-1.5b --random --requests 1,16,128 --html engine.html
      wgpt bench engine --requests 64 --rate 2,8 --prompt 64-512 --new 200 --json
      wgpt bench engine -m ./Qwen2.5-7B-Instruct --draft ./Qwen2.5-0.5B-Instruct --requests 1,4
      wgpt bench engine --gpu 0,1 --requests 16
      wgpt bench engine --scenario prefix
      wgpt bench engine --scenario stall --prompt 4096
      wgpt bench engine --scenario lora --adapters 16 --rank 8
    """
    if random and model is not None:
        raise typer.BadParameter("--random goes with --preset, not with --model")
    check_one_gpu(gpu, draft=draft, kernels=kernels != "wgsl")
    chosen = Chosen(model, preset or (DEFAULT if random else None), dtype, None, resident)
    guesser = None if draft is None else Chosen(preset=draft) if chosen.preset else Chosen(draft)
    counts, rates, span = numbers(requests, "--requests"), rates_of(rate), span_of(prompt)
    nbytes = None if cache_memory is None else parse_bytes(cache_memory, "--cache-memory")
    if html is not None:
        if scenario != _LOAD:
            raise typer.BadParameter(f"--html is for --scenario {_LOAD}")
        if problem := chart_problem():
            raise WgptError(f"--html {html}: {problem}")
        check_report(html, engine_report.PAGE_MARK)
    if scenario != _LOAD:
        if span is not None and span[0] != span[1]:
            raise typer.BadParameter(f"--prompt {prompt}: --scenario {scenario} takes one number of tokens")
        if scenario == "lora" and counts is not None and (len(counts) > 1 or counts[0] > MAX_BATCH):
            raise typer.BadParameter(f"--requests {requests}: --scenario lora takes one number, at most {MAX_BATCH}")
    with (
        on_devices(chosen, gpu) as network,
        _drafting(network, guesser) as drafting,
        progress_bar("measuring") as progress,
    ):
        settings: dict[str, Any] = {"cache": cache, "cache_bytes": nbytes, "kernels": kernels, "draft": drafting}
        tokens = None if span is None else span[0]
        if scenario == _LOAD:
            bench = engine.measure(network, chosen, counts, span, new, rates, progress=progress, **settings)
        elif scenario == "lora":
            count = None if counts is None else counts[0]
            few = engine.NEW_SOFTWARE if network.device.software else engine.NEW
            result = engine_scenarios.lora(
                network, chosen, adapters, rank, requests=count, prompt=tokens, new=new or few, **settings
            )
        else:
            result = getattr(engine_scenarios, scenario)(network, chosen, tokens, **settings)
    if scenario != _LOAD:
        print_json(result.to_dict()) if json else engine_report.print_scenario(result, stdout())
        return
    if html is not None:
        write_page(html, engine_report.html(bench))
    print_json(bench.to_dict()) if json else engine_report.print_engine(bench, stdout())
    if html is not None:
        typer.echo(f"wrote {html}", err=True)
