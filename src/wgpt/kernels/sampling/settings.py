"""Sampling settings of a sequence, and their words in its record (slots.py), which the kernel `sample` reads."""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.arguments import as_number, refused, whole_number
from ...core.generation import OPTIONS, SAMPLING, Sampling, filters_on

_COLDEST = 1e-6  # below it the likeliest token has probability 1 in f32
_STRUCT = Struct("=" + "".join({"f32": "f", "u32": "I", "u64": "Q"}[entry.gpu or ""] for entry in SAMPLING.values()))


def check_number(name: str, value: Any) -> None:
    """Refuse what is outside the bounds of an option.

    >>> check_number("top_p", 0)
    Traceback (most recent call last):
    wgpt.core.errors.PreconditionError: top_p must be above 0 and at most 1 (off), not 0
    """
    bounds = OPTIONS[name].bounds
    assert bounds is not None
    if bounds.text is None:
        whole_number(name, value, int(bounds.least), None if bounds.most is None else int(bounds.most))
    elif not bounds.holds(as_number(value)):
        raise refused(name, value, bounds.text)


@dataclass(frozen=True)
class Settings(Sampling):
    """What the GPU chooses a sequence's tokens by. Temperature 0 is greedy.

    The repetition penalty is for tokens of the prompt and generated ones, as in transformers; presence and frequency
    are for generated ones only, as in OpenAI's API.

    >>> Settings(temperature=0.7, top_p=0.9, seed=42).words().dtype
    dtype('uint32')
    """

    temperature: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        for name in SAMPLING:
            check_number(name, getattr(self, name))

    @property
    def penalised(self) -> bool:
        """Whether the tokens of the prompt or the generated ones matter."""
        return self.repetition_penalty != 1 or self.presence_penalty != 0 or self.frequency_penalty != 0

    @property
    def filtered(self) -> bool:
        """Whether an option with `filters` is on."""
        return bool(filters_on(self))

    def words(self) -> NDArray[np.uint32]:
        """Those of core.generation.WORDS; floats are stored as their bits."""
        values = {name: getattr(self, name) for name in SAMPLING}
        if self.temperature < _COLDEST:
            values["temperature"] = 0.0
        return np.frombuffer(_STRUCT.pack(*values.values()), np.uint32)

    @classmethod
    def of_words(cls, words: NDArray[np.uint32]) -> Settings:
        """The settings in a record, with f32 precision."""
        return cls(*_STRUCT.unpack(np.ascontiguousarray(words, np.uint32).tobytes()))
