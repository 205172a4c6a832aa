"""The trained parameters: an adapter, an adapter with a classification head, or all weights of the model."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.errors import PreconditionError
from ..formats.lora import Factors, LoraAdapter
from ..models.network import Network
from ..ops.lora import LoraLayers
from ..ops.parameters import Learner, Weights
from ..ops.resident import Linear
from ..ops.score import Score, Scored
from .initial import factors_of, score_of
from .recipe import Recipe


class Learning:
    """Starts from new values or from the adapter `init`. With `labels`, a classification head is trained."""

    def __init__(
        self, network: Network, recipe: Recipe, labels: Sequence[str] = (), init: LoraAdapter | None = None
    ) -> None:
        self._recipe, self._labels, self._device = recipe, tuple(labels), network.device
        self.weights: Weights | None = None
        self._loras: LoraLayers | None = None
        self._score: Score | None = None
        if recipe.full:
            if labels:
                raise PreconditionError("classification trains an adapter and does not support full: omit full")
            self.learner: Learner = network.weights()
            assert isinstance(self.learner, Weights)
            self.weights = self.learner
            return
        self.learner = self._loras = LoraLayers(network.device, factors_of(network.config, recipe, init))
        if labels:
            score = None if init is None else init.score
            score = score_of(network.config, len(labels), recipe.seed) if score is None else score
            self._score = Score(network.device, score)
            self.learner = Scored(self._loras, self._score)

    @property
    def head(self) -> Linear | None:
        """The classification head, used instead of the model's head."""
        return None if self._score is None else self._score.linear

    @property
    def parameters(self) -> int:
        """Number of trained values."""
        if self._loras is None:
            assert self.weights is not None
            return self.weights.count
        score = 0 if self._score is None else self._score.flat.size
        return score + sum(a * k + n * b for (a, k), (n, b) in self._loras.shapes.values())

    def lora(self, base: str | None = None) -> LoraAdapter | None:
        """The adapter trained so far; None in a full run."""
        r, layers = self._recipe, self._loras
        if layers is None:
            return None
        factors = layers.read(self._device.read(layers.flat))
        targets = {name: Factors(a.copy(), b.copy(), layers.scales[name]) for name, (a, b) in factors.items()}
        common = (targets, r.rank, r.lora_alpha, r.rslora, r.dropout, base)
        if self._score is None:
            return LoraAdapter(*common)
        return LoraAdapter(*common, task="SEQ_CLS", score=self._score.read(), labels=self._labels)

    def release(self) -> None:
        """Free everything but the model's weights."""
        for part in (self._loras, self._score):
            if part is not None:
                part.release()
