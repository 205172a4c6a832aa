"""The interface through which a model gets its weights."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from ..gpu import Tensor
from ..ops.resident import Linear

Named = tuple[str, int]  # a layer's name without ".weight", and its rows


class Source(Protocol):
    """Weights from a checkpoint, random ones, or empty ones."""

    def block(self, i: int) -> AbstractContextManager[None]:
        """Weights requested within belong to the i-th block."""
        ...

    def linear(self, k: int, *layers: Named, bias: bool = False) -> Linear:
        """W[N, K] of one layer, or of several with the same input, their rows joined."""
        ...

    def vector(self, *names: Named) -> Tensor:
        """f32 vectors (norms), joined."""
        ...
