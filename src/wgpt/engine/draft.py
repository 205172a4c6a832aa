"""Guessing the next tokens by a draft model: a smaller one with the same vocabulary.

It has a KV cache of its own with the same pages, slots and page table as the model's, so what is shared, given back or
recomputed there is so here. A step with guesses runs it for one token after another, and the model checks them all: one
Program. Where guessing does not pay, plain steps leave it behind; it reads what it has missed before it guesses again,
prompts included.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Sequenced
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import WgptError
from ..formats.tokenizer import Tokenizer
from ..gpu import AllocationError, Heap, Pending, Program, Recorder, Tensor
from ..gpu.programs import Programs
from ..kernels.sampling.slots import DRAFTED, IDLE, PENALISED
from ..kernels.sampling.speculation import RECENT
from ..models.network import AnyNetwork, Network
from ..ops.backend import GpuBackend
from ..ops.cache import PagedCache, refused
from ..ops.forward import Forward, Rows
from .batch import Chunk, bucket, chunks
from .chunk_sizes import usual_chunk
from .pace import DraftState, Pace
from .pages import Pages
from .proposer import Proposer, may_have_guesses
from .sequence import Sequence
from .slots import Slots

WINDOW = 4  # tokens that a step with guesses reads before it guesses: as many as may be under way, and one guess
_PROMPT_SHARE = 32  # a prompt with more tokens than this for each token to generate is not worth reading


@dataclass(frozen=True, eq=False)
class DraftModel:
    """A model that guesses for another one."""

    network: Network
    tokenizer: Tokenizer | None = None
    name: str = "the draft model"

    def check(self, network: AnyNetwork, tokenizer: Tokenizer | None) -> None:
        """Refuse it unless its token ids mean the same as those of the model that it guesses for."""
        if self.network.device is not network.device:
            raise WgptError(
                f"{self.name} is on another GPU device ({self.network.device.info.name}): load both models with the "
                "same `device`"
            )
        self.network.check_generates()
        self.network.check_resident("a draft model")
        if self.network.config.states:
            raise WgptError(
                f"{self.name} is a {self.network.config.family} model, whose states cannot go back to before a wrong "
                "guess: use a draft model with attention in all layers"
            )
        if tokenizer is None or self.tokenizer is None:
            sizes = self.network.config.vocab, network.config.vocab
        else:  # a model's table may have rows beyond its vocabulary
            sizes = self.tokenizer.vocab_size, tokenizer.vocab_size
        if sizes[0] != sizes[1]:
            raise WgptError(
                f"{self.name} has a vocabulary of {sizes[0]} tokens, and the model one of {sizes[1]}: a draft model "
                "must have the same vocabulary"
            )
        if tokenizer is not None and self.tokenizer is not None and tokenizer is not self.tokenizer:
            _check_tokens(self.name, self.tokenizer, tokenizer)

    def cache_type(self, cache: str) -> str:
        """The type of its KV cache: the model's, unless its heads do not allow that."""
        return cache if refused(cache, self.network.config.cache_layers) is None else "f16"


def _check_tokens(name: str, draft: Tokenizer, model: Tokenizer) -> None:
    for id in range(model.vocab_size):
        ours, theirs = (t.token(id) if t.has(id) else None for t in (model, draft))
        if ours != theirs:
            raise WgptError(
                f"token {id} is {theirs!r} for {name} and {ours!r} for the model: a draft model must have the same "
                "vocabulary"
            )


