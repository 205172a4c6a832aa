"""Sampling state on the GPU: the settings of each sequence, and the tokens it has seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..gpu import GpuDevice, Tensor
from ..kernels.sampling.reference import seen_words
from ..kernels.sampling.settings import RECORD_WORDS, Settings
from ..ops.forward import Forward


class Drawing:
    """All sequences are greedy until `set` is called."""

    def __init__(self, device: GpuDevice, slots: int, vocab: int) -> None:
        self._device, self._slots, self._vocab = device, slots, vocab
        self.mode: tuple[bool, bool, bool] = (False, False, False)  # sampled, with a bias, with a penalty
        self._settings: Tensor | None = None
        self._counter = device.tensor(np.zeros(slots, np.uint32), label="counter")
        self._seen: Tensor | None = None
        self._bias: Tensor | None = None

    def set(self, settings: Sequence[Settings], bias: NDArray[np.float32] | None) -> None:
        """Set how each slot samples its tokens from now on."""
        greedy = all(s.temperature == 0 and s.repetition_penalty == 1 for s in settings) and bias is None
        penalty = any(s.repetition_penalty != 1 for s in settings)
        self.mode = (not greedy, bias is not None, penalty)
        if greedy:
            return
        records = np.stack([s.words() for s in settings])
        if self._settings is None:
            self._settings = self._device.empty((self._slots, RECORD_WORDS), "u32", "settings")
        self._device.write(self._settings, records)
        self._device.write(self._counter, np.zeros(self._slots, np.uint32))
        if penalty:
            shape = (self._slots, seen_words(self._vocab))
            if self._seen is None:
                self._seen = self._device.empty(shape, "u32", "seen tokens")
            self._device.write(self._seen, np.zeros(shape, np.uint32))
        if bias is not None:
            if self._bias is None:
                self._bias = self._device.empty((self._vocab,), "f32", "logit bias")
            self._device.write(self._bias, bias)

    def mark_seen(self, slot: int, tokens: Sequence[int]) -> None:
        """Set the tokens that a sequence's repetition penalty counts; sampled tokens are added automatically."""
        if not self.mode[2] or self._seen is None:
            return
        words = self._seen.shape[1]
        seen, ids = np.zeros(words, np.uint32), np.asarray(tokens, np.uint32)
        np.bitwise_or.at(seen, ids // 32, np.uint32(1) << (ids % 32))
        self._device.write(self._seen.window(words * slot, words), seen)

    def record(self, f: Forward, logits: Tensor) -> None:
        """Record choosing the next tokens by the settings."""
        sampled, biased, penalised = self.mode
        if not sampled:
            f.greedy(logits)
            return
        assert self._settings is not None
        f.sample(
            logits,
            self._settings,
            self._counter,
            self._bias if biased else None,
            self._seen if penalised else None,
        )

    def release(self) -> None:
        for tensor in (self._counter, self._settings, self._seen, self._bias):
            if tensor is not None:
                tensor.buffer.release()
