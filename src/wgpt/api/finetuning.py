"""Fine-tuning a loaded model."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from ..cluster.team import shared_by
from ..core.arguments import check_progress, flag, whole_number
from ..core.errors import WgptError
from ..formats.lora import LoraAdapter
from ..formats.peft import read_lora
from ..train.corpus import Corpus
from ..train.data import DataSource, Reading
from ..train.finetuning import Finetuning
from ..train.initial import starting_from
from ..train.interrupt import deferred
from ..train.loggers import targets_of
from ..train.recipe import Recipe
from ..train.report import without_charts
from ..train.run_folder import MODEL, claimed, folder_of, latest_state
from ..train.trainer import Moment
from .engines import EngineGroup
from .loaded import Loaded
from .loaded_loras import place, source_of


def finetune(
    model: Loaded,
    group: EngineGroup,
    data: DataSource,
    *,
    full: bool,
    valid: DataSource | None,
    hold_out: float,
    out: str | Path | None,
    resume: bool,
    force: bool,
    init_lora: str | Path | LoraAdapter | None,
    save_dtype: str,
    log_to: str | Path | Sequence[str | Path] | None,
    progress: Callable[[Moment], None] | None,
    workers: int,
    **options: Any,
) -> LoraAdapter | Path:
    """See Model.finetune. `group`: the model's engines, which must not run while its weights change."""
    group.check_open()
    model.network.check_generates()
    model.network.check_resident("fine-tuning")
    for name, value in {"full": full, "resume": resume, "force": force}.items():
        flag(name, value)
    check_progress(progress)
    reading = {name: options.pop(name) for name in [f.name for f in fields(Reading)] if name in options}
    corpus = Corpus(data, valid, hold_out, Reading(**reading))
    workers = whole_number("workers", workers, 1)
    if workers > 1 and not resume:
        options.setdefault("accumulate", workers)
    recipe = Recipe.from_options({"precision": model.precision, **options, "full": full})
    folder = None if out is None else folder_of(out)
    targets = None if log_to is None else targets_of(log_to)
    if folder is not None and (problem := without_charts()):
        warnings.warn(problem, stacklevel=3)
    with claimed(folder), group.paused() if full else group.turns.call():
        group.check_open()
        state = latest_state(folder, resume, force)
        init, init_source = None, None
        if state is not None:
            init_source = state.config["about"].get("init_lora")
            recipe = Recipe.from_json(state.config["recipe"]).continued({**options, "full": full})
        elif init_lora is not None:
            source = source_of(init_lora, argument="init_lora")
            init, init_source = read_lora(source) if isinstance(source, Path) else source, place(source)
            recipe = starting_from(init, init_source, recipe, options.keys(), model.config)
        work = Finetuning(
            model.network.whole("fine-tuning"),
            model.tokenizer,
            recipe,
            corpus,
            folder,
            name=model.name,
            model=model.name,
            dtype="f32" if full else model.dtype,
            base=model.path,
            save_dtype=save_dtype,
            init=init,
            init_source=init_source,
            log_to=targets,
            replace_logs=force,
            share=shared_by(workers) if workers > 1 else None,
        )
        try:
            with deferred() as stop:
                outcome = work.run(progress, stop, state)
        finally:
            if full:
                model.forget()
    if not outcome.finished:
        hint = "without out, the run cannot be resumed" if out is None else "continue with resume=True"
        message = f"stopped after step {outcome.steps} of {outcome.total}: {hint}"
        if full:
            raise WgptError(message)
        warnings.warn(message, stacklevel=3)
    if outcome.lora is None:
        assert folder is not None
        return folder / MODEL
    return outcome.lora
