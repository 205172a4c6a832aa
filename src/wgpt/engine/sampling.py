"""Choosing the next tokens: what the rows of a step need, and the arrays by slot that only some sequences use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..gpu import GpuDevice, Tensor
from ..kernels.sampling.settings import SETTINGS_WORDS
from ..kernels.sampling.slots import (
    BIASED,
    COUNTER,
    FLAGS,
    LORA,
    MIN_TOKENS,
    PENALISED,
    POSITION,
    PROMPTED,
    RECORD_WORDS,
    SETTINGS,
    STOP_COUNT,
    STOP_IDS,
    TOKEN,
)
from ..ops.forward import Forward
from .sequence import Sequence

_TOPS = (0, 5, 20)  # numbers of most likely tokens that Programs are recorded for


@dataclass(frozen=True)
class Mode:
    """What a step's Program does after the forward: the sum of what its rows need."""

    sampled: bool = False
    biased: bool = False
    penalised: bool = False
    top: int | None = None  # most likely tokens to report; None: no log-probabilities

    @classmethod
    def of(cls, sequences: Iterable[Sequence]) -> Mode:
        modes = [_mode(sequence) for sequence in sequences]
        tops = [mode.top for mode in modes if mode.top is not None]
        return cls(
            any(mode.sampled for mode in modes),
            any(mode.biased for mode in modes),
            any(mode.penalised for mode in modes),
            next(top for top in _TOPS if max(tops) <= top) if tops else None,
        )


def _mode(sequence: Sequence) -> Mode:
    settings, options = sequence.settings, sequence.options
    biased = bool(options.logit_bias)
    sampled = settings.temperature > 0 or settings.penalised or biased or options.min_tokens > 0
    return Mode(sampled, biased, settings.penalised, options.logprobs)


def record_of(sequence: Sequence, lora: int) -> NDArray[np.uint32]:
    """The record of a sequence whose last token runs next."""
    record, mode = np.zeros(RECORD_WORDS, np.uint32), _mode(sequence)
    record[TOKEN], record[POSITION] = sequence.tokens[-1], sequence.to_fill
    record[COUNTER], record[LORA] = sequence.drawn, lora
    record[FLAGS] = BIASED * mode.biased + PENALISED * mode.penalised
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

    def start(self, slot: int, sequence: Sequence) -> list[tuple[Tensor, NDArray[Any]]]:
        """What beside its record must be written before a sequence's first step in this slot."""
        mode, writes = _mode(sequence), list[tuple[Tensor, NDArray[Any]]]()
        if mode.penalised:
            if self._counts is None:
                self._counts = self._device.empty((self._slots, self._vocab), "u32", "token counts")
            counts = np.bincount(np.asarray(sequence.completion.ids, np.int64), minlength=self._vocab).astype(np.uint32)
            prompt = sequence.tokens[: len(sequence.tokens) - sequence.drawn]
            counts[np.asarray(prompt, np.int64)] |= np.uint32(PROMPTED)
            writes.append((self._counts.window(self._vocab * slot, self._vocab), counts))
        if mode.biased:
            if self._bias is None:
                self._bias = self._device.empty((self._slots, self._vocab), "f32", "logit bias")
            bias = np.zeros(self._vocab, np.float32)
            for token, value in (sequence.options.logit_bias or {}).items():
                bias[token] = value
            writes.append((self._bias.window(self._vocab * slot, self._vocab), bias))
        return writes

    def record(self, f: Forward, logits: Tensor, records: Tensor, mode: Mode) -> dict[str, Tensor]:
        """Record choosing the tokens; returns the outputs of the step."""
        if mode.sampled:
            counts = self._counts if mode.penalised else None
            tokens = f.sample(logits, records, counts, self._bias if mode.biased else None)
        else:
            tokens = f.greedy(logits, records)
        outputs = {"tokens": tokens}
        if mode.top is not None:
            outputs |= f.top_logprobs(logits, tokens, mode.top)
        return outputs

    @property
    def nbytes(self) -> int:
        return sum(t.nbytes for t in (self._counts, self._bias) if t is not None)

    def release(self) -> None:
        for tensor in (self._counts, self._bias):
            if tensor is not None:
                tensor.buffer.release()