class Draft(Proposer):
    """The draft model's cache and Programs, and how well it guesses."""

    slices = True

    def __init__(
        self,
        model: DraftModel,
        target: Network,
        slots: Slots,
        capacity: int,
        *,
        pages: int,
        cache: str,
        backend: Callable[[Recorder], GpuBackend],
        heap: Heap,
        programs: Programs,
    ) -> None:
        self.network, config = model.network, model.network.config
        self._vocab = target.config.vocab
        self._backend, self._heap, self._programs = backend, heap, programs
        self._slot_state = slots
        super().__init__(self.network.device, slots.count, capacity, recent=RECENT)
        kind = model.cache_type(cache)
        try:
            self.cache = PagedCache(
                self._device, config.cache_layers, capacity, slots.count, kind, pages=pages, table=slots.table
            )
        except AllocationError:
            super().release()
            raise
        self._most = min(capacity, config.context)  # positions that it can run
        self._chunk = usual_chunk(self.network.device)
        self._pending: Pending | None = None
        self.read_tokens = 0  # in chunks, so far
        of_layers = config.layers / target.config.layers
        self.pace = Pace(max(self.network.nbytes / target.nbytes, of_layers / 2))

    @property
    def nbytes(self) -> int:
        return super().nbytes + self.cache.nbytes

    # Recording ----------------------------------------------------------------------------------------------

    def record_guesses(
        self, recorder: Recorder, begun: dict[str, Tensor], width: int, splits: int, context: int
    ) -> None:
        """It runs the tokens that it has not seen, then one guess after another, all greedy."""
        backend, records, guesses = GpuBackend(recorder), self._slot_state.records, self.state["guesses"]
        count, family = begun["ids"].shape[0], self.network.family
        sizes = {"rows": count, "slots": self._slots, "capacity": self._most}
        first = backend.apply(
            "draft_rows",
            {**sizes, "window": WINDOW, "vocab": self.network.config.vocab},
            ids=begun["ids"],
            rows=begun["rows"],
            slots=records,
            recent=self.state["recent"],
            guesses=guesses,
        )
        rows, stride = Rows(count * WINDOW, first["all_ids"], first["all_rows"], tile=1), WINDOW
        for number in range(1, width):
            f = Forward(self._backend(recorder), rows, self.cache, splits, context)
            logits = f.linear(family.forward(f), family.head)
            tokens = f.next_token.greedy(logits, records, advance=False)
            problem = {**sizes, "stride": stride, "number": number, "vocab": self._vocab}
            following = backend.apply("draft_next", problem, tokens=tokens, rows=rows.places, guesses=guesses)
            rows, stride = Rows(count, following["ids"], following["next_rows"], decoding=True), 1

    def record_end(
        self, recorder: Recorder, begun: dict[str, Tensor], width: int, drawn: dict[str, Tensor]
    ) -> dict[str, Tensor]:
        problem = {"rows": begun["ids"].shape[0], "width": width, "slots": self._slots}
        tensors = {"ids": begun["ids"], "rows": begun["rows"], "recent": self.state["recent"], **drawn}
        if width > 1:
            tensors |= {"slots": self._slot_state.records, "guesses": self.state["guesses"]}
        outputs = GpuBackend(recorder).apply("draft_end", problem, **tensors)
        return {"report": outputs["report"]} if width > 1 else {}

    def _record_reading(self, m: int, tile: int) -> Program:
        """The draft model's forward over a chunk."""
        with Recorder(self._device, self._heap) as recorder:
            state = {"control": self._slot_state.control, "state": self._slot_state.state}
            problem = {"rows": 0, "most_rows": self._slot_state.most_rows, "words": self._slot_state.state.size}
            GpuBackend(recorder).apply("begin_step", problem, **state)
            ids = recorder.upload(np.zeros(m, np.uint32), "ids")
            places = recorder.upload(np.zeros((m, 2), np.uint32), "places")
            f = Forward(self._backend(recorder), Rows(m, ids, places, tile=tile), self.cache)
            self.network.family.forward(f)
            return recorder.finish()

    # Running ------------------------------------------------------------------------------------------------

    def start(self, sequence: Sequence) -> None:
        """It does not guess before it has read the prompt: the GPU knows the tokens of steps only."""
        assert sequence.slot is not None
        self._slot_state.set_word(sequence.slot, DRAFTED, IDLE)
        state = sequence.draft_state
        state.seen, state.behind, state.missed = 0, WINDOW, 0

    def width(self, rows: Sequenced[Sequence]) -> int:
        if not may_have_guesses(rows):
            return 1
        return self.pace.width([(s.draft_state, s.steps_left) if self._follows(s) else None for s in rows])

    def _follows(self, sequence: Sequence) -> bool:
        """Whether it guesses for this sequence: its choices must not depend on those before (see spec_rows)."""
        left = sequence.options.max_tokens - sequence.drawn
        missing = len(sequence.context) - sequence.draft_state.seen
        return not sequence.needs & PENALISED and sequence.next < self._most and missing < _PROMPT_SHARE * max(left, 1)

    def prepare(self, rows: Sequenced[Sequence], width: int, pages: Pages) -> bool:
        """Let it read what it has missed, at most a chunk at once.

        What is under way is at most as many plain steps as a step with guesses reads by itself; or it did not miss any.
        """
        if width == 1:
            for sequence in rows:
                sequence.draft_state.behind += 1
            return False
        tokens, starts, room = dict[int, list[int]](), dict[int, int](), self._chunk
        for sequence in rows:
            state = sequence.draft_state
            if state.behind < WINDOW - 1:
                state.behind = 0
            elif room > 0 and self._follows(sequence) and sequence.slot is not None:
                known = len(sequence.context) - 1
                first = min(max(state.seen, pages.count_seen(sequence.pages)), known)
                count = min(known - first, room)
                if count:
                    tokens[sequence.slot], starts[sequence.slot] = sequence.context[first : first + count], first
                    room -= count
                    self.read_tokens += count
                state.seen = first + count
                pages.note_seen(sequence.pages, state.seen)
                if state.seen == known:
                    self._slot_state.set_word(sequence.slot, DRAFTED, known)
                    state.behind = state.missed = 0
        if not tokens:
            return False
        for chunk in chunks(tokens, starts, self._chunk, rows=bucket):
            self._read(chunk)
        return True

    def _read(self, chunk: Chunk) -> None:
        key = ("draft", chunk.m, chunk.tile)
        program = self._programs.get(key, partial(self._record_reading, chunk.m, chunk.tile))
        rows = [(program.inputs["ids"], chunk.ids), (program.inputs["places"], chunk.places)]
        self._pending = program.submit(writes=[*self._slot_state.writes(), *rows])

    def learn(
        self, rows: Sequenced[Sequence], width: int, result: dict[str, NDArray[Any]], seconds: float | None
    ) -> None:
        if seconds is not None:
            self.pace.timed(len(rows), width, seconds)
        if width == 1:
            return
        counts, report = result["count"].tolist(), result["report"].tolist()
        for sequence, count, (seen, made) in zip(rows, counts, report, strict=False):
            if not made:
                self._missed(sequence.draft_state)
                continue
            self.drafted += made
            self.accepted += count - 1
            self.pace.learn(sequence.draft_state, count - 1, made)
            sequence.draft_state.missed = 0
            if sequence.slot is not None:
                sequence.draft_state.seen = seen

    def _missed(self, state: DraftState) -> None:
        """After more steps than can be under way, it has fallen behind by more than the GPU makes up for."""
        state.missed += 1
        if state.missed > WINDOW:
            state.behind, state.missed = WINDOW, 0

    def release(self) -> None:
        super().release()
        self.cache.release()
