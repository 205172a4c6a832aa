"""Scoring texts: logits, hidden states, log-probabilities, perplexity, classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, Literal, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import brief, check_progress, check_type, flag, is_list, is_token_id, one_of, shown, whole_number
from ..core.errors import WgptError
from ..core.generation import MOST_LOGPROBS
from ..core.progress import Progress
from ..engine.encoder import POOLINGS as ENCODER_POOLINGS
from ..engine.errors import ContextError, check_length
from ..engine.options import check_salt
from ..engine.reading import POOLINGS, Embedding, ReadRequest, Score
from ..train.tokens import ids_to_classify
from .classify import Classification
from .loaded import AnyEngine, Loaded, Prompt
from .windows import windows

Logprobs = NDArray[np.float32]
Vectors = NDArray[np.float32]
Tokens = NDArray[np.int64]
_Several = Sequence[str] | Sequence[Sequence[int]]
_T = TypeVar("_T")
_WINDOWS = 256  # of a long text to submit at a time: they overlap, and each has its own token ids


class Scoring(Loaded):
    """Scores and classifies texts."""

    def logits(self, prompt: Prompt) -> NDArray[np.float32]:
        """Logits of every position, [tokens, vocabulary].

        >>> model.logits("The sky").shape
        (2, 49152)
        """
        ids = self.ids(prompt)
        with self._turns.call():
            return self._scorer(ids).logits({0: ids})[0]

    def hidden(self, prompt: Prompt) -> NDArray[np.float32]:
        """Hidden states after the final norm, [tokens, hidden].

        >>> model.hidden("The sky").shape
        (2, 576)
        """
        ids = self.ids(prompt)
        if self.config.encoder is not None:
            return self._results(self._encoder().hidden([ids]))[0]
        with self._turns.call():
            return self._scorer(ids).hidden({0: ids})[0]

    @overload
    def logprobs(  # type: ignore[overload-overlap]
        self, prompt: str, *, argmax: Literal[False] = False, first: int = 1
    ) -> Logprobs: ...
    @overload
    def logprobs(  # type: ignore[overload-overlap]
        self, prompt: str, *, argmax: Literal[True], first: int = 1
    ) -> tuple[Logprobs, Tokens]: ...
    @overload
    def logprobs(
        self, prompt: _Several, *, argmax: Literal[False] = False, first: int | Sequence[int] = 1
    ) -> list[Logprobs]: ...
    @overload
    def logprobs(
        self, prompt: _Several, *, argmax: Literal[True], first: int | Sequence[int] = 1
    ) -> list[tuple[Logprobs, Tokens]]: ...
    @overload
    def logprobs(self, prompt: Sequence[int], *, argmax: Literal[False] = False, first: int = 1) -> Logprobs: ...
    @overload
    def logprobs(self, prompt: Sequence[int], *, argmax: Literal[True], first: int = 1) -> tuple[Logprobs, Tokens]: ...
    def logprobs(self, prompt: Any, *, argmax: bool = False, first: Any = 1) -> Any:
        """Log-probability of every token but the first, given those before it. A list of prompts returns a list.

        argmax: also return the most likely token in each of these places.
        first: number of the first token to score, or of each prompt's; prompts that share what comes before it are
            then read faster.

        >>> model.logprobs("The sky is blue").shape
        (3,)
        >>> [logprobs.shape for logprobs in model.logprobs(["The sky is blue", "The sky"])]
        [(3,), (1,)]
        >>> logprobs, likeliest = model.logprobs("The capital of France is Paris", argmax=True)
        >>> bool(likeliest[-1] == model.ids(" Paris")[0])                # the model knows it
        True
        """
        flag("argmax", argmax)
        several = _is_several(prompt)
        scores = self._results(self._score(None, _listed(prompt, several), first))
        results = [(score.logprobs, score.likeliest) if argmax else score.logprobs for score in scores]
        return results if several else results[0]

    def embed(
        self,
        text: Prompt | _Several,
        *,
        pooling: str | None = None,
        normalise: bool | None = None,
        prompt: str | None = None,
        prompt_name: str | None = None,
        truncate: bool = False,
        lora: str | None = None,
    ) -> Vectors:
        """A text as one vector, [hidden]; a list of texts as [texts, hidden].

        pooling: "mean" of the hidden states after the final norm, the "last" one, or an encoder's first one ("cls").
        normalise: to a length of 1, so that the product of two vectors is their cosine similarity. Both are as the
        model's files say (sentence-transformers' modules, GGUF's pooling_type), otherwise "mean" and True.
        prompt: what to put before each text; prompt_name: one of the prompts that the model's files have, such as
        "query". truncate: cut texts that are too long, instead of refusing them. lora: name of a loaded LoRA adapter;
        by default the attached one.

        >>> sky, sea, tax = model.embed(["The sky is blue.", "The sea is blue.", "Taxes are due in May."])
        >>> bool(sky @ sea > sky @ tax)
        True
        """
        several = _is_several(text)
        texts = self._prompted(_listed(text, several), prompt, prompt_name)
        if flag("truncate", truncate):
            cut = [self._ids("text", each) for each in texts]
            texts = [self._cut(ids, ids) for ids in cut]
        requests = self._embed(None, texts, pooling, normalise, lora)
        vectors = [embedding.vector for embedding in self._results(requests)]
        return np.stack(vectors) if several else vectors[0]

    def _score(
        self,
        engine: AnyEngine | None,
        prompts: Sequence[Prompt],
        first: int | Sequence[int] = 1,
        top: int = 0,
        lora: str | None = None,
        priority: int = 0,
        progress: Progress | None = None,
        cache_salt: str | None = None,
    ) -> list[ReadRequest[Score]]:
        """Submit texts to an engine, or to the model's own. All arguments are checked before that."""
        texts = [self.ids(prompt) for prompt in prompts]
        firsts = _firsts(first, texts)
        whole_number("top", top, 0, MOST_LOGPROBS)
        with self._reading(engine, texts, lora, priority, progress, cache_salt) as (reader, common):
            return reader.score(texts, first=firsts, top=top, **common)

    def _embed(
        self,
        engine: AnyEngine | None,
        prompts: Sequence[Prompt],
        pooling: str | None = None,
        normalise: bool | None = None,
        lora: str | None = None,
        priority: int = 0,
        progress: Progress | None = None,
        cache_salt: str | None = None,
    ) -> list[ReadRequest[Embedding]]:
        """The same for embeddings."""
        pooling, normalise = self._pooling(pooling, normalise)
        texts = [self._ids("text", prompt) for prompt in prompts]
        with self._reading(engine, texts, lora, priority, progress, cache_salt) as (reader, common):
            return reader.embed(texts, pooling=pooling, normalise=normalise, **common)

    def _pooling(self, pooling: str | None, normalise: bool | None) -> tuple[str, bool]:
        """As requested, otherwise as the model's files say."""
        files = self.sentences
        if pooling is None and files.unsupported:
            raise WgptError(f"{files.unsupported}: choose a pooling, for vectors that are not the model's usual ones")
        poolings = POOLINGS if self.config.encoder is None else ENCODER_POOLINGS
        pooling = one_of("pooling", files.pooling or "mean" if pooling is None else pooling, poolings)
        usual = True if files.normalise is None else files.normalise
        return pooling, usual if normalise is None else flag("normalise", normalise)

    def _prompted(self, texts: list[Prompt], prompt: str | None, prompt_name: str | None) -> list[Prompt]:
        """The texts with a prompt before each: this one, the one of this name, or the files' default."""
        check_type("prompt", prompt, "a text to put before each text", str)
        check_type("prompt_name", prompt_name, "the name of a prompt", str)
        files = self.sentences
        if prompt is not None and prompt_name is not None:
            raise WgptError("prompt and prompt_name exclude each other: give one of them")
        if prompt_name is not None and prompt_name not in files.prompts:
            known = ", ".join(files.prompts) or "none"
            raise WgptError(f"unknown prompt_name {brief(prompt_name)}; the model's files have: {known}")
        name = files.default_prompt if prompt_name is None else prompt_name
        if prompt is None and name is not None:
            prompt = files.prompts[name]
        if prompt and not all(isinstance(text, str) for text in texts):
            raise WgptError('a prompt goes before texts, not before token ids: give texts, or prompt=""')
        if not (prompt or files.lowercase):
            return texts
        whole = [f"{prompt or ''}{text}" if isinstance(text, str) else text for text in texts]
        return [text.lower() if files.lowercase and isinstance(text, str) else text for text in whole]

    def _cut(self, ids: list[int], values: list[int]) -> list[int]:
        """At most as many values as the context has tokens; special tokens at the end of `ids` stay."""
        if len(ids) <= self.context:
            return values
        special = self._tokenizer.special_ids if self._tokenizer is not None else frozenset[int]()
        ends = next((n for n, id in enumerate(reversed(ids)) if id not in special), 0)
        return [*values[: self.context - ends], *values[len(values) - ends :]]

    @contextmanager
    def _reading(
        self,
        engine: AnyEngine | None,
        texts: Sequence[list[int]],
        lora: str | None,
        priority: int,
        progress: Progress | None,
        cache_salt: str | None,
    ) -> Iterator[tuple[AnyEngine, dict[str, Any]]]:
        """The engine for these texts, and the options that all requests have. Nobody replaces the model's meanwhile."""
        check_progress(progress)
        check_salt(cache_salt)
        check_type("lora", lora, "the name of a loaded LoRA adapter", str)
        whole_number("priority", priority, -1000, 1000)
        with self._turns.call() if engine is None else nullcontext():
            self._check_open()
            adapter = self._loras.attached if lora is None else self._loras.named(lora)
            id = 0 if adapter is None else adapter.id
            reader = engine or self._reading_engine(max(map(len, texts), default=1))
            yield reader, {"lora": id, "priority": priority, "progress": progress, "cache_salt": cache_salt}

    def _results(self, requests: Sequence[ReadRequest[_T]]) -> list[_T]:
        try:
            return [request.result() for request in requests]
        finally:  # after an error, or Ctrl-C
            for request in requests:
                request.cancel()

    def perplexity(self, text: Prompt, *, context: int | None = None, stride: int | None = None) -> float:
        """exp of the mean loss of every token but the first.

        context: tokens of a window; by default the model's context length. A longer text is read in windows that begin
        `stride` tokens after each other (half of `context` by default), as in Hugging Face's documentation: each scores
        the tokens that are new in it, so that every token is scored once, given at least `context - stride` tokens
        before it (or all there are). The smaller the stride, the better the figure, and the longer it takes.
        llama.cpp's llama-perplexity scores only the second half of each piece of 512 tokens: its figures differ.

        >>> model.perplexity("The sky is blue.") < model.perplexity("Blue sky the is.")
        True
        >>> text = "The sky is blue, and the sea is blue, and the flag is blue."
        >>> model.perplexity(text, context=8) > model.perplexity(text, context=8, stride=1) > model.perplexity(text)
        True
        """
        ids = self._ids("text", text)
        if len(ids) < 2:
            raise ContextError(f"perplexity needs at least two tokens; the text has {len(ids)}")
        context = self.context if context is None else whole_number("context", context, 2, self.context)
        pieces, logprobs = windows(len(ids), context, stride), list[Logprobs]()
        for i in range(0, len(pieces), _WINDOWS):
            texts = [ids[piece.begin : piece.end] for piece in pieces[i : i + _WINDOWS]]
            firsts = [piece.first for piece in pieces[i : i + _WINDOWS]]
            logprobs += [score.logprobs for score in self._results(self._score(None, texts, firsts))]
        return float(np.exp(-np.mean(np.concatenate(logprobs), dtype=np.float64)))

    @overload
    def classify(self, text: str) -> Classification: ...  # type: ignore[overload-overlap]
    @overload
    def classify(self, text: Sequence[str]) -> list[Classification]: ...
    def classify(self, text: str | Sequence[str]) -> Classification | list[Classification]:
        """Classify a text, or each text of a list, with the attached LoRA adapter, which must be trained to classify.

        >>> lora = model.attach("mail-lora")                             # from wgpt finetune --task classify
        >>> mail = model.classify("You have won a prize!")
        >>> sorted(mail.probabilities) == sorted(model.classes)
        True
        >>> model.unload(lora)
        """
        if not isinstance(text, str) and not is_list(text):
            raise WgptError(f"text must be a string or a list of strings, not {shown(text)}")
        texts = [text] if isinstance(text, str) else list(text)
        with self._turns.call():
            classes, adapter = self._classifies, self.lora
            if classes is None:
                problem = f"LoRA adapter {adapter!r} has no classes" if adapter else "no LoRA adapter is attached"
                raise WgptError(f"{problem}: attach one that was trained to classify (finetune with classify=True)")
            requests = self._embed(None, [self._ids_of(each) for each in texts], "last", False, adapter)
        classified = [classes.classify(embedding.vector) for embedding in self._results(requests)]
        return classified[0] if isinstance(text, str) else classified

    def _ids_of(self, text: Any) -> list[int]:
        """Token ids of a text to classify."""
        check_type("text", text, "a string", str)
        if not text:
            raise WgptError("text must not be empty")
        ids = self._ids("text", ids_to_classify(self.tokenizer, text))
        check_length(len(ids), self.context, "text")
        return ids


def _is_several(prompt: Any) -> bool:
    """Whether it is a list of prompts."""
    return is_list(prompt) and len(prompt) > 0 and not is_token_id(prompt[0])


def _listed(prompt: Any, several: bool) -> list[Prompt]:
    return list(prompt) if several else [prompt]


def _firsts(first: Any, texts: Sequence[list[int]]) -> list[int]:
    """The number of the first token to score in each text."""
    if not is_list(first):
        return [whole_number("first", first, 1, max(1, min(map(len, texts))))] * len(texts)
    if len(first) != len(texts):
        raise WgptError(f"first has {len(first)} numbers for {len(texts)} prompts: give one for each")
    return [whole_number("first", each, 1, len(ids)) for each, ids in zip(first, texts, strict=True)]
