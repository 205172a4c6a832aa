"""A model family: its file formats (formats/family.py) and how to run it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from numpy.typing import NDArray

from ..formats import family as registered
from ..formats.family import Family, Row
from ..gpu import Tensor
from ..ops.forward import Forward
from ..ops.lazy import Normed
from ..ops.resident import Linear
from .config import Config
from .weight_source import Source

Array = NDArray[Any]
Weights = dict[str, Array]


class Transformer(Protocol):
    """A model of a family, built from weights on the GPU."""

    config: Config
    head: Linear  # turns hidden states into logits

    def forward(self, f: Forward) -> Tensor | Normed:
        """Hidden states of all rows after the final norm."""
        ...


@dataclass(frozen=True, kw_only=True)
class ModelFamily(Family):
    """Everything about a family. `table` and `build` get a layer's settings from `Config.layer(i)`."""

    table: Callable[[Config], Iterable[Row]]
    # builds the model from its weights and the RoPE table of each layer
    build: Callable[[Config, Source, Sequence[Tensor]], Transformer]
    # The forward in NumPy with config.json's keys: (config, weights, ids, attention rows per block) -> hidden states.
    reference: Callable[[dict[str, Any], Weights, Array, int], Array]
    presets: Mapping[str, Config] = field(default_factory=dict)  # sizes of known models, for benchmarks

    def rows(self, config: Mapping[str, Any]) -> Iterable[Row]:
        return self.table(Config.read(config))


def family_of(config: Config) -> ModelFamily:
    return model_family(registered.named(config.family))


def model_family(family: Family) -> ModelFamily:
    """The family as a ModelFamily, which every registered family is."""
    assert isinstance(family, ModelFamily), f"{family.name} is registered without a forward"
    return family
