"""What every way to guess the next tokens has: the GPU makes and checks the guesses, the host decides which steps have
them. See ngram_proposer.py (n-grams) and draft.py (a draft model)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence as Sequenced
from typing import Any

from numpy.typing import NDArray

from ..gpu import GpuDevice, Recorder, Tensor
from ..kernels.sampling.speculation import GUESS_WORDS
from .pages import Pages
from .sequence import Sequence

MOST_ROWS = 8  # sequences of a step with guesses: more of them fill a GPU without


class Proposer(ABC):
    """`state` is by slot, on the GPU; `drafted` and `accepted` count guesses in steps, and those that were right."""

    slices = False  # whether making guesses needs the slices of a plain step's context

    def __init__(self, device: GpuDevice, slots: int, capacity: int, **sizes: int) -> None:
        self._device, self._slots, self._capacity = device, slots, capacity
        words = {"guesses": GUESS_WORDS, **sizes}
        self.state = {name: device.empty((slots, size), "u32", name) for name, size in words.items()}
        self.drafted = self.accepted = 0

    @property
    def nbytes(self) -> int:
        return sum(tensor.nbytes for tensor in self.state.values())

    def sizes(self, rows: int, width: int) -> dict[str, int]:
        """The problem of the kernels."""
        return {"rows": rows, "slots": self._slots, "capacity": self._capacity, "width": width}

    # Recording ----------------------------------------------------------------------------------------------

    @abstractmethod
    def record_guesses(
        self, recorder: Recorder, begun: dict[str, Tensor], width: int, splits: int, context: int
    ) -> None:
        """Record what makes the guesses, if that is part of the step that checks them."""

    @abstractmethod
    def record_end(
        self, recorder: Recorder, begun: dict[str, Tensor], width: int, drawn: dict[str, Tensor]
    ) -> dict[str, Tensor]:
        """Record the end of a step with these new tokens; returns what the host reads of it."""

    # Running ------------------------------------------------------------------------------------------------

    @abstractmethod
    def start(self, sequence: Sequence) -> None:
        """A sequence starts in its slot."""

    @abstractmethod
    def width(self, rows: Sequenced[Sequence]) -> int:
        """Rows of each sequence in the next step: 1 without guesses."""

    def prepare(self, rows: Sequenced[Sequence], width: int, pages: Pages) -> bool:
        """Submit what must run before a step; returns whether there was anything."""
        return False

    @abstractmethod
    def learn(
        self, rows: Sequenced[Sequence], width: int, result: dict[str, NDArray[Any]], seconds: float | None
    ) -> None:
        """Note how well the guesses of a step did, and how long it took; None: unknown."""

    def release(self) -> None:
        for tensor in self.state.values():
            tensor.buffer.release()


def may_have_guesses(rows: Sequenced[Sequence]) -> bool:
    """Few sequences, none of which reports log-probabilities."""
    return len(rows) <= MOST_ROWS and all(sequence.top < 0 for sequence in rows)
