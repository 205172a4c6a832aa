"""A fine-tuning run from data to adapter or model, shared by `wgpt finetune` and Model.finetune."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..core.arguments import one_of
from ..core.atomic import OutputError, new_folder
from ..core.errors import PreconditionError
from ..formats import open_checkpoint
from ..formats.lora import LoraAdapter
from ..formats.peft import write_lora
from ..formats.tokenizer import Tokenizer
from ..formats.write_model import DTYPES, F32, Change, check_writable, write_model
from ..models.network import Network
from ..models.targets import check_trainable
from . import checkpoint, loggers
from .checkpoint import TrainingState
from .corpus import Corpus
from .identity import identity_of
from .initial import check_head
from .recipe import Recipe
from .report import Run, Sample, write_reports
from .run_folder import MODEL
from .trainer import Moment, Outcome, Team, Trainer

Share = Callable[["Finetuning"], AbstractContextManager[Team]]


class Finetuning:
    """A model, data and a recipe. `run` trains and writes the adapter into the folder, if there is one.

    A full run needs the folder and `base`, the model's files: it writes a model into folder/model, with weights in
    `save_dtype` and everything else as in `base`.
    """

    def __init__(
        self,
        network: Network,
        tokenizer: Tokenizer,
        recipe: Recipe,
        corpus: Corpus,
        folder: Path | None = None,
        *,
        name: str = "",
        model: str | None = None,
        dtype: str | None = None,
        tokenizer_folder: str | None = None,
        base: Path | None = None,
        save_dtype: str = "f32",
        init: LoraAdapter | None = None,
        init_source: str | None = None,
        log_to: Sequence[loggers.Target] | None = None,
        replace_logs: bool = False,
        share: Share | None = None,
    ) -> None:
        """`init`, `init_source`: the adapter that training starts from, and its path. `log_to`: None means the targets
        of the resumed run, if any; `replace_logs`: overwrite the logs of another run. `share`: brings the workers that
        take part of every step."""
        network.check_generates()
        check_trainable(network.config)
        if recipe.full and (folder is None or base is None):
            missing = "a folder for the model (out)" if folder is None else "the model's files: load it from files"
            raise PreconditionError(f"full fine-tuning needs {missing}")
        if recipe.full and folder is not None and base is not None:
            new = folder / MODEL
            if new.resolve() in (base.resolve(), *base.resolve().parents):
                raise PreconditionError(f"{new}: would overwrite the base model: choose another out")
        one_of("save_dtype", save_dtype, tuple(DTYPES))
        self.network, self.recipe, self._folder = network, recipe, folder
        self.name, self.init, self._share = _anywhere(name) or "", init, share
        # What is needed to resume the run; `model`, `dtype` and `tokenizer` are the arguments it was loaded with.
        self.about: dict[str, Any] = {"model": _anywhere(model), "dtype": dtype, "save_dtype": save_dtype}
        self.about["tokenizer"] = _anywhere(tokenizer_folder)
        self.about |= {"corpus": corpus.as_json(), "init_lora": init_source}
        self._base, self._save_dtype = base, save_dtype
        self._log_to, self._replace_logs = log_to, replace_logs
        self._identity: dict[str, Any] | None = None
        if base is not None:
            with open_checkpoint(base) as files:
                if recipe.full:  # refuse before training what cannot be written
                    check_writable(files, save_dtype)
                self._identity = identity_of(files, self.name, dtype)
        self.training, self.held_out = corpus.load(tokenizer, recipe.seed, network.config.context)
        if init is not None:
            check_head(init, init_source or "init_lora", self.training.labels)

    def described(self) -> list[str]:
        """A description of the data, for display."""
        t = self.training
        if t.labels:
            shown = f"{', '.join(t.labels[:8])}{', ...' if len(t.labels) > 8 else ''}"
            lines = [f"{len(t)} texts, {t.tokens:,} tokens, {len(t.labels)} labels: {shown} ({t.counts})"]
        else:
            lines = [f"{len(t)} examples, {t.tokens:,} tokens, {t.targets:,} of them to learn ({t.counts})"]
        lines += [f"left out: {fault}" for fault in t.counts.faults]
        if self.held_out is not None:
            count = "" if t.labels else f", with {self.held_out.targets:,} target tokens"
            lines.append(f"{len(self.held_out)} {'texts' if t.labels else 'examples'} are held out{count}")
        return lines

    def run(
        self,
        watch: Callable[[Moment], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
        state: TrainingState | None = None,
    ) -> Outcome:
        """Train, from a checkpoint if there is one, to the end or until `stop` returns True."""
        with self._naming_the_checkpoint():
            with nullcontext() if self._share is None else self._share(self) as team:
                outcome = self._trained(watch, stop, state, team)
            if self._folder is not None and outcome.finished:
                if outcome.lora is not None:
                    write_lora(outcome.lora, self._folder)
                elif self._base is not None:
                    self._write_model(self._base, self._folder / MODEL)
                self.report(outcome)
        return outcome

    @contextmanager
    def _naming_the_checkpoint(self) -> Iterator[None]:
        """A full disk ends a run, but earlier checkpoints stay: name the latest in the error."""
        try:
            yield
        except OSError as e:
            kept = None if self._folder is None else checkpoint.latest(self._folder)
            if kept is None:
                raise
            raise OutputError(
                f"{e}. Everything up to {kept} is saved: free some space and continue with "
                f"`wgpt finetune --out {self._folder} --resume` (resume=True)"
            ) from e

    def _trained(
        self,
        watch: Callable[[Moment], None] | None,
        stop: Callable[[], bool],
        state: TrainingState | None,
        team: Team | None,
    ) -> Outcome:
        before = {} if state is None else state.config["about"]
        targets = loggers.targets_of(before.get("log_to", [])) if self._log_to is None else self._log_to
        run_id = before.get("run_id") or secrets.token_hex(4)
        trainer = Trainer(
            self.network,
            self.recipe,
            self.training,
            self.held_out,
            folder=self._folder,
            about=self.about | {"log_to": [str(target) for target in targets], "run_id": run_id},
            base=self.name or None,
            identity=self._identity,
            init=self.init,
            team=team,
        )
        try:
            if state is not None:
                trainer.resume(state)
            step = None if state is None else state.step
            start = loggers.Start(run_id, self._settings(trainer), step, self._replace_logs)
            with loggers.opened(targets, self._folder, start) as log:

                def seen(moment: Moment) -> None:
                    log(moment)
                    if watch is not None:
                        watch(moment)

                return trainer.run(seen, stop)
        finally:
            trainer.release()

    def _settings(self, trainer: Trainer) -> dict[str, Any]:
        """The run's settings, for its logs."""
        return {
            **self.recipe.as_json(),
            "model": self.name,
            "dtype": self.about["dtype"],
            "gpu": str(self.network.device.info),
            "examples": len(self.training),
            "tokens": self.training.tokens,
            "parameters": trainer.learning.parameters,
            "total_steps": trainer.total,
        }

    def _write_model(self, base: Path, folder: Path) -> None:
        read = lru_cache(maxsize=1)(self.network.weights().read)  # a tensor is requested in slabs

        def changes(name: str) -> Change:
            def change(lo: int, hi: int, before: Callable[[], F32]) -> F32:
                return read(name)[lo:hi]

            return change

        with open_checkpoint(base) as files, new_folder(folder, replace=True) as aside:
            write_model(files, changes, aside, self._save_dtype)

    def report(self, outcome: Outcome, samples: Sequence[Sample] = ()) -> None:
        """loss.png and report.html in the folder."""
        if self._folder is None:
            return
        r, labels, title = self.recipe, self.training.labels, f"{Path(self.name).name or 'model'}: fine-tuning"
        lora = {"layers": ", ".join(r.targets), "rank, alpha": f"{r.rank}, {r.lora_alpha:g}"}
        facts = {
            "model": self.name,
            "GPU": str(self.network.device.info),
            **({"layers": "all, in full"} if r.full else lora),
            "trained": f"{outcome.parameters:,} values",
            "learning rate": f"{r.lr:g}, {r.schedule}",
            "data": f"{len(self.training)} examples, {self.training.tokens:,} tokens",
            **({"labels": ", ".join(labels)} if labels else {}),
            "seed": str(r.seed),
            "peak GPU memory": f"{outcome.nbytes / 2**30:.2f} GiB",
        }
        if outcome.tokens:
            facts["speed"] = f"{outcome.tokens / outcome.seconds:,.0f} tokens/s"
        run = Run(title, outcome.losses, outcome.evaluations, facts, samples, outcome.accuracies)
        write_reports(run, self._folder)


def _anywhere(model: str | None) -> str | None:
    """A model's name; a path becomes absolute, so that the run and its adapter work from any directory."""
    if model is None or not os.path.exists(os.path.expanduser(model)):
        return model
    return os.path.abspath(os.path.expanduser(model))
