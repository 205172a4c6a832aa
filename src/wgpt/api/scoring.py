"""Scoring texts: logits, hidden states, log-probabilities, perplexity, classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ..engine.arguments import is_list, is_token_id
from ..engine.engine import Engine
from ..engine.errors import ContextError
from ..engine.handle import Progress
from ..engine.options import MOST_LOGPROBS
from ..engine.reading import POOLINGS, Embedding, ReadRequest, Score
from ..gpu import WgptError
from ..gpu.arguments import flag, one_of, shown, whole_number
from ..infer.classify import Classification
from ..infer.session import Session
from ..train.tokens import ids_to_classify
from .checks import check_progress, check_type
from .loaded import Loaded, Prompt

Logprobs = NDArray[np.float32]
Tokens = NDArray[np.int64]
_Several = Sequence[str] | Sequence[Sequence[int]]
_T = TypeVar("_T")


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
        with self._turns.call():
            return self._scorer(ids).hidden({0: ids})[0]

    @overload
    def logprobs(  # type: ignore[overload-overlap]
        self, prompt: str, *, argmax: Literal[False] = False
    ) -> Logprobs: ...
    @overload
    def logprobs(  # type: ignore[overload-overlap]
        self, prompt: str, *, argmax: Literal[True]
    ) -> tuple[Logprobs, Tokens]: ...
    @overload
    def logprobs(self, prompt: _Several, *, argmax: Literal[False] = False) -> list[Logprobs]: ...
    @overload
    def logprobs(self, prompt: _Several, *, argmax: Literal[True]) -> list[tuple[Logprobs, Tokens]]: ...
    @overload
    def logprobs(self, prompt: Sequence[int], *, argmax: Literal[False] = False) -> Logprobs: ...
    @overload
    def logprobs(self, prompt: Sequence[int], *, argmax: Literal[True]) -> tuple[Logprobs, Tokens]: ...
    def logprobs(self, prompt: Any, *, argmax: bool = False) -> Any:
        """Log-probability of every token but the first, given those before it. A list of prompts returns a list.

        argmax: also return the most likely token in each of these places.

        >>> model.logprobs("The sky is blue").shape
        (3,)
        >>> [logprobs.shape for logprobs in model.logprobs(["The sky is blue", "The sky"])]
        [(3,), (1,)]
        >>> logprobs, likeliest = model.logprobs("The capital of France is Paris", argmax=True)
        >>> bool(likeliest[-1] == model.ids(" Paris")[0])                # the model knows it
        True
        """
        flag("argmax", argmax)
        several = is_list(prompt) and len(prompt) > 0 and not is_token_id(prompt[0])
        texts = [self.ids(each) for each in (prompt if several else [prompt])]
        scores = self._scores(texts) if argmax else self._losses(texts)
        return scores if several else scores[0]

    def _losses(self, texts: Sequence[list[int]]) -> list[Logprobs]:
        return [-losses for losses in self._scored(texts, lambda session, batch: session.losses(batch))]

    def _scores(self, texts: Sequence[list[int]]) -> list[tuple[Logprobs, Tokens]]:
        scores = self._scored(texts, lambda session, batch: session.scores(batch))
        return [(-losses, likeliest) for losses, likeliest in scores]

    def _scored(
        self, texts: Sequence[list[int]], score: Callable[[Session, dict[int, list[int]]], dict[int, _T]]
    ) -> list[_T]:
        """The score of each text. Texts of similar lengths run together."""
        results: dict[int, _T] = {}
        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        while order:
            with self._turns.call():
                session = self._scorer(texts[0]) if len(texts) == 1 else self._batch_scorer(texts)
                batch, order = order[: session.slots], order[session.slots :]
                scores = score(session, {slot: texts[i] for slot, i in enumerate(batch)})
            results |= {i: scores[slot] for slot, i in enumerate(batch)}
        return [results[i] for i in range(len(texts))]

    def _score(
        self,
        engine: Engine,
        prompts: Sequence[Prompt],
        first: int = 1,
        top: int = 0,
        lora: str | None = None,
        priority: int = 0,
        progress: Progress | None = None,
    ) -> list[ReadRequest[Score]]:
        """Submit texts to an engine to be scored. All arguments are checked before that."""
        texts, id = self._to_read(prompts, lora, priority, progress)
        whole_number("first", first, 1, min(map(len, texts)))
        whole_number("top", top, 0, MOST_LOGPROBS)
        return engine.score(texts, first=first, top=top, lora=id, priority=priority, progress=progress)

    def _embed(
        self,
        engine: Engine,
        prompts: Sequence[Prompt],
        pooling: str = "mean",
        normalise: bool = True,
        lora: str | None = None,
        priority: int = 0,
        progress: Progress | None = None,
    ) -> list[ReadRequest[Embedding]]:
        """The same for embeddings."""
        one_of("pooling", pooling, POOLINGS)
        flag("normalise", normalise)
        texts, id = self._to_read(prompts, lora, priority, progress)
        sizes: dict[str, Any] = {"lora": id, "priority": priority, "progress": progress}
        return engine.embed(texts, pooling=pooling, normalise=normalise, **sizes)

    def _to_read(
        self, prompts: Sequence[Prompt], lora: str | None, priority: int, progress: Progress | None
    ) -> tuple[list[list[int]], int]:
        """Token ids, and the id of the LoRA adapter."""
        self._check_open()
        check_progress(progress)
        check_type("lora", lora, "the name of a loaded LoRA adapter", str)
        whole_number("priority", priority, -1000, 1000)
        adapter = self._loras.attached if lora is None else self._loras.named(lora)
        return [self.ids(prompt) for prompt in prompts], 0 if adapter is None else adapter.id

    def perplexity(self, text: Prompt) -> float:
        """exp of the mean loss per token; a text longer than the context length is scored in pieces.

        >>> model.perplexity("The sky is blue.") < model.perplexity("Blue sky the is.")
        True
        """
        ids = self._ids("text", text)
        if len(ids) < 2:
            raise ContextError(f"perplexity needs at least two tokens; the text has {len(ids)}")
        pieces = [ids[i : i + self.context] for i in range(0, len(ids), self.context)]
        with self._turns.call():
            losses = [self._scorer(p).losses({0: p})[0] for p in pieces if len(p) > 1]
            cause = self._sessions.cause_of_nan
        mean = np.mean(np.concatenate(losses), dtype=np.float64)
        if not np.isfinite(mean):
            raise WgptError(f"cannot compute the perplexity: the losses contain NaN or Inf; check {cause}")
        return float(np.exp(mean))

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
        with self._turns.call():
            classes = self._classifies
            if classes is None:
                problem = f"LoRA adapter {self.lora!r} has no classes" if self.lora else "no LoRA adapter is attached"
                raise WgptError(f"{problem}: attach one that was trained to classify (finetune with classify=True)")
            if not isinstance(text, str):
                return [self.classify(item) for item in text]
            if not text:
                raise WgptError("text must not be empty")
            ids = self._ids("text", ids_to_classify(self.tokenizer, text))
            return classes.classify(self._scorer(ids, "text").hidden({0: ids})[0][-1])
