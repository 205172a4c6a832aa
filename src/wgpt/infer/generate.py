"""Generation: prompts in, text out; each step is read while the next one runs."""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..engine.arguments import is_token_id
from ..formats.detokenise import Detokeniser, StopStrings
from ..formats.tokenizer import Tokenizer
from ..gpu import Pending, WgptError
from ..gpu.arguments import brief, flag, one_of, shown, whole_number
from ..gpu.naming import argument
from ..kernels.sampling.settings import Settings
from ..kernels.sampling.slots import NO_TOKEN
from .session import ContextError, Progress, Session

OVERFLOWS = ("refuse", "slide")
MOST_BIAS = 1e6  # a larger bias makes no difference
_SEEDS = 2**64


@dataclass(frozen=True)
class Options:
    """How to generate. Temperature 0 always takes the most likely token."""

    max_tokens: int = 256
    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    seed: int | None = None  # None: a random one, reported in the Completion
    logit_bias: Mapping[int, float] | None = None
    stop: Sequence[str] | str | None = ()
    ignore_eos: bool = False
    overflow: str = "refuse"  # when the context is full: stop, or "slide": drop the older half and continue

    @classmethod
    def of(cls, keywords: Mapping[str, Any]) -> Options:
        """From keyword arguments."""
        names = [option.name for option in fields(cls)]
        unknown = next((name for name in keywords if name not in names), None)
        if unknown is not None:
            raise WgptError(f"unknown option {brief(unknown)}; supported: {', '.join(names)}")
        return cls(**keywords)

    def __post_init__(self) -> None:
        whole_number("max_tokens", self.max_tokens, least=1)
        if self.seed is None:
            object.__setattr__(self, "seed", secrets.randbits(32))
        self.settings()  # refuses invalid values
        if not isinstance(self.logit_bias, Mapping | None):
            raise WgptError(f"logit_bias must be a dict of token ids and numbers, not {shown(self.logit_bias)}")
        for token, value in (self.logit_bias or {}).items():
            _check_bias(token, value)
        if not isinstance(self.stop, str | Sequence | None) or isinstance(self.stop, bytes):
            raise WgptError(f"stop must be a string or a list of strings, not {shown(self.stop)}")
        StopStrings(self.stop or ())
        flag("ignore_eos", self.ignore_eos)
        one_of("overflow", self.overflow, OVERFLOWS)

    def seed_of(self, row: int) -> int:
        """Each sequence of a batch has a different seed."""
        assert self.seed is not None
        return (self.seed + row) % _SEEDS if row else self.seed

    def settings(self, row: int = 0) -> Settings:
        """The sampling settings of one sequence."""
        return Settings(
            self.temperature, self.top_k, self.top_p, self.min_p, self.repetition_penalty, self.seed_of(row)
        )

    def bias(self, vocab: int) -> NDArray[np.float32] | None:
        if not self.logit_bias:
            return None
        bias = np.zeros(vocab, np.float32)
        for token, value in self.logit_bias.items():
            if not 0 <= token < vocab:
                raise WgptError(f"{argument('logit_bias')} names token {token}, outside the vocabulary of {vocab}")
            bias[token] = value
        return bias


def _check_bias(token: Any, value: Any) -> None:
    if not is_token_id(token):
        raise WgptError(f"logit_bias: token ids must be whole numbers, not {shown(token)}")
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not number or not (abs(value) <= MOST_BIAS or value == -np.inf):
        raise WgptError(
            f"logit_bias of token {token} must be a number from -1e6 to 1e6, or -inf to rule it out, not {shown(value)}"
        )


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
    reason: str = ""  # "eos", "stop" (a stop string), "length" (max_tokens), "context" (it is full), "" (unfinished)
    prompt_tokens: int = 0
    cached_tokens: int = 0  # of the prompt, already in the KV cache
    first_token_s: float = 0.0  # from the start to the first token
    compile_s: float = 0.0  # part of first_token_s: recording and compiling new Programs
    seconds: float = 0.0
    seed: int = 0  # with the same seed and prompt, a GPU generates the same text again

    @property
    def prefill_rate(self) -> float:
        """Prompt tokens per second; the time includes the first generated token, but not compilation."""
        spent = self.first_token_s - self.compile_s
        return (self.prompt_tokens - self.cached_tokens) / spent if spent > 0 else 0.0

    @property
    def decode_rate(self) -> float:
        """Tokens per second after the first."""
        spent = self.seconds - self.first_token_s
        return (len(self.ids) - 1) / spent if spent > 0 and len(self.ids) > 1 else 0.0

    def __str__(self) -> str:
        return self.text


