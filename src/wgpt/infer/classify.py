"""Texts told apart by the head of a SEQ_CLS adapter."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..formats.peft import Adapter
from ..gpu import PreconditionError


@dataclass(frozen=True)
class Classification:
    """What a text is; as a string, its label."""

    label: str
    probabilities: dict[str, float]  # of all classes, the likeliest first

    @property
    def probability(self) -> float:
        return self.probabilities[self.label]

    def __str__(self) -> str:
        return self.label


@dataclass(frozen=True, eq=False)
class Classes:
    """A head, on the host: a text has one row of hidden states for it."""

    names: tuple[str, ...]
    score: NDArray[np.float32] = field(repr=False)  # [classes, hidden]

    @classmethod
    def of(cls, adapter: Adapter, hidden: int, where: str) -> Classes | None:
        """None where it does not classify."""
        if adapter.score is None:
            return None
        if adapter.score.shape[1] != hidden:
            raise PreconditionError(
                f"{where}: its head reads {adapter.score.shape[1]} hidden states, the model has {hidden}: "
                "it belongs to another model"
            )
        return cls(adapter.classes, adapter.score)

    def scores(self, hidden: NDArray[np.float32]) -> NDArray[np.float64]:
        """Of each class, of a text's last hidden states."""
        return self.score.astype(np.float64) @ hidden.astype(np.float64)

    def classify(self, hidden: NDArray[np.float32]) -> Classification:
        scores = self.scores(hidden)
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        ranked = {self.names[i]: float(shares[i]) for i in np.argsort(-scores, kind="stable")}
        return Classification(next(iter(ranked)), ranked)
