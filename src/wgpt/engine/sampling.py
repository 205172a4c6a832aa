"""Choosing the next tokens: what the rows of a step need, and the arrays by slot that only some sequences use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.generation import SETTINGS_WORDS
from ..gpu import GpuDevice, Program, Recorder, Tensor
from ..kernels.sampling.reference import mask_words
from ..kernels.sampling.slots import (
    BIASED,
    COUNTER,
    FLAGS,
    IDLE,
    LORA,
    MASKED,
    MIN_TOKENS,
    PENALISED,
    POSITION,
    RECORD_WORDS,
    SETTINGS,
    STOP_COUNT,
    STOP_IDS,
    TOKEN,
)
from ..kernels.sampling.start_slot import entries_of
from ..ops.backend import GpuBackend
from ..ops.forward import Forward
from .sequence import FILTERED, SAMPLED, Sequence

_TOPS = (0, 5, 20)  # numbers of most likely tokens that Programs are recorded for


@dataclass(frozen=True)
class Mode:
    """What a step's Program does after the forward: the sum of what its rows need."""

    sampled: bool = False
    biased: bool = False
    penalised: bool = False
    masked: bool = False
    filtered: bool = False
    top: int | None = None  # most likely tokens to report; None: no log-probabilities
    logits: bool = False  # whether they are an output, too

    @classmethod
    def of(cls, sequences: Iterable[Sequence]) -> Mode:
        needs, top = 0, -1
        for sequence in sequences:
            needs |= sequence.needs
            top = max(top, sequence.top)
        return cls(
            bool(needs & SAMPLED),
            bool(needs & BIASED),
            bool(needs & PENALISED),
            bool(needs & MASKED),
            bool(needs & FILTERED),
            next(each for each in _TOPS if top <= each) if top >= 0 else None,
        )

    def covers(self, other: Mode) -> bool:
        """Whether a Program with this mode serves rows that need the other one."""
        flags = ((self.sampled, other.sampled), (self.biased, other.biased), (self.penalised, other.penalised))
        more = all(ours or not theirs for ours, theirs in (*flags, (self.filtered, other.filtered)))
        top = other.top is None or (self.top is not None and self.top >= other.top)
        return more and top and (self.masked, self.logits) == (other.masked, other.logits)


def record_of(sequence: Sequence) -> NDArray[np.uint32]:
    """The record of a sequence whose last token runs next."""
    record = np.zeros(RECORD_WORDS, np.uint32)
    record[TOKEN], record[POSITION] = sequence.tokens[-1], sequence.to_fill
    record[COUNTER], record[LORA] = sequence.drawn, sequence.lora.index if sequence.lora is not None else 0
    record[FLAGS] = sequence.needs & (BIASED | PENALISED | MASKED)
    record[SETTINGS : SETTINGS + SETTINGS_WORDS] = sequence.settings.words()
    if sequence.options.min_tokens:
        ending = sorted(sequence.ending)
        record[MIN_TOKENS], record[STOP_COUNT] = sequence.options.min_tokens, len(ending)
        record[STOP_IDS : STOP_IDS + len(ending)] = ending
    return record


