"""What a request has generated."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

CANCELLED = "cancelled"  # the reason of a completion that its caller ended


@dataclass
class Completion:
    """The generated text, with token ids and timings. `str()` of it is the text.

    >>> completion = model.generate("The capital of France is", max_tokens=2)
    >>> completion.text, len(completion.ids), completion.reason, completion.prompt_tokens
    (' Paris.', 2, 'length', 5)
    >>> completion.decode_rate > 0                                   # tokens per second
    True
    """

    text: str = ""
    ids: list[int] = field(default_factory=list)
    reason: str = ""  # "eos", "stop" (a stop string, or the grammar is complete), "length" (max_tokens),
    # "context" (it is full), "cancelled", "" (unfinished)
    prompt_tokens: int = 0
    cached_tokens: int = 0  # of the prompt, already in the KV cache
    queue_s: float = 0.0  # from the start to the first work on the prompt
    first_token_s: float = 0.0  # from the start to the first token
    compile_s: float = 0.0  # part of first_token_s: recording and compiling new Programs
    later_compile_s: float = 0.0  # the same after the first token
    seconds: float = 0.0
    logprobs: list[float] = field(default_factory=list)  # of each token, if requested
    top_logprobs: list[dict[int, float]] = field(default_factory=list)  # the most likely tokens in each place
    seed: int = 0  # with the same seed and prompt, a GPU generates the same text again

    @property
    def prefill_rate(self) -> float:
        """Prompt tokens per second; the time includes the first generated token, but not compilation."""
        spent = self.first_token_s - self.compile_s
        return (self.prompt_tokens - self.cached_tokens) / spent if spent > 0 else 0.0

    @property
    def decode_rate(self) -> float:
        """Tokens per second after the first; the time does not include compilation."""
        spent = self.seconds - self.first_token_s - self.later_compile_s
        return (len(self.ids) - 1) / spent if spent > 0 and len(self.ids) > 1 else 0.0

    @property
    def scored(self) -> dict[str, Any]:
        """The tokens and their log-probabilities, for a report in JSON; empty unless they were requested.

        >>> sorted(model.generate("The capital of France is", max_tokens=2, logprobs=0).scored)
        ['ids', 'logprobs']
        """
        if not self.logprobs:
            return {}
        top = {"top_logprobs": self.top_logprobs} if any(self.top_logprobs) else {}
        return {"ids": self.ids, "logprobs": self.logprobs, **top}

    def __str__(self) -> str:
        return self.text
