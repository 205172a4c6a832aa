"""Sequences that are only read: for the log-probabilities of their tokens, or for their hidden states as one vector.

They are prefilled like prompts, in the same chunks. Their outputs come with the chunks (read_outputs.py), and they end
with the last one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence as Sequenced
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.errors import WgptError
from .base_request import BaseRequest
from .errors import RequestCancelledError
from .loras import Placed
from .options import Options
from .sequence import Sequence

POOLINGS = ("mean", "last")
_OPTIONS = Options(max_tokens=1, seed=0)  # nothing is generated
T = TypeVar("T")
F32 = NDArray[np.float32]
I64 = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Score:
    """Log-probabilities of a text's tokens from number `first` on, each given those before it.

    >>> with wgpt.Engine(model) as engine:
    ...     score = engine.score("The capital of France is Paris").result()
    >>> score.logprobs.shape, bool(score.likeliest[-1] == model.ids(" Paris")[0])
    ((5,), True)
    """

    logprobs: F32
    likeliest: I64  # the most likely token in each of these places
    top_logprobs: list[dict[int, float]] = field(default_factory=list)  # of the most likely tokens, if requested
    first: int = 1
    prompt_tokens: int = 0
    cached_tokens: int = 0  # already in the KV cache


@dataclass(frozen=True, eq=False)
class Embedding:
    """A text as one vector.

    >>> with wgpt.Engine(model) as engine:
    ...     engine.embed("The sky is blue").result().vector.shape
    (576,)
    """

    vector: F32  # [hidden]
    prompt_tokens: int = 0
    cached_tokens: int = 0  # already in the KV cache


class ReadRequest(BaseRequest[T]):
    """What the caller holds while a text is read: ask for the `result()`, also in asyncio: `await`.

    >>> with wgpt.Engine(model) as engine:
    ...     requests = [engine.embed(text) for text in ("The sky is blue", "Grass is green")]
    ...     [request.result().prompt_tokens for request in requests]
    [4, 4]
    """

    _result: T | None = None

    def _value(self) -> T:
        if self._result is None:
            raise RequestCancelledError("the request was cancelled")
        return self._result


class Reading(Sequence, ABC, Generic[T]):
    """`done`: how many positions, from the beginning on, have given their output or need none."""

    reads = True
    done: int

    def __init__(
        self,
        prompt: Sequenced[int],
        lora: Placed | None = None,
        order: tuple[float, int] = (0.0, 0),
        cache_salt: str | None = None,
    ) -> None:
        options = _OPTIONS if cache_salt is None else replace(_OPTIONS, cache_salt=cache_salt)
        super().__init__(prompt, options, None, lora=lora, order=order)

    def be_exact(self) -> None:
        """Before it is enqueued."""
        self.exact = True
        self.chain = self.root

    @property
    def reusable(self) -> int:
        """At least one position is computed: the result comes with it."""
        return min(self.done, self.to_fill - 1)

    @abstractmethod
    def wanted(self, first: int, count: int) -> range:
        """Which of these positions have an output that is still needed."""

    @abstractmethod
    def outcome(self) -> T:
        """The result, after the last position."""

    def deliver(self) -> None:
        """Give the result to the caller."""
        assert isinstance(self.request, ReadRequest)
        self.request._result = self.outcome()

    def _check_finite(self, values: F32, doing: str, name: str) -> None:
        if not np.isfinite(values).all():
            cause = "the LoRA adapter's factors" if self.lora else "the driver (run `wgpt verify`)"
            raise WgptError(f"cannot {doing}: the {name} contain NaN or Inf; check {cause}")


class Scored(Reading[Score]):
    """`first`: number of the first token to score; `top`: how many of the most likely tokens to report in its place."""

    def __init__(
        self,
        prompt: Sequenced[int],
        lora: Placed | None = None,
        order: tuple[float, int] = (0.0, 0),
        cache_salt: str | None = None,
        *,
        first: int = 1,
        top: int = 0,
    ) -> None:
        super().__init__(prompt, lora, order, cache_salt)
        self.first, self.done, self.most_likely = first, first - 1, top
        self._logprobs: list[F32] = [np.zeros(0, np.float32)]
        self._likeliest: list[I64] = [np.zeros(0, np.int64)]
        self._top: list[dict[int, float]] = []

    @property
    def to_fill(self) -> int:
        """All but the last token: nothing follows it."""
        return max(1, len(self.tokens) - 1)

    def wanted(self, first: int, count: int) -> range:
        return range(max(first, self.done), min(first + count, len(self.tokens) - 1))

    def targets(self, positions: range) -> list[int]:
        """The tokens that follow."""
        return self.tokens[positions.start + 1 : positions.stop + 1]

    def take(self, losses: F32, likeliest: I64, ids: I64 | None = None, values: F32 | None = None) -> None:
        """The outputs of the next positions. `ids`, `values`: the most likely tokens and their log-probabilities."""
        self._check_finite(losses, "score the text", "losses")
        self.done += len(losses)
        self._logprobs.append(-losses)
        self._likeliest.append(likeliest)
        if self.most_likely and ids is not None and values is not None:
            rows = zip(ids[:, : self.most_likely].tolist(), values[:, : self.most_likely].tolist(), strict=True)
            self._top += [dict(zip(*row, strict=True)) for row in rows]

    def outcome(self) -> Score:
        logprobs, likeliest = np.concatenate(self._logprobs), np.concatenate(self._likeliest)
        c = self.completion
        return Score(logprobs, likeliest, self._top, self.first, c.prompt_tokens, c.cached_tokens)


class Embedded(Reading[Embedding]):
    """`pooling`: the mean of all hidden states, or the last one. `normalise`: to a length of 1."""

    def __init__(
        self,
        prompt: Sequenced[int],
        lora: Placed | None = None,
        order: tuple[float, int] = (0.0, 0),
        cache_salt: str | None = None,
        *,
        pooling: str = "mean",
        normalise: bool = True,
    ) -> None:
        super().__init__(prompt, lora, order, cache_salt)
        self.pooling, self.normalise = pooling, normalise
        self.done = len(prompt) - 1 if pooling == "last" else 0
        self._sum: NDArray[np.float64] = np.zeros(1)

    @property
    def to_fill(self) -> int:
        return len(self.tokens)

    def wanted(self, first: int, count: int) -> range:
        return range(max(first, self.done), first + count)

    def take(self, sums: F32, count: int) -> None:
        """Sums of the hidden states of the next `count` positions."""
        self._check_finite(sums, "embed the text", "hidden states")
        self.done += count
        for each in sums.astype(np.float64):  # one after the other, wherever the chunks end
            self._sum = self._sum + each

    def outcome(self) -> Embedding:
        vector = self._sum / (1 if self.pooling == "last" else len(self.tokens))
        if self.normalise:
            vector = vector / max(float(np.linalg.norm(vector)), np.finfo(np.float64).tiny)
        return Embedding(vector.astype(np.float32), self.completion.prompt_tokens, self.completion.cached_tokens)
