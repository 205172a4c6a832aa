"""Sampling settings of a sequence, and their words in its record (slots.py), which the kernel `sample` reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from struct import Struct

import numpy as np
from numpy.typing import NDArray

from ...gpu.arguments import as_number, refused, whole_number

SETTINGS_WORDS = 9  # temperature, top_k, top_p, min_p, repetition, seed low, seed high, presence, frequency
_WORDS, _FLOATS = Struct("=fIfffIIff"), [0, 2, 3, 4, 7, 8]
_MOST_PENALTY = 2  # OpenAI's range
_COLDEST = 1e-6  # below it the likeliest token has probability 1 in f32
_HOTTEST = 1e6  # tokens are equally likely long before that; far beyond it, even masked ones would be
_F32_MAX = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class Settings:
    """Temperature 0 is greedy; top_k 0, top_p 1, min_p 0, repetition_penalty 1 and the other penalties at 0 are off.

    The repetition penalty is for tokens of the prompt and generated ones, as in transformers; presence and frequency
    are for generated ones only, as in OpenAI's API.

    >>> Settings(temperature=0.7, top_p=0.9, seed=42).words().dtype
    dtype('uint32')
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    seed: int = 0
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0

    def __post_init__(self) -> None:
        _number("temperature", self.temperature, "from 0 (greedy) to 1e6", lambda x: 0 <= x <= _HOTTEST)
        whole_number("top_k", self.top_k, 0, 2**32 - 1)
        _number("top_p", self.top_p, "above 0 and at most 1 (off)", lambda x: 0 < x <= 1)
        _number("min_p", self.min_p, "0 (off) or more, and below 1", lambda x: 0 <= x < 1)
        penalty = "above 0, and finite; 1 is off"
        _number("repetition_penalty", self.repetition_penalty, penalty, lambda x: 0 < x <= _F32_MAX)
        whole_number("seed", self.seed, 0, 2**64 - 1)
        for name in ("presence_penalty", "frequency_penalty"):
            _number(name, getattr(self, name), "from -2 to 2; 0 is off", lambda x: abs(x) <= _MOST_PENALTY)

    @property
    def penalised(self) -> bool:
        """Whether the tokens of the prompt or the generated ones matter."""
        return self.repetition_penalty != 1 or self.presence_penalty != 0 or self.frequency_penalty != 0

    def words(self) -> NDArray[np.uint32]:
        """SETTINGS_WORDS words; floats are stored as their bits."""
        temperature = self.temperature if self.temperature >= _COLDEST else 0.0
        data = _WORDS.pack(
            temperature,
            self.top_k,
            self.top_p,
            self.min_p,
            self.repetition_penalty,
            self.seed & 0xFFFFFFFF,
            self.seed >> 32,
            self.presence_penalty,
            self.frequency_penalty,
        )
        return np.frombuffer(data, np.uint32)

    @classmethod
    def of_words(cls, words: NDArray[np.uint32]) -> Settings:
        """The settings in a record, with f32 precision."""
        temperature, top_p, min_p, *penalties = (float(x) for x in words[_FLOATS].view(np.float32))
        seed = int(words[5]) | int(words[6]) << 32
        return cls(temperature, int(words[1]), top_p, min_p, penalties[0], seed, *penalties[1:])


def _number(name: str, value: object, allowed: str, holds: Callable[[float], bool]) -> None:
    """Raise unless the value is a number for which `holds` is true; NaN never is."""
    if not holds(as_number(value)):
        raise refused(name, value, allowed)
