"""A fine-tuning from data to adapter: reading, training, reports. What `wgpt finetune` and Model.finetune share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..formats.peft import write_adapter
from ..formats.tokenizer import Tokenizer
from ..gpu.errors import PreconditionError
from ..models.network import Network
from . import checkpoint
from .checkpoint import TrainingState
from .corpus import Corpus
from .recipe import Recipe
from .report import Run, Sample, write_reports
from .trainer import Moment, Outcome, Trainer


def latest_state(folder: Path | None, resume: bool) -> TrainingState | None:
    """Where the run in a folder stopped, if it is to go on; one that is not must not be overwritten."""
    if folder is None:
        if resume:
            raise PreconditionError("a run can go on only from the folder that it left its checkpoints in: name it")
        return None
    found = checkpoint.latest(folder)
    if found is not None and not resume:
        raise PreconditionError(f"{folder} has a run already ({found.name}): resume it, or choose another folder")
    return None if found is None else checkpoint.load(found)


class Finetuning:
    """A model, data and a recipe. `run` does the work and leaves the adapter in the folder, if there is one."""

    def __init__(
        self,
        network: Network,
        tokenizer: Tokenizer,
        recipe: Recipe,
        corpus: Corpus,
        folder: Path | None = None,
        *,
        name: str = "",
        about: Mapping[str, Any] | None = None,
    ) -> None:
        self._network, self._recipe, self._folder = network, recipe, folder
        self._name, self._about = name, about
        self.training, self.held_out = corpus.load(tokenizer, recipe.seed)

    def described(self) -> list[str]:
        """What is about to happen, for people."""
        t = self.training
        told = [f"{len(t)} examples, {t.tokens:,} tokens, {t.targets:,} of them to learn ({t.counts})"]
        told += [f"left out: {fault}" for fault in t.counts.faults]
        if self.held_out is not None:
            told.append(f"{len(self.held_out)} examples are held out, {self.held_out.targets:,} tokens of them count")
        return told

    def run(
        self,
        watch: Callable[[Moment], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
        state: TrainingState | None = None,
    ) -> Outcome:
        """Train, from a checkpoint if there is one, until the end or until `stop` says so."""
        trainer = Trainer(
            self._network,
            self._recipe,
            self.training,
            self.held_out,
            folder=self._folder,
            about=self._about,
            base=self._name or None,
        )
        try:
            if state is not None:
                trainer.resume(state)
            outcome = trainer.run(watch, stop)
        finally:
            trainer.release()
        if self._folder is not None and outcome.finished:
            write_adapter(outcome.adapter, self._folder)
            self.report(outcome)
        return outcome

    def report(self, outcome: Outcome, samples: Sequence[Sample] = ()) -> None:
        """loss.png and report.html in the folder."""
        if self._folder is None:
            return
        r, title = self._recipe, f"{self._name or 'model'}: fine-tuning"
        facts = {
            "model": self._name,
            "GPU": str(self._network.device.info),
            "layers": ", ".join(r.targets),
            "rank, alpha": f"{r.rank}, {r.lora_alpha:g}",
            "trained": f"{outcome.adapter.parameters:,} values",
            "learning rate": f"{r.lr:g}, {r.schedule}",
            "data": f"{len(self.training)} examples, {self.training.tokens:,} tokens",
            "seed": str(r.seed),
            "most GPU memory": f"{outcome.nbytes / 2**30:.2f} GiB",
        }
        if outcome.tokens:
            facts["speed"] = f"{outcome.tokens / outcome.seconds:,.0f} tokens/s"
        write_reports(Run(title, outcome.losses, outcome.evaluations, facts, samples), self._folder)
