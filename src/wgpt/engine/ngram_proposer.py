"""Guessing the next tokens by n-gram lookup, and checking several guesses in one step.

The GPU searches, checks and accepts by itself (kernels/sampling/propose.py and its neighbours). The host only decides
which steps have guesses: where they fail, a step of one token is cheaper.
"""

from __future__ import annotations

from collections.abc import Sequence as Sequenced
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..gpu import GpuDevice, Program, Recorder, Tensor
from ..kernels.sampling.propose import history_entries
from ..kernels.sampling.slots import PENALISED
from ..kernels.sampling.speculation import HIT_WORDS
from ..ops.backend import GpuBackend
from .pace import NgramState, expected
from .proposer import Proposer, may_have_guesses
from .sequence import Sequence

WIDTH = 8  # rows of a sequence in a step with guesses
_LONGEST = 8  # tokens that are looked for first: a longer match is more often right
_COST = 1.75  # of a step with guesses, in plain ones; 1.65 for SmolLM2-135M on an H200, more for larger models
_LEAST_GAIN = 1.3  # expected tokens for that, to begin with guesses; they go on while they pay for themselves
_NEWEST, _NEWEST_STEP = 0.15, 0.4  # share of the newest in the averages: of first guesses, and of steps with guesses


class NgramProposer(Proposer):
    """Each step ends with a search for guesses, which the next one may check."""

    def __init__(self, device: GpuDevice, slots: int, capacity: int) -> None:
        super().__init__(device, slots, capacity, history=capacity, hits=HIT_WORDS)
        self._starters: dict[int, Program] = {}

    def start(self, sequence: Sequence) -> None:
        """Set the tokens of a sequence that starts in its slot."""
        assert sequence.slot is not None
        sequence.ngram_state.right = 0
        entries = history_entries(sequence.slot, sequence.context)
        size = 1 << (len(entries) - 1).bit_length()
        if size not in self._starters:
            with Recorder(self._device) as recorder:
                words = recorder.upload(np.zeros(size, np.uint32), "entries")
                problem = {"words": size, "slots": self._slots, "capacity": self._capacity}
                GpuBackend(recorder).apply("write_history", problem, entries=words, **self.state)
                self._starters[size] = recorder.finish()
        program = self._starters[size]
        program.submit(writes=[(program.inputs["entries"], entries)])

    def record_guesses(
        self, recorder: Recorder, begun: dict[str, Tensor], width: int, splits: int, context: int
    ) -> None:
        """Nothing: the step before has made them."""

    def record_end(
        self, recorder: Recorder, begun: dict[str, Tensor], width: int, drawn: dict[str, Tensor]
    ) -> dict[str, Tensor]:
        """The new tokens join the history, and the next ones are guessed."""
        rows = begun["rows"]
        problem = {**self.sizes(rows.shape[0], width), "longest": _LONGEST}
        GpuBackend(recorder).apply("propose", problem, rows=rows, **drawn, **self.state)
        return {"hits": self.state["hits"]}

    def width(self, rows: Sequenced[Sequence]) -> int:
        if not may_have_guesses(rows):
            return 1
        each = [1.0 if sequence.needs & PENALISED else _expected(sequence.ngram_state) for sequence in rows]
        tokens = sum(each) / len(rows)
        return WIDTH if tokens >= (_COST if rows[0].ngram_state.guessed else _LEAST_GAIN * _COST) else 1

    def learn(
        self, rows: Sequenced[Sequence], width: int, result: dict[str, NDArray[Any]], seconds: float | None
    ) -> None:
        """`hits` has, by slot, all first guesses so far: right ones, and all."""
        counts = result["count"].tolist() if width > 1 else [1] * len(rows)
        for sequence, count in zip(rows, counts, strict=False):
            if sequence.slot is None:
                continue
            state, right = sequence.ngram_state, int(result["hits"][sequence.slot, 0])
            was_right = 1.0 if right > state.right else 0.0
            state.rate += _NEWEST * (was_right - state.rate)
            if width > 1:
                self.drafted += width - 1
                self.accepted += count - 1
                before = state.accepted if state.guessed else _COST - 1  # as if it had paid so far
                state.accepted = before + _NEWEST_STEP * (count - 1 - before)
            state.right, state.guessed = right, width > 1

    def release(self) -> None:
        for program in self._starters.values():
            program.release()
        self._starters.clear()
        super().release()


def _expected(state: NgramState) -> float:
    """Tokens of a step with guesses: as many as such steps had, or by how often the first guess was right."""
    return 1 + state.accepted if state.guessed else expected(state.rate, WIDTH - 1)
