"""Generation: prompts in, text out, a step read while the next one runs."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..formats.detokenise import Detokeniser, StopStrings
from ..formats.tokenizer import Tokenizer
from ..gpu import Pending, WgptError
from ..kernels.sampling_settings import Settings
from .session import ContextError, Progress, Session

OVERFLOWS = ("refuse", "slide")


@dataclass(frozen=True)
class Options:
    """How to generate. Temperature 0 takes the likeliest token each time."""

    max_tokens: int = 256
    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    seed: int = 0
    logit_bias: Mapping[int, float] = field(default_factory=dict)
    stop: Sequence[str] = ()
    ignore_eos: bool = False
    overflow: str = "refuse"  # when the context is full: stop there, or "slide": forget the older half and go on

    def __post_init__(self) -> None:
        if self.max_tokens < 1:
            raise WgptError(f"max_tokens must be at least 1, not {self.max_tokens}")
        if self.overflow not in OVERFLOWS:
            raise WgptError(f"overflow must be one of {', '.join(OVERFLOWS)}, not {self.overflow!r}")

    def settings(self, row: int = 0) -> Settings:
        """Of one sequence: those of a batch draw with seeds of their own."""
        return Settings(
            self.temperature, self.top_k, self.top_p, self.min_p, self.repetition_penalty, self.seed + row
        )

    def bias(self, vocab: int) -> NDArray[np.float32] | None:
        if not self.logit_bias:
            return None
        bias = np.zeros(vocab, np.float32)
        for token, value in self.logit_bias.items():
            if not 0 <= token < vocab:
                raise WgptError(f"logit_bias names token {token}, outside the vocabulary of {vocab}")
            if np.isnan(value):
                raise WgptError(f"logit_bias of token {token} is not a number")
            bias[token] = value
        return bias


@dataclass
class Completion:
    """What was generated, and how fast. `str()` of it is the text."""

    text: str = ""
    ids: list[int] = field(default_factory=list)
    reason: str = ""  # "eos", "stop" (a stop string), "length" (max_tokens), "context" (it is full), "" (not done)
    prompt_tokens: int = 0
    cached_tokens: int = 0  # of the prompt, still in the cache from before
    first_token_s: float = 0.0  # from the start to the first token
    compile_s: float = 0.0  # of that, to record and compile Programs that were not there yet
    seconds: float = 0.0

    @property
    def prefill_rate(self) -> float:
        """Prompt tokens a second, the first generated token included in the time, compilation not."""
        spent = self.first_token_s - self.compile_s
        return (self.prompt_tokens - self.cached_tokens) / spent if spent > 0 else 0.0

    @property
    def decode_rate(self) -> float:
        """Tokens a second after the first."""
        spent = self.seconds - self.first_token_s
        return (len(self.ids) - 1) / spent if spent > 0 and len(self.ids) > 1 else 0.0

    def __str__(self) -> str:
        return self.text


class _Sequence:
    """One sequence being generated."""

    def __init__(self, slot: int, prompt: Sequence[int], tokenizer: Tokenizer, options: Options) -> None:
        self.slot, self.prompt, self.options = slot, list(prompt), options
        self.completion = Completion(prompt_tokens=len(prompt))
        self.dropped = 0  # tokens at the front that slid out of the context
        self._eos = frozenset() if options.ignore_eos else tokenizer.eos_ids
        self._words, self._stops = Detokeniser(tokenizer), StopStrings(options.stop)

    @property
    def done(self) -> bool:
        return bool(self.completion.reason)

    @property
    def wanted(self) -> int:
        """Tokens that may still come."""
        return 0 if self.done else self.options.max_tokens - len(self.completion.ids)

    def accept(self, token: int, seconds: float) -> str:
        """Take the next token; the text that is certain now."""
        c = self.completion
        if not c.ids:
            c.first_token_s = seconds
        c.seconds = seconds
        c.ids.append(token)
        if token in self._eos:
            return self.finish("eos")
        text, hit = self._stops.add(self._words.add(token))
        c.text += text
        if hit:
            c.reason = "stop"
        elif len(c.ids) >= self.options.max_tokens:
            return text + self.finish("length")
        return text

    def finish(self, reason: str) -> str:
        """End here; the text that was held back."""
        c = self.completion
        text, hit = self._stops.add(self._words.finish())
        rest = text if hit else text + self._stops.finish()
        c.text += rest
        c.reason = "stop" if hit else reason
        return rest


class Generation:
    """Sequences that are generated together. Iterate to get (number of the prompt, text) as it comes.

    The session keeps what it has read: a prompt that continues the last one of its slot is read from there on.
    """

    def __init__(
        self,
        session: Session,
        tokenizer: Tokenizer,
        prompts: Sequence[Sequence[int]],
        options: Options,
        progress: Progress | None = None,
    ) -> None:
        self.session, self.options, self._progress = session, options, progress
        self._all = [_Sequence(slot, prompt, tokenizer, options) for slot, prompt in enumerate(prompts)]
        self.completions = [s.completion for s in self._all]

    def __iter__(self) -> Generator[tuple[int, str]]:
        session, began = self.session, time.perf_counter()
        config = session.network.config
        session.sample([self.options.settings(i) for i in range(session.slots)], self.options.bias(config.vocab))
        session.owner = self
        self._start()
        queued: deque[Pending] = deque()
        try:
            while not all(s.done for s in self._all):
                if session.owner is not self:
                    raise WgptError("the model was used for something else since, so this stream cannot go on")
                full = [s for s in self._all if not s.done and session.room(s.slot) < 1]
                if not full and len(queued) < min(session.ahead, max(s.wanted for s in self._all)):
                    queued.append(session.step())
                elif queued:
                    ids = queued.popleft().result()["ids"]
                    yield from self._accept(ids, time.perf_counter() - began)
                else:
                    yield from self._overflow(full)
        finally:  # also where the caller stops in between; unless the session has begun something else since
            if session.owner is self:
                for pending in queued:
                    pending.result()
                self._remember()

    def _accept(self, ids: NDArray[np.uint32], seconds: float) -> Iterator[tuple[int, str]]:
        for s in self._all:
            if not s.done:
                text = s.accept(int(ids[s.slot]), seconds)
                if s.completion.reason:
                    self.session.stop(s.slot)
                if text:
                    yield s.slot, text

    def _start(self) -> None:
        """Read the prompts, except for what the cache still holds of them."""
        fresh = {}
        for s in self._all:
            kept = self.session.reuse(s.slot, s.prompt)
            self.session.mark_seen(s.slot, s.prompt)
            s.completion.cached_tokens = kept
            fresh[s.slot] = s.prompt[kept:]
        began = time.perf_counter()
        self.session.prepare(fresh)
        for s in self._all:
            s.completion.compile_s = time.perf_counter() - began
        self.session.start(fresh, self._progress)

    def _overflow(self, full: list[_Sequence]) -> Iterator[tuple[int, str]]:
        """The context is full: stop there, or keep the newer half and go on."""
        for s in full:
            if self.options.overflow == "refuse":
                self.session.stop(s.slot)
                yield s.slot, s.finish("context")
                continue
            tokens = [*s.prompt, *s.completion.ids]
            self.session.forget(s.slot)
            self.session.mark_seen(s.slot, tokens)
            s.dropped = len(tokens) - max(1, self.session.capacity // 2)
            self.session.start({s.slot: tokens[s.dropped :]})

    def _remember(self) -> None:
        for s in self._all:
            self.session.remember(s.slot, [*s.prompt, *s.completion.ids][s.dropped :])

    def run(self) -> list[Completion]:
        """Everything at once."""
        for _ in self:
            pass
        return self.completions


def capacity_for(prompts: Sequence[Sequence[int]], max_tokens: int, context: int) -> int:
    """Positions of a cache that holds the prompts and what is to come; refuses what cannot fit."""
    longest = max(map(len, prompts))
    if longest > context:
        raise ContextError(
            f"the prompt has {longest} tokens and the context {context}: shorten it, or load the model with a "
            "longer context if it has one"
        )
    return min(context, -(-(longest + max_tokens) // 64) * 64)
