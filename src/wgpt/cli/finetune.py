"""`wgpt finetune`: train a LoRA or QLoRA adapter, or all weights of a model."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from ..api import Model, load
from ..cluster.connection import ray_module
from ..cluster.team import shared_by
from ..core.errors import WgptError
from ..formats.write_model import DTYPES
from ..gpu import AllocationError
from ..train.finetuning import Finetuning
from ..train.interrupt import deferred
from ..train.loggers import KINDS as LOG_KINDS
from ..train.loggers import targets_of
from ..train.report import Sample, without_charts
from ..train.run_folder import claimed, folder_of, latest_state
from ..train.trainer import Outcome
from .common import Gpu, Json, opened, print_json
from .failures import INTERRUPTED
from .finetune_memory import print_estimate, refuse_untrainable
from .finetune_options import DataOptions, RecipeOptions
from .finetune_outcome import as_json, as_lines
from .finetune_request import Request, corpus_of
from .groups import grouped
from .options import RECIPES, ModelName, TokenizerFolder, one_of, weight_recipe
from .progress import byte_bar, progress_bar
from .training_bar import training_bar

_SAMPLE_TOKENS = 64


@grouped
def command(
    ctx: typer.Context,
    model: ModelName = None,
    data: DataOptions = DataOptions(),
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            help="Folder for the adapter or model, checkpoints and report.",
            show_default=False,
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Resume the run in --out with its own options. Larger --steps or --epochs make it longer.",
        ),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the run or adapter in --out.")] = False,
    init_lora: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="Start from this LoRA adapter, with its rank, alpha, rslora and targets.",
            show_default=False,
        ),
    ] = None,
    dtype: Annotated[
        str | None,
        typer.Option(
            metavar="TYPE|RECIPE",
            callback=weight_recipe,
            help=f"Convert the base model to {RECIPES}. nf4 is QLoRA. Parts not named keep their type. With --full, "
            "everything is f32.",
            show_default=False,
        ),
    ] = None,
    tokenizer: TokenizerFolder = None,
    save_dtype: Annotated[
        str,
        typer.Option(
            metavar="|".join(DTYPES), callback=one_of(*DTYPES), help="Weight type of the model that --full writes."
        ),
    ] = "f32",
    recipe: RecipeOptions = RecipeOptions(),
    sample: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="Prompt to answer before and after, for the report; may be repeated."),
    ] = None,
    log_to: Annotated[
        list[str] | None,
        typer.Option(metavar="TARGET", help=f"Also log every step to {LOG_KINDS}; may be repeated."),
    ] = None,
    ray: Annotated[
        bool,
        typer.Option(
            "--ray",
            help="Share every step with other GPUs of a Ray cluster: that of RAY_ADDRESS, or of this machine.",
        ),
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(
            min=2,
            metavar="N",
            help="With --ray: GPUs to train on, this process's included. Sets --accumulate to N, unless that is given.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only estimate the memory needed.")] = False,
    gpu: Gpu = None,
    json: Json = False,
) -> None:
    """Writes a PEFT adapter (adapter_config.json, adapter_model.safetensors), or with --full a Hugging Face folder
    named model; and loss.png, report.html and log.jsonl. Only answers are learnt, except from {"text": ...} lines,
    which are learnt whole. A checkpoint is saved every 50 steps, and on Ctrl-C or SIGTERM.

    \b
    Examples:
      wgpt finetune --data facts.jsonl --out facts                   the default model, three epochs
      wgpt finetune -m ./Qwen2.5-1.5B --dtype nf4 -d chats.jsonl -o chats --rank 32 --lr 1e-4
      wgpt finetune -d chats.jsonl -o chats --dry-run                will it fit?
      wgpt finetune --out chats --resume                             after Ctrl-C, or a power cut
      wgpt finetune --out chats --resume --steps 500                 make the run longer
      wgpt finetune -d more.jsonl -o more --init-lora chats          start from an adapter
      wgpt run --lora facts "Who is Bixby?"                          use the adapter
      wgpt finetune --task classify -d mail.jsonl -o mail            then: wgpt run --lora mail "You have won!"
      wgpt finetune --full -d facts.jsonl -o facts                   then: wgpt run -m facts/model "..."
      wgpt finetune -d chats.jsonl -o chats --ray --workers 4        on four GPUs of a Ray cluster
    """
    if out is None:
        raise typer.BadParameter("--out DIR is missing: the folder for the adapter or the new model")
    if ray != (workers is not None):
        raise typer.BadParameter("--ray and --workers N belong together: N GPUs of a Ray cluster share every step")
    folder, explicit = folder_of(out), _explicit_options(ctx)
    if workers is not None:
        ray_module()  # refuse before the model is loaded
        if not resume and "accumulate" not in explicit:
            recipe = replace(recipe, accumulate=workers)
    how: dict[str, Any] = {"log_to": targets_of(log_to) if log_to else None, "replace_logs": force}
    how["share"] = None if workers is None else shared_by(workers)
    with nullcontext() if dry_run else claimed(folder):
        state = latest_state(folder, resume, force)
        if state is not None:
            request = Request.resumed(
                state, explicit, model, data, folder, init_lora, dtype, save_dtype, recipe, tokenizer
            )
        elif resume and data.data is None:
            raise WgptError(f"{folder} has no checkpoint to resume from: start a run with --data")
        else:
            request = Request(
                model, dtype, save_dtype, corpus_of(data), recipe.recipe(), folder, None, init_lora, tokenizer
            )
        request = request.checked(explicit)
        refuse_untrainable(request)
        with opened(gpu) as device:
            if dry_run:
                print_estimate(device, request, explicit, json)
                return
            with byte_bar("loading") as progress:
                loaded = load(
                    request.model, device=device, dtype=request.dtype, tokenizer=request.tokenizer, progress=progress
                )
            with loaded:
                _finetune(loaded, request, explicit, sample or [], json, how)


def _explicit_options(ctx: typer.Context) -> set[str]:
    """The names of the options that were given on the command line."""
    sources = {name: ctx.get_parameter_source(name) for name in ctx.params}
    return {name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"}


def _finetune(
    model: Model, request: Request, explicit: set[str], samples: list[str], json: bool, how: dict[str, Any]
) -> None:
    request, init = request.started(explicit, model.config)
    with progress_bar("reading the data"):
        work = Finetuning(
            model.network.whole("fine-tuning"),
            model.tokenizer,
            request.recipe,
            request.corpus,
            request.folder,
            name=model.name,
            model=request.model,
            dtype=request.dtype,
            tokenizer_folder=request.tokenizer,
            base=model.path,
            save_dtype=request.save_dtype,
            init=init,
            init_source=None if request.init_lora is None else str(Path(request.init_lora).resolve()),
            **how,
        )
    if problem := without_charts():
        typer.echo(problem, err=True)
    if not json:
        for line in work.described():
            typer.echo(line, err=True)
    with progress_bar("answering the samples"):
        before = ["" if request.corpus.how.classify else _answer(model, prompt) for prompt in samples]
    try:
        with deferred() as stop:
            with training_bar() as watch:
                outcome = work.run(watch, stop, request.state)
            if not outcome.finished:  # within the block, at whose end SIGTERM takes effect
                _tell(outcome, request, json)
                raise typer.Exit(INTERRUPTED)
    except AllocationError as e:
        raise AllocationError(f"{e} (run the same command with --dry-run to see what to change)") from e
    if samples:
        if request.recipe.full:
            model.forget()
        else:
            model.attach(request.folder)
        with progress_bar("answering the samples"):
            answers = [_answer(model, prompt) for prompt in samples]
        work.report(outcome, [Sample(*each) for each in zip(samples, before, answers, strict=True)])
    _tell(outcome, request, json)


def _tell(outcome: Outcome, request: Request, json: bool) -> None:
    if json:
        print_json(as_json(outcome, request))
    else:
        for line in as_lines(outcome, request):
            typer.echo(line)


def _answer(model: Model, prompt: str) -> str:
    """The model's answer now; for a classifier, the label."""
    if model.classes:
        result = model.classify(prompt)
        return f"{result.label} ({result.probability:.1%})"
    answer = model.chat if model.tokenizer.chat_template else model.generate
    return answer(prompt, max_tokens=_SAMPLE_TOKENS).text