class _Sequence:
    """One sequence being generated."""

    def __init__(self, slot: int, prompt: Sequence[int], tokenizer: Tokenizer, options: Options) -> None:
        self.slot, self.prompt, self.options = slot, list(prompt), options
        self.completion = Completion(prompt_tokens=len(prompt), seed=options.seed_of(slot))
        self.dropped = 0  # tokens at the front that slid out of the context
        self._eos = frozenset() if options.ignore_eos else tokenizer.eos_ids
        self._words, self._stops = Detokeniser(tokenizer), StopStrings(options.stop or ())

    @property
    def done(self) -> bool:
        return bool(self.completion.reason)

    @property
    def remaining(self) -> int:
        """Number of tokens that may still be generated."""
        return 0 if self.done else self.options.max_tokens - len(self.completion.ids)

    def accept(self, token: int, seconds: float) -> str:
        """Add the next token; returns the text that can be emitted now."""
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
        """End the sequence; returns the text that was held back."""
        c = self.completion
        text, hit = self._stops.add(self._words.finish())
        rest = text if hit else text + self._stops.finish()
        c.text += rest
        c.reason = "stop" if hit else reason
        return rest


class Generation:
    """Sequences that are generated together. Iterate to get (number of the prompt, text) as it is generated.

    The session keeps its cache: of a prompt that continues the last one of its slot, only the rest is read. The session
    is opened when the first piece is requested, because it may be replaced before that.
    """

    def __init__(
        self,
        open_session: Callable[[], Session],
        tokenizer: Tokenizer,
        prompts: Sequence[Sequence[int]],
        options: Options,
        progress: Progress | None = None,
    ) -> None:
        self._open_session, self.options, self._progress = open_session, options, progress
        self._all = [_Sequence(slot, prompt, tokenizer, options) for slot, prompt in enumerate(prompts)]
        self.completions = [s.completion for s in self._all]

    def __iter__(self) -> Generator[tuple[int, str]]:
        began = time.perf_counter()
        session = self.session = self._open_session()
        session.owner = self
        config = session.network.config
        session.sample([self.options.settings(i) for i in range(session.slots)], self.options.bias(config.vocab))
        self._start()
        queued: deque[Pending] = deque()
        try:
            while not all(s.done for s in self._all):
                if session.owner is not self:
                    change = "closed or used for something else" if session.released else "used for something else"
                    raise WgptError(f"the model was {change} meanwhile, so this stream cannot continue: start it again")
                full = [s for s in self._all if not s.done and session.room(s.slot) < 1]
                if not full and len(queued) < min(session.ahead, max(s.remaining for s in self._all)):
                    queued.append(session.step())
                elif queued:
                    ids = queued.popleft().result()["ids"]
                    yield from self._accept(ids, time.perf_counter() - began)
                else:
                    yield from self._overflow(full)
        finally:  # also if the caller stops early; unless the session is used for something else by now
            if session.owner is self and not session.device.forked:
                for pending in queued:
                    pending.result()
                self._remember()

    def _accept(self, ids: NDArray[np.uint32], seconds: float) -> Iterator[tuple[int, str]]:
        for s in self._all:
            if not s.done:
                token = int(ids[s.slot])
                if token == NO_TOKEN:
                    self._fail(s)
                text = s.accept(token, seconds)
                if s.completion.reason:
                    self.session.stop(s.slot)
                if text:
                    yield s.slot, text

    def _fail(self, s: _Sequence) -> NoReturn:
        """No logit is above -inf: one NaN in a model spreads to all of them."""
        self.session.owner = None  # do not reuse the cache
        raise WgptError(
            f"generation stopped at token {len(s.completion.ids) + 1} of prompt {s.slot}: the logits contain NaN "
            f"or Inf; check {self.session.cause_of_nan}"
        )

    def _start(self) -> None:
        """Read the prompts, except for what is already in the cache."""
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
        """The context is full: stop, or keep the newer half and continue."""
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
        """Generate everything, then return."""
        for _ in self:
            pass
        return self.completions


def capacity_for(prompts: Sequence[Sequence[int]], max_tokens: int, context: int, name: str = "prompt") -> int:
    """Cache positions for the prompts and the new tokens; refuses prompts that do not fit."""
    longest = max(map(len, prompts))
    if longest > context:
        raise ContextError(
            f"the {name} has {longest} tokens, but the context length is {context}: shorten the {name}, or load the "
            "model with a longer context if it supports one"
        )
    return min(context, -(-(longest + max_tokens) // 64) * 64)
