"""What a run trains: an adapter, an adapter with a classification head, or all weights of the model."""

from __future__ import annotations

from collections.abc import Sequence

from ..formats.peft import Adapter, Factors
from ..gpu.errors import PreconditionError
from ..models.network import Network
from ..ops.adapters import Adapters
from ..ops.parameters import Learner, Weights
from ..ops.resident import Linear
from ..ops.score import Score, Scored
from .initial import factors_of, score_of
from .recipe import Recipe


class Learning:
    """It begins as the recipe says. With `labels`, texts are told apart by them."""

    def __init__(self, network: Network, recipe: Recipe, labels: Sequence[str] = ()) -> None:
        self._recipe, self._labels, self._device = recipe, tuple(labels), network.device
        self.weights: Weights | None = None
        self._adapters: Adapters | None = None
        self._score: Score | None = None
        if recipe.full:
            if labels:
                raise PreconditionError("a classification is trained with an adapter, not in full: leave full out")
            self.learner: Learner = network.weights()
            assert isinstance(self.learner, Weights)
            self.weights = self.learner
            return
        self.learner = self._adapters = Adapters(network.device, factors_of(network.config, recipe))
        if labels:
            self._score = Score(network.device, score_of(network.config, len(labels), recipe.seed))
            self.learner = Scored(self._adapters, self._score)

    @property
    def head(self) -> Linear | None:
        """Instead of the model's own."""
        return None if self._score is None else self._score.linear

    @property
    def parameters(self) -> int:
        """Values that learn."""
        if self._adapters is None:
            assert self.weights is not None
            return self.weights.count
        score = 0 if self._score is None else self._score.flat.size
        return score + sum(a * k + n * b for (a, k), (n, b) in self._adapters.shapes.values())

    def adapter(self, base: str | None = None) -> Adapter | None:
        """What was learnt so far; None where it is in the model's own weights."""
        r, held = self._recipe, self._adapters
        if held is None:
            return None
        found = held.read(self._device.read(held.flat))
        targets = {name: Factors(a.copy(), b.copy(), held.scales[name]) for name, (a, b) in found.items()}
        common = (targets, r.rank, r.lora_alpha, r.rslora, r.dropout, base)
        if self._score is None:
            return Adapter(*common)
        return Adapter(*common, task="SEQ_CLS", score=self._score.read(), labels=self._labels)

    def release(self) -> None:
        """All but the model's own weights."""
        for held in (self._adapters, self._score):
            if held is not None:
                held.release()
