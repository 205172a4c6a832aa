"""Figures of whole texts that take several requests: perplexity, and classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..core.arguments import is_list, shown, whole_number
from ..core.errors import WgptError
from ..engine.errors import ContextError
from .classify import Classification
from .prompts import Prompt
from .requests import Requests, results
from .windows import windows

_WINDOWS = 256  # of a long text to submit at a time: they overlap, and each has its own token ids


def perplexity(requests: Requests, text: Prompt, context: int | None, stride: int | None) -> float:
    """See Model.perplexity."""
    ids, most = requests.prompts.ids(text, "text"), requests.prompts.context
    if len(ids) < 2:
        raise ContextError(f"perplexity needs at least two tokens; the text has {len(ids)}")
    context = most if context is None else whole_number("context", context, 2, most)
    pieces, logprobs = windows(len(ids), context, stride), []
    for i in range(0, len(pieces), _WINDOWS):
        texts = [ids[piece.begin : piece.end] for piece in pieces[i : i + _WINDOWS]]
        firsts = [piece.first for piece in pieces[i : i + _WINDOWS]]
        logprobs += [score.logprobs for score in results(requests.score(texts, firsts))]
    return float(np.exp(-np.mean(np.concatenate(logprobs), dtype=np.float64)))


def classify(requests: Requests, text: str | Sequence[str]) -> Classification | list[Classification]:
    """See Model.classify."""
    if not isinstance(text, str) and not is_list(text):
        raise WgptError(f"text must be a string or a list of strings, not {shown(text)}")
    classes, embeddings = requests.classify([text] if isinstance(text, str) else list(text))
    classified = [classes.classify(embedding.vector) for embedding in results(embeddings)]
    return classified[0] if isinstance(text, str) else classified
