"""The options of `wgpt finetune`: the data, and the recipe."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from ..engine.batch import TILE
from ..train.data import Reading
from ..train.recipe import FULL_LR, LR, Recipe
from ..train.schedule import KINDS
from .options import TrainingPrecision, one_of

_RECIPE = Recipe()
_READING = Reading()
_TASKS = ("generate", "classify")


@dataclass(frozen=True)
class DataOptions:
    """The training data."""

    data: Annotated[
        str | None,
        typer.Option(
            "--data",
            "-d",
            metavar="FILE.jsonl",
            help='Training data, one JSON object per line: {"messages": [...]}, {"prompt": ..., "completion": ...} or '
            '{"text": ...}; for --task classify, {"text": ..., "label": ...}.',
            show_default=False,
        ),
    ] = None
    task: Annotated[
        str,
        typer.Option(
            metavar="|".join(_TASKS),
            callback=one_of(*_TASKS),
            help="generate: learn to answer; classify: learn to label texts, with a classification head.",
        ),
    ] = "generate"
    valid: Annotated[
        str | None,
        typer.Option(
            metavar="FILE.jsonl",
            help="Evaluation data. Default: a share of --data, see --hold-out.",
            show_default=False,
        ),
    ] = None
    hold_out: Annotated[
        float,
        typer.Option(
            min=0.0, max=0.9, help="Share of --data held out for evaluation; 0 turns evaluation off.", metavar="SHARE"
        ),
    ] = 0.1
    max_tokens: Annotated[int, typer.Option(min=2, help="Longest example, in tokens, at most the context length.")] = (
        _READING.max_tokens
    )
    too_long: Annotated[
        str,
        typer.Option(
            metavar="truncate|skip", callback=one_of("truncate", "skip"), help="What to do with longer examples."
        ),
    ] = _READING.too_long
    broken: Annotated[
        str, typer.Option(metavar="stop|skip", callback=one_of("stop", "skip"), help="What to do with invalid lines.")
    ] = _READING.broken
    answers: Annotated[
        str,
        typer.Option(metavar="all|last", callback=one_of("all", "last"), help="Which answers of a chat to learn."),
    ] = _READING.answers
    learn_prompts: Annotated[bool, typer.Option("--learn-prompts", help="Learn prompts as well as answers.")] = False


@dataclass(frozen=True)
class RecipeOptions:
    """The training recipe: the fields of Recipe."""

    full: Annotated[
        bool, typer.Option("--full", help="Train all weights, in f32, instead of an adapter. Writes a new model.")
    ] = False
    rank: Annotated[
        int, typer.Option("--rank", "-r", min=1, help="Rank of the adapter: a higher one can learn more.")
    ] = _RECIPE.rank
    alpha: Annotated[
        float | None, typer.Option(help="Scales the adapter by alpha / rank. Default: 2 * rank.", show_default=False)
    ] = None
    dropout: Annotated[
        float, typer.Option(help="Dropout rate of the adapter's input, against overfitting; 0 is off.")
    ] = _RECIPE.dropout
    rslora: Annotated[bool, typer.Option("--rslora", help="Scale the adapter by alpha / sqrt(rank) instead.")] = (
        _RECIPE.rslora
    )
    targets: Annotated[
        str,
        typer.Option(metavar="q,v,...", help="Layers to adapt: q,k,v,o,gate,up,down (those the model has), or all."),
    ] = ",".join(_RECIPE.targets)
    lr: Annotated[
        float | None,
        typer.Option(help=f"Peak learning rate. Default: {LR:g}; with --full {FULL_LR:g}.", show_default=False),
    ] = None
    schedule: Annotated[
        str, typer.Option(metavar="|".join(KINDS), callback=one_of(*KINDS), help="Learning rate schedule.")
    ] = _RECIPE.schedule
    warmup: Annotated[
        int | None,
        typer.Option(
            min=0, help="Warm-up steps to the peak learning rate. Default: 3 % of all steps.", show_default=False
        ),
    ] = None
    epochs: Annotated[int, typer.Option("--epochs", "-e", min=1, help="Passes over the data.")] = _RECIPE.epochs
    steps: Annotated[
        int | None, typer.Option(min=1, help="Number of optimiser steps, instead of --epochs.", show_default=False)
    ] = None
    batch: Annotated[int, typer.Option("--batch", "-b", min=1, help="Batch size, in examples.")] = _RECIPE.batch
    pack: Annotated[
        int | None,
        typer.Option(
            min=TILE,
            metavar="ROWS",
            help="Fill each batch with as many examples as fit into this many rows, instead of --batch. An example "
            f"takes a row for each token, rounded up to a multiple of {TILE}; ROWS is rounded up as well.",
            show_default=False,
        ),
    ] = None
    accumulate: Annotated[int, typer.Option(min=1, help="Batches per optimiser step (gradient accumulation).")] = (
        _RECIPE.accumulate
    )
    max_norm: Annotated[float, typer.Option(help="Clip gradients to this norm; 0 is off.")] = _RECIPE.max_norm
    decay: Annotated[float, typer.Option(help="AdamW's weight decay.")] = _RECIPE.decay
    seed: Annotated[
        int, typer.Option(min=0, help="Random seed. The same seed on the same GPU repeats a run exactly.")
    ] = _RECIPE.seed
    checkpointing: Annotated[
        bool, typer.Option("--checkpointing", help="Save memory: recompute activations in the backward pass.")
    ] = False
    precision: TrainingPrecision = _RECIPE.precision
    evaluate_every: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="STEPS",
            help="Steps between evaluations. Default: ten evaluations in all.",
            show_default=False,
        ),
    ] = None
    save_every: Annotated[int, typer.Option(min=1, metavar="STEPS", help="Steps between checkpoints.")] = (
        _RECIPE.save_every
    )

    def recipe(self) -> Recipe:
        target_names = tuple(name.strip() for name in self.targets.split(",") if name.strip())
        fields = {name: value for name, value in asdict(self).items() if name != "lr" or value is not None}
        return Recipe.from_options({**fields, "targets": target_names})
