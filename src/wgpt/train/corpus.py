"""The data of a run: training examples, and held-out examples for evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ..core.arguments import number_between, refused
from ..formats.tokenizer import Tokenizer
from .data import Dataset, DataSource, Reading, load_data


@dataclass(frozen=True)
class Corpus:
    """Where examples come from. `valid` is held out, or else a share `hold_out` of the data; 0: nothing is held out."""

    data: DataSource = field(repr=False)
    valid: DataSource | None = field(default=None, repr=False)
    hold_out: float = 0.1
    how: Reading = field(default_factory=Reading)

    def __post_init__(self) -> None:
        number_between("hold_out", self.hold_out, 0, 1)
        for name, source in (("data", self.data), ("valid", self.valid)):
            if (source is not None or name == "data") and not isinstance(source, str | Path | list | tuple):
                raise refused(name, source, "the path of a JSONL file, or a list of dicts")

    def load(self, tokenizer: Tokenizer, seed: int, context: int) -> tuple[Dataset, Dataset | None]:
        """Tokenised training and held-out examples, none longer than the model's context length."""
        how = replace(self.how, max_tokens=min(self.how.max_tokens, context))
        training = load_data(self.data, tokenizer, how)
        if self.valid is not None:
            return training, load_data(self.valid, tokenizer, how, training.labels or None, "the data of `valid`")
        if self.hold_out == 0:
            return training, None
        return training.split(self.hold_out, seed)

    def as_json(self) -> dict[str, Any]:
        """For checkpoints; data that was passed in memory has no name."""

        def path_of(source: DataSource | None) -> str | None:
            return str(Path(source).resolve()) if isinstance(source, str | Path) else None

        return {
            "data": path_of(self.data),
            "valid": path_of(self.valid),
            "hold_out": self.hold_out,
            "how": asdict(self.how),
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Corpus:
        data = () if raw["data"] is None else raw["data"]  # without a name: it must be passed again
        return cls(data, raw["valid"], raw["hold_out"], Reading(**raw["how"]))
