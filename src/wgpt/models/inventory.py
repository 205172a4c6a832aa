"""What a model was built of, by the names of its checkpoint's tensors."""

from __future__ import annotations

from ..gpu import Tensor
from ..ops.resident import Linear
from .source import Named, Source


class Inventory:
    """A Source that remembers what another one gave."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.linears: list[Linear] = []
        self.vectors: dict[str, Tensor] = {}

    def linear(self, k: int, *layers: Named, bias: bool = False) -> Linear:
        self.linears.append(self._source.linear(k, *layers, bias=bias))
        return self.linears[-1]

    def vector(self, *names: Named) -> Tensor:
        found, at = self._source.vector(*names), 0
        for name, n in names:
            self.vectors[name] = found.window(at, n)
            at += n
        return found
