"""Guessing the next tokens by n-gram lookup, and checking several guesses in one step.

The GPU searches, checks and accepts by itself (kernels/sampling/propose.py and its neighbours). The host only decides
which steps have guesses: where they fail, a step of one token is cheaper.
"""

from __future__ import annotations

from collections.abc import Sequence as Sequenced

import numpy as np
from numpy.typing import NDArray

from ..gpu import GpuDevice, Program, Recorder, Tensor
from ..kernels.sampling.propose import history_entries
from ..kernels.sampling.slots import PENALISED
from ..kernels.sampling.speculation import GUESS_WORDS, HIT_WORDS
from ..ops.engine import GpuEngine
from .sequence import Sequence

WIDTH = 8  # rows of a sequence in a step with guesses
MOST_ROWS = 8  # sequences: more of them fill the GPU without guesses
_LONGEST = 8  # tokens that are looked for first: a longer match is more often right
_BEGIN, _GO_ON = 0.4, 0.25  # guesses that must be right: to begin with them, and to go on
_NEWEST = 0.25  # share of the newest step in the average


class Speculation:
    """State by slot on the GPU, and how well guesses do."""

    def __init__(self, device: GpuDevice, slots: int, capacity: int) -> None:
        self._device, self._slots, self._capacity = device, slots, capacity
        sizes = {"history": capacity, "guesses": GUESS_WORDS, "hits": HIT_WORDS}
        self.state = {name: device.empty((slots, size), "u32", name) for name, size in sizes.items()}
        self._starters: dict[int, Program] = {}
        self.drafted = self.accepted = 0  # guesses in steps, and those that were right

    @property
    def nbytes(self) -> int:
        return sum(tensor.nbytes for tensor in self.state.values())

    def start(self, slot: int, tokens: Sequenced[int]) -> None:
        """Set the tokens of a sequence that starts in a slot."""
        entries = history_entries(slot, tokens)
        size = 1 << (len(entries) - 1).bit_length()
        if size not in self._starters:
            with Recorder(self._device) as recorder:
                words = recorder.upload(np.zeros(size, np.uint32), "entries")
                problem = {"words": size, "slots": self._slots, "capacity": self._capacity}
                GpuEngine(recorder).apply("write_history", problem, entries=words, **self.state)
                self._starters[size] = recorder.finish()
        program = self._starters[size]
        program.submit(writes=[(program.inputs["entries"], entries)])

    def sizes(self, rows: int, width: int) -> dict[str, int]:
        """The problem of the kernels."""
        return {"rows": rows, "slots": self._slots, "capacity": self._capacity, "width": width}

    def propose(self, engine: GpuEngine, rows: Tensor, width: int, drawn: dict[str, Tensor]) -> None:
        """Record the end of a step: its tokens join the history, and the next ones are guessed."""
        count = rows.shape[0]
        problem = {**self.sizes(count, width), "longest": _LONGEST}
        engine.apply("propose", problem, rows=rows, **drawn, **self.state)

    def width(self, rows: Sequenced[Sequence]) -> int:
        """Rows of each sequence in the next step: 1 without guesses."""
        if len(rows) > MOST_ROWS or any(sequence.top >= 0 for sequence in rows):
            return 1
        right = sum(sequence.guessing for sequence in rows if not sequence.needs & PENALISED) / len(rows)
        return WIDTH if right >= (_GO_ON if rows[0].guessed else _BEGIN) else 1

    def learn(
        self, rows: Sequenced[Sequence], width: int, counts: Sequenced[int], hits: NDArray[np.uint32]
    ) -> None:
        """Note how well the guesses of a step did: `hits` by slot of all guesses so far, right ones and all."""
        for sequence, count in zip(rows, counts, strict=False):
            if sequence.slot is None:
                continue
            right = int(hits[sequence.slot, 0])
            was_right = 1.0 if right > sequence.right_guesses else 0.0
            sequence.right_guesses, sequence.guessed = right, width > 1
            if width > 1:
                self.drafted += width - 1
                self.accepted += count - 1
                was_right = min(1.0, (count - 1) / 2)  # two of them pay for the wider step, and more
            sequence.guessing += _NEWEST * (was_right - sequence.guessing)

    def release(self) -> None:
        for program in self._starters.values():
            program.release()
        self._starters.clear()
        for tensor in self.state.values():
            tensor.buffer.release()


