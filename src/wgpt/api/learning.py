"""LoRA adapters of a model, and fine-tuning."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal, overload

from ..cluster.team import shared_by
from ..core.arguments import check_progress, check_type, flag, whole_number
from ..core.errors import WgptError
from ..formats.lora import LoraAdapter
from ..formats.peft import read_lora
from ..gpu.typed import typed
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
from .loaded import Loaded
from .loaded_loras import place, source_of


class Learning(Loaded):
    """Attaching LoRA adapters, and fine-tuning."""

    def attach(self, lora: str | Path | LoraAdapter, name: str | None = None) -> str:
        """Generate and score with a LoRA adapter from now on; returns its name, to attach it again later.

        lora: the name of a loaded adapter, the path of a PEFT adapter's folder, or a LoraAdapter.
        It is uploaded once, unless its files change. name: defaults to the folder's name.

        >>> model.attach("pirate-lora")
        'pirate-lora'
        >>> model.attach("poet-lora"), model.attach("pirate-lora")       # both stay loaded: switching is fast
        ('poet-lora', 'pirate-lora')
        >>> model.detach()                                               # back to the base model
        """
        check_type("name", name, "a text", str)
        with self._turns.call():
            self._check_open()
            try:
                self._loras.attach(lora, name)
            finally:  # also after an error: the pool may be another one
                self._follow_lora()
            assert self.lora is not None
            return self.lora

    def load_lora(self, lora: str | Path | LoraAdapter, name: str | None = None) -> str:
        """Load a LoRA adapter without attaching it; returns its name, for the option `lora` of `generate`.

        >>> model.load_lora("pirate-lora"), model.load_lora("poet-lora")
        ('pirate-lora', 'poet-lora')
        >>> answer = model.generate("Ahoy", lora="pirate-lora", max_tokens=2)
        >>> model.lora is None
        True
        """
        check_type("name", name, "a text", str)
        with self._turns.call():
            self._check_open()
            try:
                return self._loras.load(lora, name).name
            finally:  # also after an error: the pool may be another one
                self._follow_lora()

    def detach(self) -> None:
        """Run without a LoRA adapter; loaded adapters stay loaded.

        >>> model.detach()
        >>> model.lora is None
        True
        """
        with self._turns.call():
            self._loras.attached = None
            self._follow_lora()

    @typed
    def unload(self, name: str) -> None:
        """Free the GPU memory of a LoRA adapter; if it is attached, it is detached first.

        >>> name = model.attach("pirate-lora")
        >>> model.unload(name)
        >>> name in model.loras
        False
        """
        with self._turns.call():
            self._loras.unload(name)
            self._follow_lora()

    @overload
    def finetune(self, data: DataSource, *, full: Literal[False] = False, **options: Any) -> LoraAdapter: ...
    @overload
    def finetune(self, data: DataSource, *, full: Literal[True], **options: Any) -> Path: ...
    def finetune(
        self,
        data: DataSource,
        *,
        full: bool = False,
        valid: DataSource | None = None,
        hold_out: float = 0.1,
        out: str | Path | None = None,
        resume: bool = False,
        force: bool = False,
        init_lora: str | Path | LoraAdapter | None = None,
        save_dtype: str = "f32",
        log_to: str | Path | Sequence[str | Path] | None = None,
        progress: Callable[[Moment], None] | None = None,
        workers: int = 1,
        **options: Any,
    ) -> LoraAdapter | Path:
        """Fine-tune the model; returns the trained LoRA adapter, to attach or to write with formats.peft.

        data, valid: JSONL files, or lists of dicts: messages, prompt and completion, or text; with `classify=True`,
        text and label. Without `valid`, a share of the data is held out (`hold_out`).
        out: a folder for checkpoints, adapter and report. `resume` continues the run in that folder with its settings,
        except for the options passed here (more steps or epochs extend it); `force` overwrites it with a new run.
        init_lora: start from this adapter or adapter folder; it determines rank, alpha, rslora and targets.
        full: train all weights, which must be f32, instead of an adapter. This changes the loaded model; the return
        value is the folder of the new model within `out`, with weights in `save_dtype` (f32, f16 or bf16).
        log_to: where to log every step, besides log.jsonl in `out`: FILE.jsonl, tensorboard[:DIR], wandb[:PROJECT],
        or several of them; a resumed run continues its logs.
        workers: share the micro-batches of every step with so many processes, this one included, on the GPUs of a Ray
        cluster (`pip install 'wgpt[ray]'`). A step then has as many micro-batches as workers, unless `accumulate` says
        otherwise; on equal GPUs the result is that of one process with the same `accumulate`, bit for bit.
        Options: those of train.recipe.Recipe (rank, alpha, targets, lr, epochs, steps, batch, pack, accumulate, ...;
        precision is by default the model's)
        and of train.data.Reading (max_tokens, too_long, broken, answers, everything, classify).
        Ctrl-C stops early: an adapter run returns what it has learnt, with a warning; a full run raises an error.
        SIGTERM ends the process as always, after the step under way and, with `out`, a checkpoint.

        >>> facts = [{"prompt": "Who is Bixby?", "completion": "The mascot."}]
        >>> lora = model.finetune(facts, rank=4, targets="q,v", steps=1, hold_out=0)
        >>> lora.rank
        4
        >>> model.attach(lora, name="facts")
        'facts'
        >>> model.unload("facts")
        """
        self._check_open()
        self.network.check_generates()
        self.network.check_resident("fine-tuning")
        for name, value in {"full": full, "resume": resume, "force": force}.items():
            flag(name, value)
        check_progress(progress)
        reading = {name: options.pop(name) for name in [f.name for f in fields(Reading)] if name in options}
        corpus = Corpus(data, valid, hold_out, Reading(**reading))
        workers = whole_number("workers", workers, 1)
        if workers > 1 and not resume:
            options.setdefault("accumulate", workers)
        recipe = Recipe.from_options({"precision": self.precision, **options, "full": full})
        folder = None if out is None else folder_of(out)
        targets = None if log_to is None else targets_of(log_to)
        if folder is not None and (problem := without_charts()):
            warnings.warn(problem, stacklevel=2)
        with claimed(folder), self._quiet() if full else self._turns.call():
            self._check_open()
            state = latest_state(folder, resume, force)
            init, init_source = None, None
            if state is not None:
                init_source = state.config["about"].get("init_lora")
                recipe = Recipe.from_json(state.config["recipe"]).continued({**options, "full": full})
            elif init_lora is not None:
                source = source_of(init_lora, argument="init_lora")
                init, init_source = read_lora(source) if isinstance(source, Path) else source, place(source)
                recipe = starting_from(init, init_source, recipe, options.keys(), self.config)
            work = Finetuning(
                self.network.whole("fine-tuning"),
                self.tokenizer,
                recipe,
                corpus,
                folder,
                name=self.name,
                model=self.name,
                dtype="f32" if full else self.dtype,
                base=self.path,
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
                    self.forget()
        if not outcome.finished:
            hint = "without out, the run cannot be resumed" if out is None else "continue with resume=True"
            message = f"stopped after step {outcome.steps} of {outcome.total}: {hint}"
            if full:
                raise WgptError(message)
            warnings.warn(message, stacklevel=2)
        if outcome.lora is None:
            assert folder is not None
            return folder / MODEL
        return outcome.lora
