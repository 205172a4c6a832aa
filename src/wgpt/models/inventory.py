"""The weights a model was built from, by the names of its checkpoint's tensors."""

from __future__ import annotations

from contextlib import AbstractContextManager

from ..gpu import Tensor
from ..ops.resident import Linear
from .weight_source import Named, Source


class Inventory:
    """A Source that records what another one returns."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.linears: list[Linear] = []
        self.vectors: dict[str, Tensor] = {}

    def block(self, i: int) -> AbstractContextManager[None]:
        return self._source.block(i)

    def linear(self, k: int, *layers: Named, bias: bool = False) -> Linear:
        self.linears.append(self._source.linear(k, *layers, bias=bias))
        return self.linears[-1]

    def vector(self, *names: Named) -> Tensor:
        joined, at = self._source.vector(*names), 0
        for name, n in names:
            self.vectors[name] = joined.window(at, n)
            at += n
        return joined
