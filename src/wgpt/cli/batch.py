"""`wgpt batch`: answers all prompts of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from ..batch.answering import Answer
from ..batch.job import Job
from ..batch.on_ray import absolute
from ..batch.run import answered, on_engine, on_ray, on_replicas
from ..cluster.connection import ray_module
from ..engine.engine import MAX_BATCH
from ..formats.sources import resolve
from .common import Json, print_json
from .failures import INTERRUPTED
from .groups import grouped
from .loras import name_and_folder
from .options import BaseOptions, ChatBaseOptions, Draft
from .outputs import output_path
from .progress import byte_bar, progress_bar
from .replica_gpus import replica_gpus
from .sampling_options import SamplingOptions
from .streaming import print_fallbacks

_SOME_FAILED = 1


@grouped
def command(
    prompts: Annotated[Path, typer.Argument(metavar="PROMPTS", help="JSONL file with a prompt on each line.")],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", metavar="FILE", parser=output_path, help="JSONL file for the answers."),
    ],
    model: ChatBaseOptions = ChatBaseOptions(),
    lora: Annotated[
        list[str] | None,
        typer.Option(
            "--lora",
            "-l",
            metavar="[NAME=]DIR",
            help='LoRA adapter; may be repeated. Lines choose one with "lora": NAME. Without NAME=, lines that choose '
            "none use it.",
            show_default=False,
        ),
    ] = None,
    max_batch: Annotated[
        int, typer.Option(min=1, max=MAX_BATCH, metavar="N", help="Sequences to generate at once.")
    ] = MAX_BATCH,
    draft: Draft = None,
    sampling: SamplingOptions = SamplingOptions(),
    in_order: Annotated[
        bool, typer.Option("--in-order", help="Write answers in the order of the prompts, not as they finish.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the answers file instead of continuing it.")
    ] = False,
    replicas: Annotated[
        bool,
        typer.Option(
            "--replicas",
            help="Run a whole model on each GPU of --gpu, such as --gpu 0,1, in a process of its own. --max-batch and "
            "--cache-memory are for each.",
        ),
    ] = False,
    ray: Annotated[
        bool,
        typer.Option(
            "--ray", help="Use the GPUs of a Ray cluster: that of RAY_ADDRESS, or of this machine (see docs/scale.md)."
        ),
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="With --ray: GPUs to use. Default: all of the cluster.", show_default=False
        ),
    ] = None,
    json: Json = False,
) -> None:
    """A line is {"prompt": "..."}, which is continued, or {"messages": [...]}, which is answered through the model's
    chat template; "id", "lora" and the options of Model.generate are optional. Or it is a line of OpenAI's batch
    format: {"custom_id": "...", "method": "POST", "url": "/v1/chat/completions", "body": {...}}. The answer has the
    same id, or the line's number. Options of the command line apply to lines that do not set them; with --seed S, line
    N uses S + N - 1.

    A line that is wrong gets an error as its answer, and the others go on. Answers are written as they finish. Run the
    same command again to continue after an interruption: lines that have an answer are skipped. Exit code 1: some
    lines failed.

    \b
    Examples:
      wgpt batch prompts.jsonl --out answers.jsonl
      wgpt batch prompts.jsonl -o answers.jsonl -m ./Qwen2.5-0.5B-Instruct -n 100 --cache-memory 2GiB
      wgpt batch prompts.jsonl -o answers.jsonl --lora pirate=pirate-lora --lora poet=poet-lora
      wgpt batch openai.jsonl -o answers.jsonl --in-order -t 0.7 --seed 1
      wgpt batch prompts.jsonl -o answers.jsonl --gpu 0,1 --replicas
      wgpt batch prompts.jsonl -o answers.jsonl --ray --workers 4
    """
    defaults = {**sampling.keywords(), "seed": sampling.seed}
    adapters = _adapters(lora or [])
    gpus = replica_gpus(model.gpu, replicas)
    _check_ray(ray, workers, model, replicas)
    sizes = {"cache_bytes": model.cache_bytes, "max_batch": max_batch}

    @contextmanager
    def answering() -> Iterator[Answer]:
        chosen = model.with_base(adapters.values())
        job_by = partial(_job, chosen, adapters, draft, sizes, defaults)
        if ray:
            with on_ray(job_by(absolute), workers) as answer:
                yield answer
        elif gpus:
            with on_replicas(job_by(_downloaded), gpus, progress_bar) as answer:
                yield answer
        else:
            with chosen.opened_with(adapters.get(None), draft) as loaded:
                with on_engine(loaded, job_by(None)) as answer:
                    yield answer
                print_fallbacks(loaded)

    with answered(prompts, out, answering, progress_bar, in_order=in_order, force=force) as outcome:
        if json:
            print_json({**outcome.facts(), "out": str(out)})
        else:
            typer.echo(f"{outcome}\nanswers: {out}")
            if outcome.counts.stopped:
                typer.echo("finished answers are kept: run the same command again to continue", err=True)
    if outcome.counts.stopped:
        raise typer.Exit(INTERRUPTED)
    if outcome.failed:
        raise typer.Exit(_SOME_FAILED)


def _adapters(options: list[str]) -> dict[str | None, str]:
    """Folders by name; None is the name of the default adapter."""
    adapters: dict[str | None, str] = {}
    for option in options:
        name, folder = name_and_folder(option)
        if name in adapters or (not name and None in adapters):
            which = f"two LoRA adapters are named {name!r}" if name else "only one LoRA adapter can be the default"
            raise typer.BadParameter(f"--lora {option}: {which}: give each another NAME=")
        adapters[name or None] = folder
    return adapters


def _check_ray(ray: bool, workers: int | None, model: BaseOptions, replicas: bool) -> None:
    if workers is not None and not ray:
        raise typer.BadParameter("--workers needs --ray: it is the number of GPUs of a Ray cluster")
    if ray and replicas:
        raise typer.BadParameter("--ray and --replicas exclude each other: both run several engines")
    if ray and model.gpu is not None:
        raise typer.BadParameter("--ray and --gpu exclude each other: Ray gives each worker its GPU")
    if ray:
        ray_module()  # refuse invalid options before reading anything


def _downloaded(model: str | None) -> str | None:
    """Download the model once, before several processes load it."""
    with byte_bar("downloading") as progress:
        return str(resolve(model, progress))


def _job(
    options: BaseOptions,
    adapters: dict[str | None, str],
    draft: str | None,
    sizes: Mapping[str, Any],
    defaults: Mapping[str, Any],
    find: Callable[[str | None], str | None] | None,
) -> Job:
    """The job for other processes. `find`: makes the model's name valid for them; None: unchanged."""
    loras = {name: folder for name, folder in adapters.items() if name is not None}
    if find is None:
        return Job(options.model, {}, loras, sizes, defaults)
    loading = {**options.loading(), "lora": absolute(adapters.get(None)), "draft": None}
    loading["tokenizer"] = absolute(options.tokenizer)
    if draft is not None:
        loading["draft"] = find(draft)
    loras = {name: str(absolute(folder)) for name, folder in loras.items()}
    return Job(find(options.model), loading, loras, sizes, defaults)
