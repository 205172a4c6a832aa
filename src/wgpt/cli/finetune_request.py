"""What `wgpt finetune` has to do, from its options or from the run to resume."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import typer

from ..formats.lora import LoraAdapter
from ..formats.peft import read_lora
from ..models.config import Config
from ..train.checkpoint import TrainingState
from ..train.corpus import Corpus
from ..train.data import Reading
from ..train.initial import starting_from
from ..train.recipe import Recipe
from .finetune_options import DataOptions, RecipeOptions

_LORA_OPTIONS = ("rank", "alpha", "dropout", "rslora", "targets")


@dataclass(frozen=True)
class Request:
    """One run of fine-tuning."""

    model: str | None
    dtype: str | None
    save_dtype: str
    corpus: Corpus
    recipe: Recipe
    folder: Path
    state: TrainingState | None
    init_lora: str | None
    tokenizer: str | None = None

    @classmethod
    def resumed(
        cls,
        state: TrainingState,
        explicit: set[str],
        model: str | None,
        data: DataOptions,
        folder: Path,
        init_lora: str | None,
        dtype: str | None,
        save_dtype: str,
        recipe: RecipeOptions,
        tokenizer: str | None = None,
    ) -> Request:
        """The options of the earlier run, except for those in `explicit`."""
        about = state.config["about"]
        started_from = about.get("init_lora")
        if init_lora is not None and str(Path(init_lora).resolve()) != started_from:
            raise typer.BadParameter(
                f"--init-lora {init_lora}: the run in {folder} started from {started_from or 'a new adapter'}; "
                "remove --init-lora to resume it"
            )
        data = replace(_options_of(Corpus.from_json(about["corpus"])), **_only(explicit, data))
        changed = _only(explicit & asdict(recipe).keys(), recipe.recipe())
        return cls(
            model if "model" in explicit else about["model"],
            dtype if "dtype" in explicit else about["dtype"],
            save_dtype if "save_dtype" in explicit else about.get("save_dtype", "f32"),
            corpus_of(data),
            Recipe.from_json(state.config["recipe"]).continued(changed),
            folder,
            state,
            started_from,
            tokenizer if "tokenizer" in explicit else about.get("tokenizer"),
        )

    def checked(self, explicit: set[str]) -> Request:
        """Check that the options agree, and add what --full implies."""
        if not self.recipe.full:
            if "save_dtype" in explicit:
                raise typer.BadParameter("--save-dtype needs --full: an adapter is always saved as f32")
            return self
        if "init_lora" in explicit:
            raise typer.BadParameter("--init-lora and --full exclude each other: --full trains no adapter")
        if self.dtype not in (None, "f32"):
            raise typer.BadParameter(
                f"--dtype {self.dtype}: --full trains f32 weights; remove --dtype, or train an adapter"
            )
        if self.corpus.how.classify:
            raise typer.BadParameter("--full does not support --task classify: remove --full to train an adapter")
        if conflicting := [name for name in _LORA_OPTIONS if name in explicit]:
            raise typer.BadParameter(
                f"--{conflicting[0]} is an option of adapters, and --full trains none: remove one of them"
            )
        return replace(self, dtype="f32")

    def started(self, explicit: set[str], config: Config) -> tuple[Request, LoraAdapter | None]:
        """The request with the recipe of the adapter that it starts from, and that adapter, if any."""
        if self.init_lora is None or self.state is not None:  # the checkpoint contains the adapter
            return self, None
        init = read_lora(self.init_lora)
        return replace(self, recipe=starting_from(init, self.init_lora, self.recipe, explicit, config)), init


def corpus_of(data: DataOptions) -> Corpus:
    if data.data is None:
        raise typer.BadParameter("--data FILE.jsonl is missing: the training data")
    how: dict[str, Any] = {name: getattr(data, name) for name in ("max_tokens", "too_long", "broken", "answers")}
    reading = Reading(**how, everything=data.learn_prompts, classify=data.task == "classify")
    return Corpus(data.data, data.valid, data.hold_out, reading)


def _options_of(corpus: Corpus) -> DataOptions:
    """The options for this corpus; data passed as Python objects has no path."""
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


def _only(explicit: set[str], options: DataOptions | Recipe) -> dict[str, Any]:
    """The values of the options set on the command line."""
    return {name: value for name, value in vars(options).items() if name in explicit}
