"""A fine-tuning from data to adapter or model: what `wgpt finetune` and Model.finetune share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path

from ..formats import Checkpoint, open_checkpoint
from ..formats.aside import new_folder
from ..formats.peft import write_adapter
from ..formats.tokenizer import Tokenizer
from ..formats.write_model import F32, Change, check_writable, write_model
from ..gpu.errors import PreconditionError
from ..models.network import Network
from . import checkpoint
from .checkpoint import TrainingState
from .corpus import Corpus
from .recipe import Recipe
from .report import Run, Sample, write_reports
from .trainer import Moment, Outcome, Trainer

MODEL = "model"  # the folder within a full run's


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
    """A model, data and a recipe. `run` does the work and leaves the adapter in the folder, if there is one.

    A full run needs the folder, and `base`, the model's own files: it leaves a model in folder/model, its weights in
    `save_dtype`, all else as in `base`.
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
        base: Path | None = None,
        save_dtype: str = "f32",
    ) -> None:
        if recipe.full and (folder is None or base is None):
            missing = "a folder for the model (out)" if folder is None else "the model's own files: load it from some"
            raise PreconditionError(f"full fine-tuning needs {missing}")
        self._network, self._recipe, self._folder = network, recipe, folder
        self._name = name
        # What a resumed run is made of again; `model` and `dtype` are what it was loaded by.
        self._about = {"model": model, "dtype": dtype, "save_dtype": save_dtype, "corpus": corpus.as_json()}
        self._base, self._save_dtype = base, save_dtype
        self.training, self.held_out = corpus.load(tokenizer, recipe.seed)

    def described(self) -> list[str]:
        """What is about to happen, for people."""
        t = self.training
        if t.labels:
            shown = f"{', '.join(t.labels[:8])}{', ...' if len(t.labels) > 8 else ''}"
            told = [f"{len(t)} texts, {t.tokens:,} tokens, {len(t.labels)} labels: {shown} ({t.counts})"]
        else:
            told = [f"{len(t)} examples, {t.tokens:,} tokens, {t.targets:,} of them to learn ({t.counts})"]
        told += [f"left out: {fault}" for fault in t.counts.faults]
        if self.held_out is not None:
            count = "" if t.labels else f", {self.held_out.targets:,} tokens of them count"
            told.append(f"{len(self.held_out)} {'texts' if t.labels else 'examples'} are held out{count}")
        return told

    def run(
        self,
        watch: Callable[[Moment], None] | None = None,
        stop: Callable[[], bool] = lambda: False,
        state: TrainingState | None = None,
    ) -> Outcome:
        """Train, from a checkpoint if there is one, until the end or until `stop` says so."""
        with ExitStack() as held:
            base = None
            if self._recipe.full and self._base is not None:  # what cannot be written is refused before the work
                base = held.enter_context(open_checkpoint(self._base))
                check_writable(base, self._save_dtype)
            outcome = self._trained(watch, stop, state)
            if self._folder is not None and outcome.finished:
                if base is not None:
                    self._write_model(base, self._folder / MODEL)
                elif outcome.adapter is not None:
                    write_adapter(outcome.adapter, self._folder)
                self.report(outcome)
        return outcome

    def _trained(
        self, watch: Callable[[Moment], None] | None, stop: Callable[[], bool], state: TrainingState | None
    ) -> Outcome:
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
            return trainer.run(watch, stop)
        finally:
            trainer.release()

    def _write_model(self, base: Checkpoint, folder: Path) -> None:
        read = lru_cache(maxsize=1)(self._network.weights().read)  # a tensor is asked for in slabs

        def changes(name: str) -> Change:
            def change(lo: int, hi: int, before: Callable[[], F32]) -> F32:
                return read(name)[lo:hi]

            return change

        with new_folder(folder, replace=True) as aside:
            write_model(base, changes, aside, self._save_dtype)

    def report(self, outcome: Outcome, samples: Sequence[Sample] = ()) -> None:
        """loss.png and report.html in the folder."""
        if self._folder is None:
            return
        r, labels, title = self._recipe, self.training.labels, f"{Path(self._name).name or 'model'}: fine-tuning"
        lora = {"layers": ", ".join(r.targets), "rank, alpha": f"{r.rank}, {r.lora_alpha:g}"}
        facts = {
            "model": self._name,
            "GPU": str(self._network.device.info),
            **({"layers": "all, in full"} if r.full else lora),
            "trained": f"{outcome.parameters:,} values",
            "learning rate": f"{r.lr:g}, {r.schedule}",
            "data": f"{len(self.training)} examples, {self.training.tokens:,} tokens",
            **({"labels": ", ".join(labels)} if labels else {}),
            "seed": str(r.seed),
            "most GPU memory": f"{outcome.nbytes / 2**30:.2f} GiB",
        }
        if outcome.tokens:
            facts["speed"] = f"{outcome.tokens / outcome.seconds:,.0f} tokens/s"
        told = Run(title, outcome.losses, outcome.evaluations, facts, samples, outcome.accuracies)
        write_reports(told, self._folder)
