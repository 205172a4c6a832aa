"""The interface through which a model gets its weights."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from ..gpu import Tensor
from ..ops.resident import Linear

Named = tuple[str, int]  # (a layer's name without ".weight", its rows)


class Source(Protocol):
    """Weights from a checkpoint, random ones, or empty ones."""

    def block(self, i: int) -> AbstractContextManager[None]:
        """Weights requested within the context belong to the i-th block."""
        ...

    def linear(self, k: int, *layers: Named, bias: bool = False) -> Linear:
        """The matrix W[N, K] of a layer, or of several with the same input, joined by rows."""
        ...

    def vector(self, *names: Named) -> Tensor:
        """f32 vectors (norms), joined."""
        ...
