"""`wgpt batch`: answers all prompts of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from ..api import Engine, Model
from ..cluster.connection import ray_module
from ..engine.engine import MAX_BATCH
from ..engine.options import Options
from ..formats.peft import read_lora
from ..formats.sources import resolve
from ..table import number
from ..train.interrupt import deferred
from .batch_answers import open_answers
from .batch_flight import NOT_THE_LINE, EngineCrew
from .batch_job import Job
from .batch_lines import keys
from .batch_ray import absolute, answers_on_ray
from .batch_replicas import ReplicaCrew
from .batch_run import Answer, Counts, Lines, Show, Writer, forms, run_with
from .common import Json, print_json
from .failures import INTERRUPTED
from .groups import grouped
from .loras import base_of
from .options import BaseOptions, ChatBaseOptions, Draft, SamplingOptions
from .outputs import output_path
from .progress import byte_bar, progress_bar
from .replica_gpus import replica_gpus
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
    """Answer every prompt of a file; many are generated at once.

    A line is {"prompt": "..."}, which is continued, or {"messages": [...]}, which is answered through the model's chat
    template; "id", "lora" and the options of Model.generate are optional. Or it is a line of OpenAI's batch format:
    {"custom_id": "...", "method": "POST", "url": "/v1/chat/completions", "body": {...}}. The answer has the same id,
    or the line's number. Options of the command line apply to lines that do not set them; with --seed S, line N uses
    S + N - 1.

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
    Options.of(defaults)
    adapters = _adapters(lora or [])
    gpus = replica_gpus(model.gpu, replicas)
    _check_ray(ray, workers, model, replicas)
    sizes = {"cache_bytes": model.cache_bytes, "max_batch": max_batch}
    known = keys(prompts)
    with open_answers(out, prompts, known, force) as answers:
        skipped, failed_before = len(answers.done), answers.failed
        counts, total = Counts(), len(known)
        if skipped < total:
            lines = (line for line in forms(prompts) if line[0] not in answers.done)
            model = _with_base(model, adapters)
            if ray:
                answering = _on_ray(_job(model, adapters, draft, sizes, defaults, absolute), workers)
            elif gpus:
                answering = _on_replicas(_job(model, adapters, draft, sizes, defaults, _downloaded), gpus)
            else:
                answering = _here(model, adapters, draft, sizes, defaults)
            with answering as answer, deferred() as stop:
                with progress_bar("answering") as bar, _kept(out):

                    def show(counts: Counts, rate: float) -> None:
                        failed = f", {counts.failed} failed" if counts.failed else ""
                        bar(skipped + counts.lines, total, f"{number(rate)} tok/s{failed}")

                    bar(skipped, total, "")
                    counts = answer(lines, Writer(answers, in_order), show, stop)
                if counts.stopped:  # within the block, at whose end SIGTERM takes effect
                    _tell(counts, total, skipped, counts.failed + failed_before, out, json)
                    raise typer.Exit(INTERRUPTED)
    failed = counts.failed + failed_before
    _tell(counts, total, skipped, failed, out, json)
    if failed:
        raise typer.Exit(_SOME_FAILED)


def _tell(counts: Counts, total: int, skipped: int, failed: int, out: Path, json: bool) -> None:
    if json:
        facts = {**asdict(counts), "failed": failed, "skipped": skipped, "lines": total, "rate": counts.rate}
        print_json({**facts, "out": str(out)})
        return
    typer.echo(_summary(counts, total, skipped, failed, out))
    if counts.stopped:
        typer.echo("finished answers are kept: run the same command again to continue", err=True)


def _adapters(options: list[str]) -> dict[str | None, str]:
    """Folders by name; None for the one to use by default."""
    adapters: dict[str | None, str] = {}
    for option in options:
        name, equals, folder = option.partition("=")
        if not equals or Path(option).is_dir():
            name, folder = "", option
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
        ray_module()  # refuse before anything is read


def _with_base(options: ChatBaseOptions, adapters: dict[str | None, str]) -> ChatBaseOptions:
    """With the model of the first LoRA adapter, if no other is given."""
    if options.model is not None or not adapters:
        return options
    first = Path(next(iter(adapters.values())))
    return replace(options, model=base_of(read_lora(first), first, None))


def _downloaded(model: str | None) -> str | None:
    """Once, before several processes load it."""
    with byte_bar("downloading") as progress:
        return str(resolve(model, progress))


def _job(
    options: BaseOptions,
    adapters: dict[str | None, str],
    draft: str | None,
    sizes: Mapping[str, Any],
    defaults: Mapping[str, Any],
    found: Callable[[str | None], str | None],
) -> Job:
    """`found`: the model's name as other processes find it."""
    loading = {**options.loading(), "lora": absolute(adapters.get(None)), "draft": None}
    loading["tokenizer"] = absolute(options.tokenizer)
    if draft is not None:
        loading["draft"] = found(draft)
    loras = {name: str(absolute(folder)) for name, folder in adapters.items() if name is not None}
    return Job(found(options.model), loading, loras, sizes, defaults)


@contextmanager
def _here(
    options: BaseOptions,
    adapters: dict[str | None, str],
    draft: str | None,
    sizes: Mapping[str, Any],
    defaults: Mapping[str, Any],
) -> Iterator[Answer]:
    """One engine in this process."""
    with _loaded(options, adapters, draft) as loaded:
        with Engine(loaded, **sizes, draft=loaded.draft) as engine:
            yield run_with(EngineCrew(engine, defaults, sizes["max_batch"]))
        print_fallbacks(loaded)


@contextmanager
def _on_replicas(job: Job, gpus: Sequence[str]) -> Iterator[Answer]:
    crew = ReplicaCrew(job, gpus)
    try:
        with progress_bar(f"loading on {len(gpus)} GPUs"):
            crew.wait_until_ready()
        yield run_with(crew)
    finally:
        crew.cancel()


@contextmanager
def _on_ray(job: Job, workers: int | None) -> Iterator[Answer]:
    def answer(lines: Lines, writer: Writer, show: Show, stop: Callable[[], bool]) -> Counts:
        counts = writer.counts
        with closing(answers_on_ray(lines, job, workers)) as answers:
            for line in answers:
                writer.write(line)
                show(counts, counts.rate)
                if stop():
                    counts.stopped = True
                    break
        return counts

    yield answer


@contextmanager
def _loaded(options: BaseOptions, adapters: dict[str | None, str], draft: str | None) -> Iterator[Model]:
    """The model with its LoRA adapters."""
    with options.opened_with(adapters.get(None), draft) as model:
        for name, folder in adapters.items():
            if name is not None:
                model.load_lora(folder, name)
        yield model


@contextmanager
def _kept(out: Path) -> Iterator[None]:
    """Say in an error that ends the run that nothing is lost."""
    try:
        yield
    except NOT_THE_LINE as e:
        raise type(e)(f"{e} (finished answers are in {out}; run the same command again to continue)") from e


def _summary(counts: Counts, total: int, skipped: int, failed: int, out: Path) -> str:
    before = f" ({skipped} of them before)" if skipped else ""
    done = counts.lines + skipped
    parts = [
        f"{'stopped after ' if counts.stopped else ''}{done} of {total} lines{before}",
        f"{failed} failed",
        f"{counts.prompt_tokens:,} tokens in ({counts.cached_tokens:,} cached), {counts.tokens:,} out",
        f"{number(counts.seconds)} s, {number(counts.rate)} tok/s",
    ]
    return f"{'; '.join(parts)}\nanswers: {out}"
