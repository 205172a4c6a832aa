"""Sampling state on the GPU: the settings of each sequence, its logit bias, and how often it has used each token."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..gpu import GpuDevice, Tensor
from ..kernels.sampling.settings import SETTINGS_WORDS, Settings
from ..kernels.sampling.slots import BIASED, COUNTER, FLAGS, PENALISED, PROMPTED, RECORD_WORDS, SETTINGS
from ..ops.forward import Forward


class Drawing:
    """All sequences are greedy until `set` is called. `slots`: their records (kernels/sampling/slots.py)."""

    def __init__(self, device: GpuDevice, slots: Tensor, vocab: int) -> None:
        self._device, self._slots, self._vocab = device, slots, vocab
        self.mode: tuple[bool, bool, bool] = (False, False, False)  # sampled, with a bias, with penalties
        self._counts: Tensor | None = None
        self._bias: Tensor | None = None

    def set(self, settings: Sequence[Settings], bias: NDArray[np.float32] | None) -> None:
        """Set how each slot samples its tokens from now on."""
        penalised = any(s.penalised for s in settings)
        greedy = all(s.temperature == 0 for s in settings) and bias is None and not penalised
        self.mode = (not greedy, bias is not None, penalised)
        if greedy:
            return
        count, flags = len(settings), BIASED * (bias is not None) + PENALISED * penalised
        for slot, of_slot in enumerate(settings):
            record = np.zeros(RECORD_WORDS, np.uint32)
            record[FLAGS] = flags
            record[SETTINGS : SETTINGS + SETTINGS_WORDS] = of_slot.words()
            after = self._slots.window(slot * RECORD_WORDS + COUNTER, RECORD_WORDS - COUNTER)
            self._device.write(after, record[COUNTER:])  # not the token and its position
        if penalised:
            if self._counts is None:
                self._counts = self._device.empty((count, self._vocab), "u32", "token counts")
            self._device.write(self._counts, np.zeros((count, self._vocab), np.uint32))
        if bias is not None:
            if self._bias is None:
                self._bias = self._device.empty((count, self._vocab), "f32", "logit bias")
            self._device.write(self._bias, np.tile(bias, (count, 1)))

    def mark_seen(self, slot: int, tokens: Sequence[int]) -> None:
        """Set the tokens that a sequence's repetition penalty counts; sampled tokens are added automatically."""
        if not self.mode[2] or self._counts is None:
            return
        counts = np.zeros(self._vocab, np.uint32)
        counts[np.asarray(tokens, np.uint32)] = PROMPTED
        self._device.write(self._counts.window(self._vocab * slot, self._vocab), counts)

    def record(self, f: Forward, logits: Tensor) -> Tensor:
        """Record choosing the next tokens by the settings."""
        sampled, biased, penalised = self.mode
        if not sampled:
            return f.greedy(logits, self._slots)
        counts, bias = self._counts if penalised else None, self._bias if biased else None
        return f.sample(logits, self._slots, counts, bias)

    def release(self) -> None:
        for tensor in (self._counts, self._bias):
            if tensor is not None:
                tensor.buffer.release()
