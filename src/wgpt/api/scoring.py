"""Scoring texts: logits, hidden states, log-probabilities, perplexity, classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from ..engine.arguments import is_list
from ..engine.errors import ContextError
from ..gpu import WgptError
from ..gpu.arguments import shown
from ..infer.classify import Classification
from ..train.tokens import ids_to_classify
from .loaded import Loaded, Prompt


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

    def logprobs(self, prompt: Prompt) -> NDArray[np.float32]:
        """Log-probability of every token but the first, given those before it.

        >>> model.logprobs("The sky is blue").shape
        (3,)
        """
        ids = self.ids(prompt)
        with self._turns.call():
            return -self._scorer(ids).losses({0: ids})[0]

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
