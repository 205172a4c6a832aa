"""Two models on the same text: perplexity, KL divergence and the agreement of their likeliest tokens."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_progress, check_type, whole_number
from ..core.errors import WgptError
from ..core.progress import Progress
from ..engine.errors import ContextError
from .model import Model
from .windows import windows

F64 = NDArray[np.float64]
_CONTEXT = 512
_ROWS = 64  # positions at a time: their probabilities in f64


@dataclass(frozen=True, eq=False)
class Comparison:
    """What was found at each token of the text but the first.

    `losses_a`, `losses_b`: minus the log-probability of the token; `divergence`: KL(A || B) of all probabilities in its
    place; `agree`: whether both have the same likeliest token; `positions`: the place within its window.

    >>> wgpt.compare(model, model, "The sky is blue.").positions
    array([1, 2, 3, 4])
    """

    losses_a: F64
    losses_b: F64
    divergence: F64
    agree: NDArray[np.bool_]
    positions: NDArray[np.int64]

    @property
    def perplexities(self) -> tuple[float, float]:
        return math.exp(float(self.losses_a.mean())), math.exp(float(self.losses_b.mean()))

    def summary(self) -> dict[str, Any]:
        """The means, with their standard errors where differences may be small."""
        a, b = self.perplexities
        difference = self.losses_b - self.losses_a
        return {
            "tokens": len(self.losses_a),
            "perplexity_a": a,
            "perplexity_b": b,
            "perplexity_ratio": b / a,
            "log_ratio_error": _error(difference),
            "kl_mean": float(self.divergence.mean()),
            "kl_error": _error(self.divergence),
            "kl_median": float(np.median(self.divergence)),
            "kl_99": float(np.quantile(self.divergence, 0.99)),
            "kl_max": float(self.divergence.max()),
            "agreement": float(self.agree.mean()),
        }

    def by_position(self, bins: int = 8) -> list[dict[str, float]]:
        """The same by the place within a window, in `bins` groups of neighbouring places."""
        places = int(self.positions.max())
        bins = min(whole_number("bins", bins, 1), places)
        edges = np.linspace(1, places + 1, bins + 1).round().astype(int)
        groups = []
        for first, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            here = (self.positions >= first) & (self.positions < end)
            if not here.any():
                continue
            groups.append(
                {
                    "first": first,
                    "last": end - 1,
                    "tokens": int(here.sum()),
                    "perplexity_a": math.exp(float(self.losses_a[here].mean())),
                    "perplexity_b": math.exp(float(self.losses_b[here].mean())),
                    "kl_mean": float(self.divergence[here].mean()),
                    "agreement": float(self.agree[here].mean()),
                }
            )
        return groups


def compare(
    a: Model,
    b: Model,
    text: str,
    *,
    context: int | None = None,
    stride: int | None = None,
    tokens: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Read a text with two models of the same vocabulary, in windows of `context` tokens (512, if the models can).

    stride: how far the next window begins after a window, as for `Model.perplexity`: by default half of `context`.
    tokens: use only this number of the text's tokens. KL divergence says how far B's probabilities are from A's: take
    the larger model, or the one that is not quantised, as A.

    >>> comparison = wgpt.compare(model, model, "The sky is blue, and the sea is, too.")
    >>> comparison.summary()["agreement"], comparison.summary()["kl_mean"]
    (1.0, 0.0)
    """
    for name, model in (("a", a), ("b", b)):
        check_type(name, model, "a loaded Model", Model)
    check_type("text", text, "a text", str)
    check_progress(progress)
    most = min(a.context, b.context)
    context = min(_CONTEXT, most) if context is None else whole_number("context", context, 2, most)
    ids = _same_ids(a, b, text)
    if tokens is not None:
        ids = ids[: whole_number("tokens", tokens, 2)]
    if len(ids) < 2:
        raise ContextError(f"the text has {len(ids)} tokens: at least two are required")
    found, places = [], []
    for begin, end, scored in windows(len(ids), context, stride):
        if progress is not None:
            progress(begin, len(ids), "")
        piece = ids[begin:end]
        first = a.logits(piece)[scored - 1 : -1]
        second = first if a is b else b.logits(piece)[scored - 1 : -1]
        found.append(compared(first, second, np.array(piece[scored:])))
        places.append(np.arange(scored, len(piece)))
    positions = np.concatenate(places)
    losses_a, losses_b, divergence, agree = (np.concatenate(each) for each in zip(*found, strict=True))
    return Comparison(losses_a, losses_b, divergence, agree.astype(np.bool_), positions)


def _same_ids(a: Model, b: Model, text: str) -> list[int]:
    ids = a.ids(text)
    if a.config.vocab != b.config.vocab or b.ids(text) != ids:
        raise WgptError(
            f"the models have different vocabularies ({a.config.vocab} and {b.config.vocab} tokens), so that their "
            "probabilities cannot be compared token by token"
        )
    return ids


def compared(a: NDArray[np.float32], b: NDArray[np.float32], following: NDArray[np.int64]) -> tuple[F64, ...]:
    """Of every row: both losses, KL(A || B), and whether the largest logit is the same."""
    parts = []
    for i in range(0, len(a), _ROWS):
        log_a, log_b = (_log_softmax(each[i : i + _ROWS]) for each in (a, b))
        rows, here = np.arange(len(log_a)), following[i : i + _ROWS]
        divergence = (np.exp(log_a) * (log_a - log_b)).sum(axis=1)
        agree = log_a.argmax(axis=1) == log_b.argmax(axis=1)
        parts.append((-log_a[rows, here], -log_b[rows, here], np.maximum(divergence, 0.0), agree.astype(np.float64)))
    return tuple(np.concatenate(each) for each in zip(*parts, strict=True))


def _log_softmax(logits: NDArray[np.float32]) -> F64:
    shifted = logits.astype(np.float64) - logits.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


def _error(values: F64) -> float:
    """The standard error of the mean."""
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else 0.0
