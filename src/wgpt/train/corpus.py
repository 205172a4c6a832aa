"""The data of a run: what is learnt, and what is held out to see whether it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..formats.tokenizer import Tokenizer
from .data import Dataset, Given, Reading, load_data


@dataclass(frozen=True)
class Corpus:
    """Where examples come from. Held out is `valid`, or a share of the data; with 0 there is nothing held out."""

    data: Given = field(repr=False)
    valid: Given | None = field(default=None, repr=False)
    hold_out: float = 0.1
    how: Reading = field(default_factory=Reading)

    def load(self, tokenizer: Tokenizer, seed: int) -> tuple[Dataset, Dataset | None]:
        """Tokenised: training and held-out examples."""
        training = load_data(self.data, tokenizer, self.how)
        if self.valid is not None:
            return training, load_data(self.valid, tokenizer, self.how, training.labels or None)
        if self.hold_out == 0:
            return training, None
        return training.split(self.hold_out, seed)

    def as_json(self) -> dict[str, Any]:
        """What a checkpoint says of it; objects that were given in memory are not named."""

        def named(given: Given | None) -> str | None:
            return str(Path(given).resolve()) if isinstance(given, str | Path) else None

        return {
            "data": named(self.data),
            "valid": named(self.valid),
            "hold_out": self.hold_out,
            "how": asdict(self.how),
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Corpus:
        return cls(raw["data"], raw["valid"], raw["hold_out"], Reading(**raw["how"]))
