"""`wgpt finetune`: teach a model with LoRA or QLoRA, or all of its weights."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from ..api import Model, load
from ..formats import open_checkpoint
from ..formats.sources import resolve
from ..formats.tokenizer import load_tokenizer
from ..formats.write_model import DTYPES
from ..gpu import AllocationError, GpuDevice, WgptError
from ..models.config import Config
from ..models.source import kinds_of
from ..quant.weights import TYPES
from ..train import memory
from ..train.checkpoint import TrainingState
from ..train.corpus import Corpus
from ..train.data import Reading
from ..train.finetuning import MODEL, Finetuning, latest_state
from ..train.interrupt import deferred
from ..train.recipe import FULL_LR, LR, Recipe
from ..train.report import Sample
from ..train.room import room
from ..train.schedule import KINDS
from ..train.trainer import Outcome, batches_of
from .common import INTERRUPTED, Adapter, Json, byte_bar, opened, print_json
from .groups import grouped
from .options import ModelName, one_of
from .training_bar import training_bar

_R = Recipe()
_HOW = Reading()
_SAMPLE_TOKENS = 64
_TASKS = ("generate", "classify")
_OF_ADAPTERS = ("rank", "alpha", "dropout", "rslora", "targets")


@dataclass(frozen=True)
class DataOptions:
    """What is learnt."""

    data: Annotated[
        str | None,
        typer.Option(
            "--data",
            "-d",
            metavar="FILE.jsonl",
            help='A line each: {"messages": [...]}, {"prompt": ..., "completion": ...} or {"text": ...}; '
            'to classify, {"text": ..., "label": ...}.',
            show_default=False,
        ),
    ] = None
    task: Annotated[
        str,
        typer.Option(
            metavar="|".join(_TASKS),
            callback=one_of(*_TASKS),
            help="classify: learn the label of a text, with a head of its own.",
        ),
    ] = "generate"
    valid: Annotated[
        str | None,
        typer.Option(metavar="FILE.jsonl", help="Held-out data. Default: a share of --data.", show_default=False),
    ] = None
    hold_out: Annotated[
        float, typer.Option(min=0.0, max=0.9, help="That share; 0 holds nothing out.", metavar="SHARE")
    ] = 0.1
    max_tokens: Annotated[int, typer.Option(min=2, help="Longest example.")] = _HOW.max_tokens
    too_long: Annotated[
        str, typer.Option(metavar="truncate|skip", callback=one_of("truncate", "skip"), help="Longer ones.")
    ] = _HOW.too_long
    broken: Annotated[
        str, typer.Option(metavar="stop|skip", callback=one_of("stop", "skip"), help="Lines that cannot be used.")
    ] = _HOW.broken
    answers: Annotated[
        str,
        typer.Option(metavar="all|last", callback=one_of("all", "last"), help="Answers of a chat to learn."),
    ] = _HOW.answers
    learn_prompts: Annotated[bool, typer.Option("--learn-prompts", help="Learn prompts, too.")] = False


@dataclass(frozen=True)
class RecipeOptions:
    """How it is learnt: the fields of Recipe."""

    full: Annotated[
        bool, typer.Option("--full", help="Train all weights, in f32, instead of an adapter: a new model.")
    ] = False
    rank: Annotated[int, typer.Option("--rank", "-r", min=1, help="Rank of the adapter: what it can hold.")] = _R.rank
    alpha: Annotated[
        float | None, typer.Option(help="The adapter counts alpha / rank. Default: 2 * rank.", show_default=False)
    ] = None
    dropout: Annotated[float, typer.Option(help="Of the adapter's input, against learning by heart.")] = _R.dropout
    rslora: Annotated[bool, typer.Option("--rslora", help="The adapter counts alpha / sqrt(rank).")] = _R.rslora
    targets: Annotated[
        str, typer.Option(metavar="q,v,...", help="Layers: q,k,v,o,gate,up,down (GPT-2: its own names), or all.")
    ] = ",".join(_R.targets)
    lr: Annotated[
        float | None,
        typer.Option(help=f"Highest learning rate. Default: {LR:g}; with --full {FULL_LR:g}.", show_default=False),
    ] = None
    schedule: Annotated[str, typer.Option(metavar="|".join(KINDS), callback=one_of(*KINDS), help="What it does.")] = (
        _R.schedule
    )
    warmup: Annotated[
        int | None, typer.Option(min=0, help="Steps until it is reached. Default: 3 %.", show_default=False)
    ] = None
    epochs: Annotated[int, typer.Option("--epochs", "-e", min=1, help="Times that all data is seen.")] = _R.epochs
    steps: Annotated[int | None, typer.Option(min=1, help="So many optimiser steps instead.", show_default=False)] = (
        None
    )
    batch: Annotated[int, typer.Option("--batch", "-b", min=1, help="Examples at a time.")] = _R.batch
    pack: Annotated[
        int | None,
        typer.Option(min=16, metavar="ROWS", help="Instead: as many as fit so many tokens.", show_default=False),
    ] = None
    accumulate: Annotated[int, typer.Option(min=1, help="Batches to an optimiser step.")] = _R.accumulate
    max_norm: Annotated[float, typer.Option(help="Clip gradients to this norm; 0 is off.")] = _R.max_norm
    decay: Annotated[float, typer.Option(help="AdamW's weight decay.")] = _R.decay
    seed: Annotated[int, typer.Option(min=0, help="The same seed repeats a run exactly on one adapter.")] = _R.seed
    checkpointing: Annotated[
        bool, typer.Option("--checkpointing", help="Less memory: activations are computed again.")
    ] = False
    evaluate_every: Annotated[
        int | None, typer.Option(min=1, metavar="STEPS", help="Default: ten times in all.", show_default=False)
    ] = None
    save_every: Annotated[int, typer.Option(min=1, metavar="STEPS", help="Checkpoints.")] = _R.save_every

    def recipe(self) -> Recipe:
        named = tuple(name.strip() for name in self.targets.split(",") if name.strip())
        given = {name: value for name, value in asdict(self).items() if name != "lr" or value is not None}
        return Recipe.given({**given, "targets": named})


@grouped
def command(
    ctx: typer.Context,
    model: ModelName = None,
    data: DataOptions = DataOptions(),
    out: Annotated[
        str | None,
        typer.Option(
            "--out", "-o", metavar="DIR", help="Adapter or model, checkpoints and report go here.", show_default=False
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on where the run in --out stopped; nothing else need be given.")
    ] = False,
    dtype: Annotated[
        str | None,
        typer.Option(
            metavar="TYPE",
            callback=one_of(*TYPES),
            help="Keep the base in this type; nf4 is QLoRA. Default: it stays as it came; with --full, f32.",
            show_default=False,
        ),
    ] = None,
    save_dtype: Annotated[
        str, typer.Option(metavar="|".join(DTYPES), callback=one_of(*DTYPES), help="Weights of --full's new model.")
    ] = "f32",
    recipe: RecipeOptions = RecipeOptions(),
    sample: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="Ask this before and after, for the report; may be given again."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Estimate the memory; train nothing.")] = False,
    adapter: Adapter = None,
    json: Json = False,
) -> None:
    """Teach a model something: LoRA, or QLoRA where the base is quantised; or all weights, with --full.

    Writes a PEFT adapter (adapter_config.json, adapter_model.safetensors), or with --full a Hugging Face folder named
    model; loss.png and report.html. Loss falls on answers only, except with {"text": ...} lines. Ctrl-C saves; so does
    every 50th step.

    \b
    Examples:
      wgpt finetune --data facts.jsonl --out facts                   the default model, three epochs
      wgpt finetune -m ./Qwen2.5-1.5B --dtype nf4 -d chats.jsonl -o chats --rank 32 --lr 1e-4
      wgpt finetune -d chats.jsonl -o chats --dry-run                will it fit?
      wgpt finetune --out chats --resume                             after Ctrl-C, or a power cut
      wgpt run --lora facts "Who is Bixby?"                          use what was learnt
      wgpt finetune --task classify -d mail.jsonl -o mail            then: wgpt run --lora mail "You have won!"
      wgpt finetune --full -d facts.jsonl -o facts                   then: wgpt run -m facts/model "..."
    """
    request = _Request.of(_given(ctx), model, data, out, resume, dtype, save_dtype, recipe)
    with opened(adapter) as device:
        if dry_run:
            _foretell(device, request, json)
            return
        with byte_bar("loading") as progress:
            loaded = load(request.model, device=device, dtype=request.dtype, progress=progress)
        with loaded:
            _finetune(loaded, request, sample or [], json)


@dataclass(frozen=True)
class _Request:
    """What is to be done, from the command line, or from the run that goes on."""

    model: str | None
    dtype: str | None
    save_dtype: str
    corpus: Corpus
    recipe: Recipe
    folder: Path
    state: TrainingState | None

    @classmethod
    def of(
        cls,
        given: set[str],
        model: str | None,
        data: DataOptions,
        out: str | None,
        resume: bool,
        dtype: str | None,
        save_dtype: str,
        recipe: RecipeOptions,
    ) -> _Request:
        if out is None:
            raise typer.BadParameter("--out DIR: where the adapter or the new model shall go")
        folder = Path(out)
        state = latest_state(folder, resume)
        if state is None:
            if resume and data.data is None:
                raise WgptError(f"{folder} has no checkpoint to resume from: begin with --data")
            return cls(model, dtype, save_dtype, _corpus(data), recipe.recipe(), folder, None).checked(given)
        about = state.config["about"]
        data = replace(_options_of(Corpus.from_json(about["corpus"])), **_only(given, data))
        corpus, then = _corpus(data), Recipe.from_json(state.config["recipe"])
        changed = _only(given & asdict(recipe).keys(), recipe.recipe())
        return cls(
            model if "model" in given else about["model"],
            dtype if "dtype" in given else about["dtype"],
            save_dtype if "save_dtype" in given else about.get("save_dtype", "f32"),
            corpus,
            replace(then, **changed),
            folder,
            state,
        ).checked(given)

    def checked(self, given: set[str]) -> _Request:
        """With what --full implies; refused where options contradict each other."""
        if not self.recipe.full:
            if "save_dtype" in given:
                raise typer.BadParameter("--save-dtype is for --full: an adapter is always f32")
            return self
        if self.dtype not in (None, "f32"):
            raise typer.BadParameter(f"--dtype {self.dtype}: --full trains f32 weights; train an adapter over others")
        if self.corpus.how.classify:
            raise typer.BadParameter("--full: a classification is trained with an adapter; leave --full out")
        if wrong := [name for name in _OF_ADAPTERS if name in given]:
            raise typer.BadParameter(f"--{wrong[0]} is an adapter's, and --full trains none: leave one of them out")
        return replace(self, dtype="f32")


def _given(ctx: typer.Context) -> set[str]:
    """The options that stand on the command line."""
    sources = {name: ctx.get_parameter_source(name) for name in ctx.params}
    return {name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"}


def _only(given: set[str], options: DataOptions | Recipe) -> dict[str, Any]:
    """The values of those that were given."""
    return {name: value for name, value in vars(options).items() if name in given}


def _options_of(corpus: Corpus) -> DataOptions:
    """What was asked for then; data that was given as objects has no name."""
    how = corpus.how
    return DataOptions(
        data=corpus.data if isinstance(corpus.data, str) else None,
        task="classify" if how.classify else "generate",
        valid=corpus.valid if isinstance(corpus.valid, str) else None,
        hold_out=corpus.hold_out,
        max_tokens=how.max_tokens,
        too_long=how.too_long,
        broken=how.broken,
        answers=how.answers,
        learn_prompts=how.everything,
    )


def _corpus(data: DataOptions) -> Corpus:
    if data.data is None:
        raise typer.BadParameter("--data FILE.jsonl: what shall be learnt")
    how: dict[str, Any] = {name: getattr(data, name) for name in ("max_tokens", "too_long", "broken", "answers")}
    reading = Reading(**how, everything=data.learn_prompts, classify=data.task == "classify")
    return Corpus(data.data, data.valid, data.hold_out, reading)


def _finetune(model: Model, request: _Request, samples: list[str], json: bool) -> None:
    work = Finetuning(
        model.network,
        model.tokenizer,
        request.recipe,
        request.corpus,
        request.folder,
        name=model.name,
        model=request.model,
        dtype=request.dtype,
        base=model.path,
        save_dtype=request.save_dtype,
    )
    if not json:
        for line in work.described():
            typer.echo(line, err=True)
    before = ["" if request.corpus.how.classify else _answer(model, prompt) for prompt in samples]
    try:
        with deferred() as stop, training_bar() as watch:
            outcome = work.run(watch, stop, request.state)
    except AllocationError as e:
        raise AllocationError(f"{e} (the same command with --dry-run says what to change)") from e
    if samples and outcome.finished:
        if request.recipe.full:
            model.forget()
        else:
            model.attach(request.folder)
        work.report(outcome, [Sample(p, old, _answer(model, p)) for p, old in zip(samples, before, strict=True)])
    told = _told(outcome, request)
    if json:
        print_json(told)
    else:
        for line in _lines(outcome, request):
            typer.echo(line)
    if not outcome.finished:
        raise typer.Exit(INTERRUPTED)


def _foretell(device: GpuDevice, request: _Request, json: bool) -> None:
    """What the run would need, and what to change if there is not so much."""
    with open_checkpoint(resolve(request.model)) as checkpoint:
        recipe, config = request.recipe, Config.of(checkpoint.config)
        tokenizer = load_tokenizer(checkpoint.tokenizer)
        if tokenizer is None:
            raise WgptError(f"{request.model} has no tokenizer, so no text can be learnt")
        training, held_out = request.corpus.load(tokenizer, recipe.seed)
        batches, longest = batches_of(recipe, training, held_out)
        kinds = kinds_of(checkpoint, request.dtype)
        run = memory.Run(
            config,
            kinds,
            batches.m,
            batches.slots,
            longest,
            recipe.rank,
            recipe.targets,
            recipe.checkpointing,
            recipe.dropout,
            whole=recipe.full,
            packed=recipe.pack is not None,
            classes=len(training.labels),
        )
        found = memory.estimate(run, device)
        limit = room(device, found.total)
        told = memory.advice(run, limit, device)
    if json:
        steps = recipe.total(batches)
        sizes = {"rows": batches.m, "sequences": batches.slots, "longest": longest, "steps": steps}
        print_json({**sizes, "bytes": found.total, "parts": found.parts, "fits": not told, "advice": told})
    else:
        typer.echo(f"{recipe.total(batches)} steps of {batches.m} rows in up to {batches.slots} sequences: {found}")
        typer.echo("\n".join(told) if told else f"{device.info.name} has room for it")
    if told:
        raise typer.Exit(1)


def _answer(model: Model, prompt: str) -> str:
    """What the model says now; one that classifies, the label."""
    if model.classes:
        found = model.classify(prompt)
        return f"{found.label} ({found.probability:.1%})"
    answer = model.chat if model.tokenizer.chat_template else model.generate
    return answer(prompt, max_tokens=_SAMPLE_TOKENS).text


def _told(outcome: Outcome, request: _Request) -> dict[str, Any]:
    right = {step: {"accuracy": share} for step, share in outcome.accuracies}
    return {
        "folder": str(request.folder),
        **({"model": str(request.folder / MODEL)} if request.recipe.full else {}),
        "steps": outcome.steps,
        "total": outcome.total,
        "finished": outcome.finished,
        "losses": outcome.losses,
        "held_out": [{"step": step, "loss": loss, **right.get(step, {})} for step, loss in outcome.evaluations],
        "tokens": outcome.tokens,
        "seconds": outcome.seconds,
        "peak_bytes": outcome.nbytes,
    }


def _lines(outcome: Outcome, request: _Request) -> list[str]:
    folder = request.folder
    if not outcome.finished:
        return [
            f"stopped after step {outcome.steps} of {outcome.total}; nothing is lost. To go on:",
            f"  wgpt finetune --out {folder} --resume",
        ]
    parts = [f"{outcome.steps} steps"]
    if outcome.losses:
        parts.append(f"loss {outcome.losses[0]:.3f} -> {outcome.losses[-1]:.3f}")
    if outcome.evaluations:
        parts.append(f"held out {outcome.evaluations[0][1]:.3f} -> {outcome.evaluations[-1][1]:.3f}")
    if outcome.accuracies:
        parts.append(f"accuracy {outcome.accuracies[0][1]:.1%} -> {outcome.accuracies[-1][1]:.1%}")
    if outcome.tokens:
        parts.append(f"{outcome.tokens / outcome.seconds:,.0f} tokens/s")
    parts.append(f"{outcome.nbytes / 2**30:.2f} GiB at most")
    if request.recipe.full:
        made = folder / MODEL
        return [", ".join(parts), f"model: {made}; report: {folder}", f'try it: wgpt run -m {made} "..."']
    given = "" if request.model is None else f"-m {request.model} "
    return [", ".join(parts), f"adapter and report: {folder}", f'try it: wgpt run {given}--lora {folder} "..."']
