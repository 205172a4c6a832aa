"""Parts of responses that several endpoints share: ids, usage, reasons, log-probabilities."""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...engine.completion import Completion
from ...formats.detokenise import token_bytes
from ...formats.tokenizer import Tokenizer

_LEAST_LOGPROB = -9999.0  # OpenAI's log-probability of an impossible token


def new_id(kind: str) -> str:
    """An id such as chatcmpl-... or cmpl-...; some prefixes end with an underscore: resp_..., msg_..., batch_req_..."""
    return f"{kind}{'-' if kind in ('chatcmpl', 'cmpl', 'embd') else '_'}{uuid.uuid4().hex}"


def finish_reason(completion: Completion) -> str:
    return "stop" if completion.reason in ("eos", "stop") else "length"


def usage(completions: Sequence[Completion], n: int) -> dict[str, Any]:
    """OpenAI counts a prompt once, whatever `n` is."""
    prompts = completions[::n]
    prompt, text = sum(c.prompt_tokens for c in prompts), sum(len(c.ids) for c in completions)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": text,
        "total_tokens": prompt + text,
        "prompt_tokens_details": {"cached_tokens": sum(c.cached_tokens for c in prompts)},
    }


class Tokens:
    """The texts of tokens, for log-probabilities; each token is looked up once."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._known: dict[int, tuple[str, list[int]]] = {}

    def __call__(self, id: int) -> tuple[str, list[int]]:
        """(text, bytes); an incomplete character is U+FFFD in the text."""
        known = self._known.get(id)
        if known is None:
            data = token_bytes(self._tokenizer, id)
            known = self._known[id] = (data.decode(errors="replace"), list(data))
        return known

    def text(self, id: int) -> str:
        return self(id)[0]

    def chat_logprobs(
        self, ids: Iterable[int], logprobs: Iterable[float], tops: Iterable[Mapping[int, float]]
    ) -> list[dict[str, Any]]:
        """`logprobs.content` of a chat completion."""
        return [
            {**self._object(id, logprob), "top_logprobs": [self._object(*item) for item in top.items()]}
            for id, logprob, top in zip(ids, logprobs, tops, strict=True)
        ]

    def _object(self, id: int, logprob: float) -> dict[str, Any]:
        text, data = self(id)
        return {"token": text, "logprob": finite(logprob), "bytes": data}

    def text_logprobs(
        self,
        ids: Sequence[int],
        logprobs: Sequence[float | None],
        tops: Sequence[Mapping[int, float] | None] | None,
        offset: int = 0,
    ) -> dict[str, Any]:
        """`logprobs` of a completion; `offset`: where the text begins. A prompt's first token has none."""
        texts = [self.text(id) for id in ids]
        offsets = []
        for text in texts:
            offsets.append(offset)
            offset += len(text)
        return {
            "tokens": texts,
            "token_logprobs": [None if logprob is None else finite(logprob) for logprob in logprobs],
            "top_logprobs": None if tops is None else [top if top is None else self._by_text(top) for top in tops],
            "text_offset": offsets,
        }

    def _by_text(self, top: Mapping[int, float]) -> dict[str, float]:
        """The log-probabilities by text; of tokens with the same text, the most likely one's."""
        named: dict[str, float] = {}
        for id, logprob in top.items():
            named.setdefault(self.text(id), finite(logprob))
        return named


def finite(logprob: float) -> float:
    return logprob if math.isfinite(logprob) else _LEAST_LOGPROB
