"""What a training run is asked for, in numbers that a checkpoint can keep."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from ..formats.peft import MAX_RANK, scale_of
from ..gpu.errors import PreconditionError
from .batches import Batches
from .schedule import KINDS, rate

_WARMUP = 0.03  # of all steps, where nobody says how many
_SAVES = 50  # steps between checkpoints
LR, FULL_LR = 2e-4, 2e-5  # for adapters; for all weights of a model, which are easily spoilt


@dataclass(frozen=True)
class Recipe:
    """How a model is trained. The defaults suit LoRA on a few hundred to a few thousand examples.

    `full` trains all weights of the model instead of an adapter: rank, alpha, rslora and targets then mean nothing.
    """

    full: bool = False
    rank: int = 16
    alpha: float | None = None  # by default twice the rank
    dropout: float = 0.0
    rslora: bool = False  # scale by alpha / sqrt(rank)
    targets: tuple[str, ...] = ("all",)
    lr: float = LR  # Recipe.given takes FULL_LR for a full run
    schedule: str = "cosine"
    warmup: int | None = None  # steps
    epochs: int = 3
    steps: int | None = None  # instead of epochs
    batch: int = 4  # examples of a micro-batch
    pack: int | None = None  # rows of a micro-batch, instead of `batch`: as many examples as fit
    accumulate: int = 1  # micro-batches of an optimiser step
    max_norm: float = 1.0  # 0: no clipping
    decay: float = 0.01
    beta1: float = 0.9
    beta2: float = 0.999
    eps: float = 1e-8
    seed: int = 0
    checkpointing: bool = False  # less memory, more work
    evaluate_every: int | None = None  # steps; by default ten times in all
    save_every: int = _SAVES

    def __post_init__(self) -> None:
        least = {"rank": 1, "epochs": 1, "steps": 1, "batch": 1, "pack": 1, "accumulate": 1, "warmup": 0}
        for name, limit in (least | {"evaluate_every": 1, "save_every": 1, "seed": 0}).items():
            value = getattr(self, name)
            if value is not None and value < limit:
                raise PreconditionError(f"{name} must be at least {limit}, not {value}")
        if self.rank > MAX_RANK:
            raise PreconditionError(f"rank must be at most {MAX_RANK}, not {self.rank}")
        if self.schedule not in KINDS:
            raise PreconditionError(f"{self.schedule!r} is no schedule: there are {', '.join(KINDS)}")
        for name in ("dropout", "beta1", "beta2"):
            if not 0 <= getattr(self, name) < 1:
                raise PreconditionError(f"{name} must be from 0 to below 1, not {getattr(self, name):g}")
        for name in ("lr", "eps"):
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) > 0):
                raise PreconditionError(f"{name} must be above 0, not {getattr(self, name):g}")
        for name in ("max_norm", "decay"):
            if not (math.isfinite(getattr(self, name)) and getattr(self, name) >= 0):
                raise PreconditionError(f"{name} must be 0 or more, not {getattr(self, name):g}")

        if self.full and self.dropout:
            raise PreconditionError(f"dropout is of an adapter's input: it must be 0 in full, not {self.dropout:g}")

    @property
    def scale(self) -> float:
        return scale_of(self.lora_alpha, self.rank, self.rslora)

    @property
    def lora_alpha(self) -> float:
        return float(2 * self.rank if self.alpha is None else self.alpha)

    def total(self, batches: Batches) -> int:
        """Optimiser steps of the run."""
        return self.steps or sum(batches.steps_in(epoch) for epoch in range(self.epochs))

    def rate(self, step: int, total: int) -> float:
        """The learning rate of a step, counted from 1."""
        warmup = math.ceil(_WARMUP * total) if self.warmup is None else self.warmup
        return rate(self.schedule, step - 1, total, self.lr, warmup if total > 1 else 0)

    def evaluates(self, step: int, total: int) -> bool:
        """Whether the held-out loss is wanted after this step."""
        return step == total or step % (self.evaluate_every or max(1, total // 10)) == 0

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"targets": list(self.targets)}

    @classmethod
    def given(cls, options: Mapping[str, Any]) -> Recipe:
        """Of keywords; `targets` may be one name or several. Without `lr`, the one that suits."""
        known = [field.name for field in fields(cls)]
        if unknown := sorted(options.keys() - set(known)):
            raise TypeError(f"training has no option {', '.join(unknown)}: there are {', '.join(known)}")
        targets = options.get("targets", ("all",))
        named = targets.split(",") if isinstance(targets, str) else targets
        suits = {"lr": FULL_LR if options.get("full") else LR}
        return cls(**{**suits, **options, "targets": tuple(name.strip() for name in named)})

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Recipe:
        known = {field.name for field in fields(cls)}
        if unknown := sorted(raw.keys() - known):
            raise PreconditionError(f"the run was made by another version: it has {', '.join(unknown)}")
        return cls(**{**raw, "targets": tuple(raw.get("targets", ("all",)))})
