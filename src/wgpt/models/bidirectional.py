"""A decoder with bidirectional attention that embeds texts; its forward is an Encoding."""

from __future__ import annotations

from collections.abc import Iterator

from ..formats.family import Row
from ..gpu import Tensor
from ..ops.encoding import Encoding
from .config import Config
from .decoder import Decoder
from .decoder import table as decoder_table
from .encoder import settings_of
from .parts import Parts


def table(config: Config) -> Iterator[Row]:
    """The decoder's tensors, and those of two dense layers after pooling."""
    yield from decoder_table(config)
    dense, hidden = settings_of(config).dense, config.hidden
    if dense:
        yield Row("dense_2", "dense_2.linear", "dense_2", (dense, hidden), module=True)
        yield Row("dense_3", "dense_3.linear", "dense_3", (hidden, dense), module=True)


class Bidirectional(Decoder):
    """`scores` returns the vectors that the dense layers compute from pooled hidden states."""

    def _outside(self, parts: Parts) -> None:
        self._dense = [parts.linear(part) for part in ("dense_2", "dense_3")] if settings_of(self.config).dense else []

    def scores(self, f: Encoding, pooled: Tensor) -> Tensor:
        for layer in self._dense:
            pooled = f.linear(pooled, layer)
        return pooled
