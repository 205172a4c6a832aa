"""The settings of a training run, as plain values that a checkpoint can store."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from difflib import get_close_matches
from typing import Any

from ..core.arguments import brief, flag, number_between, one_of, positive_number, refused, whole_number
from ..core.errors import PreconditionError, WgptError
from ..formats.lora import scale_of
from ..formats.peft_config import MAX_RANK
from ..ops.backend import PRECISIONS
from .batches import Batches
from .data import Reading
from .schedule import KINDS, rate

_WARMUP = 0.03  # default warm-up: share of all steps
_MOST_LR, _MOST_ALPHA = 1e38, 1e6  # the GPU computes in f32; a larger alpha only overflows
_MOST_ROWS = 1 << 20  # most rows of a micro-batch: more than fits any GPU
_SAVES = 50  # steps between checkpoints
LR, FULL_LR = 2e-4, 2e-5  # default learning rates: of adapters; of full runs, which need a lower one


class UnknownOptionError(WgptError, TypeError):
    """An unknown option."""


@dataclass(frozen=True)
class Recipe:
    """How a model is trained. The defaults suit LoRA on a few hundred to a few thousand examples.

    `full` trains all weights of the model instead of an adapter: rank, alpha, rslora and targets are then ignored.
    """

    full: bool = False
    rank: int = 16
    alpha: float | None = None  # by default twice the rank
    dropout: float = 0.0
    rslora: bool = False  # scale by alpha / sqrt(rank)
    targets: tuple[str, ...] = ("all",)
    lr: float = LR  # for a full run, Recipe.from_options takes FULL_LR
    schedule: str = "cosine"
    warmup: int | None = None  # steps
    epochs: int = 3
    steps: int | None = None  # instead of epochs
    batch: int = 4  # examples of a micro-batch
    pack: int | None = None  # rows of a micro-batch, instead of `batch`: as many examples as fit (batches.rows_of)
    accumulate: int = 1  # micro-batches of an optimiser step
    max_norm: float = 1.0  # 0: no clipping
    decay: float = 0.01
    beta1: float = 0.9
    beta2: float = 0.999
    eps: float = 1e-8
    seed: int = 0
    checkpointing: bool = False  # recompute activations: less memory, more time
    precision: str = "fast"  # products on matrix units, if the GPU has them: "fast" rounds their factors to f16
    evaluate_every: int | None = None  # steps between evaluations; by default ten evaluations per run
    save_every: int = _SAVES

    def __post_init__(self) -> None:
        least = {"rank": 1, "epochs": 1, "batch": 1, "accumulate": 1, "save_every": 1, "seed": 0}
        least |= {name: 1 for name in ("steps", "pack", "evaluate_every") if getattr(self, name) is not None}
        least |= {"warmup": 0} if self.warmup is not None else {}
        most = {"rank": MAX_RANK, "pack": _MOST_ROWS}
        values: dict[str, Any] = {}
        for name, limit in least.items():
            values[name] = whole_number(name, getattr(self, name), limit, most.get(name))
        for name in ("dropout", "beta1", "beta2"):
            values[name] = number_between(name, getattr(self, name), 0, 1)
        for name, largest in {"lr": _MOST_LR, "eps": 1.0, "alpha": _MOST_ALPHA}.items():
            if name != "alpha" or self.alpha is not None:
                values[name] = positive_number(name, getattr(self, name), largest)
        for name in ("max_norm", "decay"):
            values[name] = positive_number(name, getattr(self, name), _MOST_LR, zero=True)
        for name in ("full", "rslora", "checkpointing"):
            flag(name, getattr(self, name))
        one_of("schedule", self.schedule, KINDS)
        one_of("precision", self.precision, PRECISIONS)
        for name, value in values.items():
            object.__setattr__(self, name, value)  # NumPy numbers as Python numbers, for JSON
        if self.full and self.dropout:
            raise PreconditionError(f"dropout is for an adapter's input: with full it must be 0, not {self.dropout:g}")

    @property
    def scale(self) -> float:
        return scale_of(self.lora_alpha, self.rank, self.rslora)

    @property
    def lora_alpha(self) -> float:
        return float(2 * self.rank if self.alpha is None else self.alpha)

    def total(self, batches: Batches) -> int:
        """Optimiser steps of the run."""
        total = self.steps or batches.steps_of(self.epochs)
        if self.warmup and self.warmup >= total:
            raise PreconditionError(
                f"warmup is {self.warmup} steps, but the run has {total}: the learning rate would never be reached; "
                "use a shorter warm-up or more steps"
            )
        return total

    def rate(self, step: int, total: int) -> float:
        """The learning rate of a step, counted from 1."""
        # The first step of a warm-up has a rate of 0, and a short run has no step to waste.
        usual = min(math.ceil(_WARMUP * total), total // 10)
        warmup = usual if self.warmup is None else self.warmup
        return rate(self.schedule, step - 1, total, self.lr, warmup)

    def evaluates(self, step: int, total: int) -> bool:
        """Whether to evaluate after this step."""
        return step == total or step % (self.evaluate_every or max(1, total // 10)) == 0

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"targets": list(self.targets)}

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Recipe:
        """From keyword arguments; `targets` may be one name or several. The default of `lr` depends on `full`."""
        _check_names(options)
        defaults = {"lr": FULL_LR if options.get("full") else LR}
        return cls(**{**defaults, **options, "targets": _names(options.get("targets", ("all",)))})

    def continued(self, changes: Mapping[str, Any]) -> Recipe:
        """The recipe of a resumed run, with `changes`. A new number of epochs replaces the number of steps."""
        _check_names(changes)
        steps = {"steps": None} if "epochs" in changes and "steps" not in changes else {}
        targets = {"targets": _names(changes["targets"])} if "targets" in changes else {}
        return replace(self, **{**changes, **steps, **targets})

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Recipe:
        known = {field.name for field in fields(cls)}
        if unknown := sorted(raw.keys() - known):
            raise PreconditionError(f"the run was written by another version: unknown settings {', '.join(unknown)}")
        return cls(**{**raw, "targets": tuple(raw.get("targets", ("all",)))})


def _names(targets: Any) -> tuple[str, ...]:
    """One name, comma-separated names, or a sequence of names."""
    names = targets.split(",") if isinstance(targets, str) else targets
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise refused("targets", targets, "layer names such as 'q,v', or 'all'")
    return tuple(stripped for name in names if (stripped := name.strip()))


def _check_names(options: Mapping[str, Any]) -> None:
    known = [field.name for field in (*fields(Recipe), *fields(Reading))]
    unknown = next((name for name in options if name not in [field.name for field in fields(Recipe)]), None)
    if unknown is not None:
        closest = get_close_matches(str(unknown), known, 1)
        hint = f"did you mean {closest[0]!r}? " if closest else ""
        raise UnknownOptionError(f"unknown option {brief(unknown)}; {hint}supported: {', '.join(known)}")
