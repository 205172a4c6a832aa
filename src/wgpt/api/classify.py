"""Classifying texts with the head of a SEQ_CLS adapter."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..core.errors import PreconditionError, WgptError
from ..formats.lora import LoraAdapter


@dataclass(frozen=True)
class Classification:
    """The class of a text, with probabilities; as a string, its label.

    >>> mail = wgpt.Classification("spam", {"spam": 0.9, "ham": 0.1})
    >>> str(mail), mail.probability
    ('spam', 0.9)
    """

    label: str
    probabilities: dict[str, float]  # of all classes, the most likely first

    @property
    def probability(self) -> float:
        return self.probabilities[self.label]

    def __str__(self) -> str:
        return self.label


@dataclass(frozen=True, eq=False)
class Classes:
    """A classification head, computed on the host: it reads one row of hidden states for each text."""

    names: tuple[str, ...]
    score: NDArray[np.float32] = field(repr=False)  # [classes, hidden]

    @classmethod
    def of(cls, adapter: LoraAdapter, hidden: int, where: str) -> Classes | None:
        """None if the adapter does not classify."""
        if adapter.score is None:
            return None
        if adapter.score.shape[1] != hidden:
            raise PreconditionError(
                f"{where}: its head expects hidden size {adapter.score.shape[1]}, but the model has {hidden}: "
                "it belongs to another model"
            )
        return cls(adapter.classes, adapter.score)

    def scores(self, hidden: NDArray[np.float32]) -> NDArray[np.float64]:
        """The score of each class, from a text's last hidden state."""
        return self.score.astype(np.float64) @ hidden.astype(np.float64)

    def classify(self, hidden: NDArray[np.float32]) -> Classification:
        scores = self.scores(hidden)
        if not np.isfinite(scores).all():
            raise WgptError("cannot classify the text: its scores contain NaN or Inf; check the LoRA adapter's factors")
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        ranked = {self.names[i]: float(shares[i]) for i in np.argsort(-scores, kind="stable")}
        return Classification(next(iter(ranked)), ranked)