class Sampling:
    """Token counts and logit biases by slot; each is allocated when the first sequence needs it."""

    def __init__(self, device: GpuDevice, slots: int, vocab: int) -> None:
        self._device, self._slots, self._vocab = device, slots, vocab
        self._counts: Tensor | None = None
        self._bias: Tensor | None = None
        self._mask: Tensor | None = None
        self._starters: dict[tuple[bool, bool, int], Program] = {}

    def start(self, slot: int, sequence: Sequence) -> None:
        """Set what a sequence has beside its record, before its first step in this slot."""
        mode = Mode.of([sequence])
        if mode.masked and self._mask is None:
            self._masks = np.zeros((self._slots, mask_words(self._vocab)), np.uint32)
            self._mask = self._device.tensor(self._masks, label="token masks")
        if not (mode.penalised or mode.biased):
            return
        self.reserve(mode)
        prompt = sequence.tokens[: len(sequence.tokens) - sequence.drawn]
        entries = entries_of(slot, prompt, sequence.completion.ids, sequence.options.logit_bias)
        program = self._starter(mode, 1 << (len(entries) - 1).bit_length())
        program.submit(writes=[(program.inputs["entries"], entries)])

    def reserve(self, mode: Mode) -> None:
        """Allocate the counts and biases that sequences with this mode need."""
        if mode.penalised and self._counts is None:
            self._counts = self._device.empty((self._slots, self._vocab), "u32", "token counts")
        if mode.biased and self._bias is None:
            self._bias = self._device.empty((self._slots, self._vocab), "f32", "logit bias")

    def _starter(self, mode: Mode, size: int) -> Program:
        """The Program that sets a slot's counts and bias from `size` words."""
        key = (mode.penalised, mode.biased, size)
        if key not in self._starters:
            arrays = {"counts": self._counts if mode.penalised else None, "bias": self._bias if mode.biased else None}
            problem = {"vocab": self._vocab, "slots": self._slots, **{n: t is not None for n, t in arrays.items()}}
            tensors = {name: tensor for name, tensor in arrays.items() if tensor is not None}
            with Recorder(self._device) as recorder:
                entries = recorder.upload(np.zeros(size, np.uint32), "entries")
                GpuBackend(recorder).apply("start_slot", problem, entries=entries, **tensors)
                self._starters[key] = recorder.finish()
        return self._starters[key]

    def record(self, f: Forward, logits: Tensor, records: Tensor, mode: Mode) -> dict[str, Tensor]:
        """Record choosing the tokens; returns the outputs of the step."""
        tokens = self.choose(f, logits, records, mode)
        outputs = {"tokens": tokens, "logits": logits} if mode.logits else {"tokens": tokens}
        if mode.top is not None:
            outputs |= f.next_token.top_logprobs(logits, tokens, mode.top)
        return outputs

    def choose(self, f: Forward, logits: Tensor, records: Tensor, mode: Mode, *, advance: bool = True) -> Tensor:
        """Record choosing a token of each row. `advance`: see Forward.greedy."""
        if not mode.sampled:
            return f.next_token.greedy(logits, records, advance=advance)
        bias = self._bias if mode.biased else None
        mask = self._mask if mode.masked else None
        counts = self.counts(mode)
        return f.next_token.sample(logits, records, counts, bias, mask, filters=mode.filtered, advance=advance)

    def mask_writes(self, masks: Mapping[int, NDArray[np.uint32]]) -> list[tuple[Tensor, NDArray[np.uint32]]]:
        """What a Program must write that chooses tokens of these slots: all from the first to the last, at once."""
        assert self._mask is not None
        first, words = min(masks), self._masks.shape[1]
        rows = masks[first]
        if len(masks) > 1:
            for slot, mask in masks.items():
                self._masks[slot] = mask
            rows = self._masks[first : max(masks) + 1].reshape(-1)
        return [(self._mask.window(first * words, rows.size), rows)]

    def counts(self, mode: Mode) -> Tensor | None:
        """How often each slot has used each token, if a row has penalties."""
        return self._counts if mode.penalised else None

    @property
    def nbytes(self) -> int:
        return sum(t.nbytes for t in (self._counts, self._bias, self._mask) if t is not None)

    def release(self) -> None:
        for program in self._starters.values():
            program.release()
        self._starters.clear()
        for tensor in (self._counts, self._bias, self._mask):
            if tensor is not None:
                tensor.buffer.release()


def masks_of(sequences: Iterable[Sequence]) -> dict[int, NDArray[np.uint32]]:
    """The masks of sequences with a grammar, by slot."""
    return {s.slot: s.matcher.mask for s in sequences if s.slot is not None and s.matcher is not None}


def by_row(sequences: Iterable[Sequence]) -> list[int]:
    """The slot in each row of the sequences with a grammar; IDLE where there is none."""
    slots = {s.row: s.slot for s in sequences if s.row is not None and s.slot is not None}
    return [slots.get(row, IDLE) for row in range(max(slots) + 1)]
