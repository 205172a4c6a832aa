"""The weights of a model by part: a forward names a part, the table has its tensor name and shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from ..formats.family import Row
from ..gpu import Tensor
from ..ops.resident import Linear
from .weight_source import Named, Source


class Parts:
    """Requests the parts outside the layers from a source; within `layer(i)`, those of that layer.

    with parts.layer(0):
        qkv = parts.linear("q", "k", "v")
    """

    def __init__(self, source: Source, table: Iterable[Row]) -> None:
        self._source = source
        self._layer: int | None = None
        self._rows = {(row.layer, row.part): row for row in table}

    @contextmanager
    def layer(self, i: int) -> Iterator[None]:
        with self._source.block(i):
            self._layer = i
            try:
                yield
            finally:
                self._layer = None

    def linear(self, *parts: str) -> Linear:
        """One matrix, or several with the same input, their rows joined."""
        rows = [self._rows[self._layer, part] for part in parts]
        assert len({row.bias for row in rows}) == 1, f"{', '.join(parts)}: some have a bias and some do not"
        return self._source.linear(rows[0].shape[1], *((row.name, row.shape[0]) for row in rows), bias=rows[0].bias)

    def vector(self, *parts: str) -> Tensor:
        """One norm, or several joined."""
        return self._source.vector(*(self._named(part, "weight") for part in parts))

    def weight_and_bias(self, part: str) -> tuple[Tensor, Tensor]:
        """The weight and bias of a norm that has both."""
        return self._source.vector(self._named(part, "weight")), self._source.vector(self._named(part, "bias"))

    def _named(self, part: str, which: str) -> Named:
        row = self._rows[self._layer, part]
        return row.tensor if which == "weight" else f"{row.name}.{which}", row.shape[0]
