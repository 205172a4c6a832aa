"""Reranking: how well texts answer a query."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.arguments import check_type, flag, is_list, shown, whole_number
from ..core.errors import WgptError
from ..engine.encoder import Text
from ..engine.errors import check_length
from ..engine.options import check_salt
from ..formats.control_tokens import text_after
from ..models.encoder import settings_of
from .requests import Requests, results

INSTRUCTION = "Given a web search query, retrieve relevant passages that answer the query"
# The prompt that Qwen3-Reranker was trained with; its answer is yes or no.
_BEFORE = (
    "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the Instruct "
    'provided. Note that the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n'
)
_AFTER = "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n"
_TOKENS = ("<|im_start|>", "<|im_end|>", "<think>", "</think>", "yes", "no")


@dataclass(frozen=True)
class Ranked:
    """A text's place: its number in the list, and how likely it answers the query, from 0 to 1."""

    index: int
    score: float
    logit: float  # before the logistic function
    tokens: int = 0  # of the query and the text


def rerank(
    requests: Requests,
    query: str,
    texts: Sequence[str],
    top: int | None = None,
    instruction: str | None = None,
    truncate: bool = False,
    cache_salt: str | None = None,
) -> list[Ranked]:
    """The best first: see Model.rerank."""
    check_type("query", query, "a text", str)
    if not isinstance(query, str) or not query:
        raise WgptError("query must not be empty")
    if not is_list(texts) or not all(isinstance(text, str) for text in texts):
        raise WgptError(f"texts must be a list of texts, not {shown(texts)}")
    if top is not None:
        whole_number("top", top, least=1)
    check_type("instruction", instruction, "a text", str)
    truncate = flag("truncate", truncate)
    check_salt(cache_salt)
    if not texts:
        return []
    if requests.prompts.config.encoder is not None:
        ranked = _from_classifier(requests, query, texts, instruction, truncate)
    else:
        ranked = _from_answer(requests, query, texts, instruction or INSTRUCTION, truncate, cache_salt)
    return sorted(ranked, key=lambda each: -each.score)[:top]


def _from_classifier(
    requests: Requests, query: str, texts: Sequence[str], instruction: str | None, truncate: bool
) -> list[Ranked]:
    """By the score of a cross-encoder, which reads query and text together."""
    prompts = requests.prompts
    settings = settings_of(prompts.config)
    if settings.labels != 1:
        has = f"a classifier of {settings.labels} labels" if settings.labels else "no classification head"
        raise WgptError(f"{prompts.name or 'the model'} cannot rerank: it has {has}; a reranker has one of 1 label")
    if instruction is not None:
        raise WgptError("instruction: a cross-encoder takes none")
    pairs = list[Text]()
    for text in texts:
        ids, types = prompts.tokenizer.encode_pair(query, text)
        if truncate:
            ids, types = prompts.cut(ids, ids), prompts.cut(ids, types)
        check_length(len(ids), prompts.context, "query with the text")
        pairs.append(Text(ids, types if settings.types > 1 else ()))
    logits = [float(scores[0]) for scores in results(requests.class_scores(pairs))]
    return [Ranked(i, _logistic(logits[i]), logits[i], len(pair)) for i, pair in enumerate(pairs)]


def _from_answer(
    requests: Requests, query: str, texts: Sequence[str], instruction: str, truncate: bool, cache_salt: str | None
) -> list[Ranked]:
    """By the probabilities of the answers yes and no of a decoder."""
    tokenizer, context = requests.prompts.tokenizer, requests.prompts.context
    known = [tokenizer.encode(token, special=False) for token in _TOKENS]
    unknown = next((token for token, ids in zip(_TOKENS, known, strict=True) if len(ids) != 1), None)
    if unknown is not None:
        raise WgptError(
            f"{requests.prompts.name or 'the model'} cannot rerank: it is neither a cross-encoder nor Qwen3-Reranker "
            f"(its tokenizer has no {unknown})"
        )
    yes, no = known[-2][0], known[-1][0]
    prompts, after = list[list[int]](), tokenizer.encode(_AFTER, special=False)
    for text in texts:
        asked = f"<Instruct>: {instruction}\n<Query>: {query}\n<Document>: {text}"
        ids = tokenizer.encode(text_after(_BEFORE, asked, tokenizer.control_tokens), special=False)
        ids = ids[: context - len(after) - 1] if truncate else ids
        check_length(len(ids) + len(after) + 1, context, "query with the text")
        prompts.append(ids + after)
    answered = [[*prompt, answer] for prompt in prompts for answer in (yes, no)]
    firsts = [len(ids) - 1 for ids in answered]
    scores = results(requests.score(answered, firsts, cache_salt=cache_salt))
    logprobs = [float(score.logprobs[0]) for score in scores]
    logits = np.subtract(logprobs[::2], logprobs[1::2]).tolist()
    return [Ranked(i, _logistic(logit), logit, len(prompts[i])) for i, logit in enumerate(logits)]


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))
