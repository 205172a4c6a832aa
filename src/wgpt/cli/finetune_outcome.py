"""The result of `wgpt finetune`: as JSON, or as lines of text."""

from __future__ import annotations

from typing import Any

from ..train.run_folder import MODEL
from ..train.trainer import Outcome
from .finetune_request import Request


def as_json(outcome: Outcome, request: Request) -> dict[str, Any]:
    accuracy_at = {step: {"accuracy": share} for step, share in outcome.accuracies}
    return {
        "folder": str(request.folder),
        **({"model": str(request.folder / MODEL)} if request.recipe.full else {}),
        "steps": outcome.steps,
        "total": outcome.total,
        "finished": outcome.finished,
        "losses": outcome.losses,
        "held_out": [{"step": step, "loss": loss, **accuracy_at.get(step, {})} for step, loss in outcome.evaluations],
        "tokens": outcome.tokens,
        "seconds": outcome.seconds,
        "peak_bytes": outcome.nbytes,
    }


def as_lines(outcome: Outcome, request: Request) -> list[str]:
    folder = request.folder
    if not outcome.finished:
        return [
            f"stopped after step {outcome.steps} of {outcome.total}; nothing is lost. To resume:",
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
    parts.append(f"{outcome.nbytes / 2**30:.2f} GiB peak memory")
    if request.recipe.full:
        model_folder = folder / MODEL
        return [
            ", ".join(parts),
            f"model: {model_folder}; report: {folder}",
            f'try it: wgpt run -m {model_folder} "..."',
        ]
    model_option = "" if request.model is None else f"-m {request.model} "
    return [", ".join(parts), f"adapter and report: {folder}", f'try it: wgpt run {model_option}--lora {folder} "..."']
