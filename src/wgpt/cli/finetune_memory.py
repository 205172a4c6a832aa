"""`wgpt finetune --dry-run`: estimates the memory of a run."""

from __future__ import annotations

import typer

from ..core.errors import WgptError
from ..formats import open_checkpoint
from ..formats.sources import resolve
from ..formats.tokenizer import load_tokenizer
from ..gpu import GpuDevice
from ..models.config import Config
from ..models.source import kinds_of
from ..models.targets import check_trainable
from ..train import memory
from ..train.trainer import batches_of
from .common import print_json
from .finetune_request import Request
from .progress import progress_bar


def refuse_untrainable(request: Request) -> None:
    """Refuse a model that cannot be fine-tuned, by its header, before its weights are read."""
    with open_checkpoint(resolve(request.model)) as checkpoint:
        check_trainable(Config.of(checkpoint.config))


def print_estimate(device: GpuDevice, request: Request, explicit: set[str], json: bool) -> None:
    """Print the memory that the run would need, and what to change if it does not fit."""
    with progress_bar("estimating"), open_checkpoint(resolve(request.model)) as checkpoint:
        config = Config.of(checkpoint.config)
        request, _ = request.started(explicit, config)
        recipe, tokenizer = request.recipe, load_tokenizer(request.tokenizer or checkpoint.tokenizer)
        if tokenizer is None:
            raise WgptError(f"{request.model} has no tokenizer, so it cannot be trained on text")
        training, held_out = request.corpus.load(tokenizer, recipe.seed, config.context)
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
            recipe.precision,
            whole=recipe.full,
            packed=recipe.pack is not None,
            classes=len(training.labels),
        )
        estimate = memory.estimate(run, device)
        limit = device.room(estimate.total)
        advice = memory.advice(run, limit, device)
    if json:
        steps = recipe.total(batches)
        sizes = {"rows": batches.m, "sequences": batches.slots, "longest": longest, "steps": steps}
        print_json({**sizes, "bytes": estimate.total, "parts": estimate.parts, "fits": not advice, "advice": advice})
    else:
        typer.echo(f"{recipe.total(batches)} steps of {batches.m} rows in up to {batches.slots} sequences: {estimate}")
        typer.echo("\n".join(advice) if advice else f"it fits on {device.info.name}")
    if advice:
        raise typer.Exit(1)
