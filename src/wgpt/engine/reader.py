"""Texts that are read as a whole: for the hidden states or the logits of all their tokens."""

from __future__ import annotations

from ..models.network import AnyNetwork
from ..ops.backend import Kernels
from ..ops.lora_pool import LoraPool
from .errors import ContextError
from .fixed_batch import FixedBatch


class Reader:
    """A FixedBatch that is kept while it is large enough: its KV cache has room for the texts of a call, no more.

    The cache is f32, because one of f16 changes a token's log-probability by up to 0.02, and q8_0 by 0.3.
    """

    def __init__(self, network: AnyNetwork, kernels: str | Kernels = "wgsl") -> None:
        self._network, self._kernels = network, kernels
        self._kept: FixedBatch | None = None
        self._loras: tuple[LoraPool, int] | None = None

    def batch(self, longest: int, count: int = 1) -> FixedBatch:
        """For a number of texts, the longest of which has `longest` tokens."""
        network = self._network.whole("logits and hidden states")
        context = network.config.context
        if longest > context:
            raise ContextError(f"{longest} tokens exceed the model's context length of {context}")
        kept = self._kept
        if kept is None or kept.released or kept.capacity < longest or kept.slots < count:
            self.release()
            capacity = min(context, -(-max(1, longest) // 64) * 64)
            kept = self._kept = FixedBatch(network, capacity, count, "f32", kernels=self._kernels)
            kept.attach(self._loras)
        return kept

    def attach(self, loras: tuple[LoraPool, int] | None) -> None:
        """Use the LoRA adapter with this index from now on, or none."""
        self._loras = loras
        if self._kept is not None and not self._kept.released:
            self._kept.attach(loras)

    @property
    def nbytes(self) -> int:
        """GPU memory, without the weights."""
        return 0 if self._kept is None or self._kept.released else self._kept.nbytes

    def release(self) -> None:
        if self._kept is not None:
            self._kept.release()
        self._kept = None
