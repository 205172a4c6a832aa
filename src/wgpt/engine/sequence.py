"""One sequence in the engine: its tokens, its pages, and how far it is."""

from __future__ import annotations

import time
from collections.abc import Sequence as Sequenced
from enum import Enum
from typing import Any

from ..formats.detokenise import Detokeniser, StopStrings
from ..formats.tokenizer import Tokenizer
from ..kernels.sampling.slots import BIASED, MASKED, PENALISED
from .base_request import BaseRequest
from .completion import Completion
from .grammar import Matcher
from .loras import Placed
from .options import Options
from .pace import DraftState, NgramState
from .pages import Chain, Root, page_keys
from .snapshots import Saved

# Bits of `needs` beside those of a record's FLAGS: not simply the most likely token; options with `filters`.
SAMPLED, FILTERED = 1 << 8, 1 << 9


class Stage(Enum):
    WAITING = "waiting"
    PREFILLING = "prefilling"
    RUNNING = "running"
    READ = "read"  # it is only read, and its last chunk is submitted
    ENDED = "ended"


class Text:
    """The text of a sequence, token by token: what a token ends is final."""

    def __init__(self, tokenizer: Tokenizer, options: Options) -> None:
        until = options.calls if options.stop or options.stop_token_ids else None
        self._words, self._stops = Detokeniser(tokenizer), StopStrings(options.stop or (), until)

    def add(self, token: int) -> tuple[str, bool]:
        """(text that can be shown now, whether a stop string was found)."""
        return self._stops.add(self._words.add(token))

    def finish(self) -> tuple[str, bool]:
        """What was held back, at the end."""
        text, hit = self._stops.add(self._words.finish())
        return (text, True) if hit else (text + self._stops.finish(), self._stops.hit)

    @property
    def in_call(self) -> bool:
        """Whether a call of a tool has begun, which nothing ends but its own end."""
        return self._stops.past_mark


class Sequence:
    """`tokens` are those of the prompt and all that were read from the GPU; `drawn` of them are generated.

    Positions below `filled` have their keys in the cache as soon as what is submitted has run. While it is running,
    `next` is the position of the step that is submitted next, and `in_flight` counts steps that were not read yet.
    """

    request: BaseRequest[Any]
    reads = False  # whether it is only read: see reading.py
    exact = False  # whether its activations must not be rounded
    began: float  # when it was submitted

    def __init__(
        self,
        prompt: Sequenced[int],
        options: Options,
        tokenizer: Tokenizer | None,
        *,
        row: int = 0,
        lora: Placed | None = None,
        matcher: Matcher | None = None,
        order: tuple[float, int] = (0.0, 0),
    ) -> None:
        self.tokens = list(prompt)
        self.options, self.lora, self.matcher = options, lora, matcher
        self.order = order  # of arrival: smaller ones go first
        self.settings = options.settings(row)
        self.eos = frozenset() if options.ignore_eos or tokenizer is None else frozenset(tokenizer.eos_ids)
        self.ending = options.ending(self.eos)
        self.needs, self.top = self._needs(), -1 if options.logprobs is None else options.logprobs
        self.text = None if tokenizer is None else Text(tokenizer, options)
        self.completion = Completion(prompt_tokens=len(prompt), seed=options.seed_of(row))
        self.stage = Stage.WAITING
        self.slot: int | None = None
        self.pages: list[int] = []
        self.placed: int | None = None  # pages that the GPU knows of; None before it has started in its slot
        self.chain: Chain = self.root  # of its pages that others can share
        self.linked = 0  # how many these are
        # Tokens at the front that stay, and those behind them that slid out of the context
        self.front = self.dropped = 0
        self.filled = self.next = self.in_flight = 0
        self.step_number = 0  # of its newest step, among all of the scheduler
        self.steps_left = options.max_tokens  # that may still be submitted
        self.link_at = 0  # tokens from which on another page is full
        # If it has a grammar: its row among those, and whether the logits of its next token are there (scheduler.py).
        self.row: int | None = None
        self.has_logits = False
        self.ngram_state, self.draft_state = NgramState(), DraftState()  # of those that guess its tokens
        self.compile_s = 0.0
        # Where layers have states: those that were saved, by pages, and the last chain that has one of its steps.
        self.saved: list[Saved] = []
        self.rolling: int | None = None
        self.known_pages = 0  # full ones that were in the cache when it began, with or without a state at their end
        self.promises = -1  # number of the first page that others may wait for; -1: none
        self.awaits: int | None = None  # hash of the page that it waits for
        self._keys: tuple[int, list[bytes]] = -1, []  # the number of tokens, and their keys
        self._hashes: tuple[int, list[int]] = -1, []

    def _needs(self) -> int:
        """What choosing a token takes: bits, those of a record's FLAGS among them."""
        biased, penalised, masked = bool(self.options.logit_bias), self.settings.penalised, self.matcher is not None
        sampled = self.settings.temperature > 0 or biased or penalised or masked or self.options.min_tokens > 0
        bits = BIASED * biased + PENALISED * penalised + MASKED * masked
        return bits + SAMPLED * sampled + FILTERED * self.settings.filtered

    @property
    def lora_id(self) -> int:
        return 0 if self.lora is None else self.lora.id

    @property
    def root(self) -> Root:
        """Where its pages begin: it shares them with sequences of the same root."""
        return Root(self.lora_id, self.exact, self.options.cache_salt)

    @property
    def drawn(self) -> int:
        return len(self.completion.ids)

    @property
    def context(self) -> list[int]:
        """The tokens in the cache, and the one that runs next."""
        if not self.dropped:
            return self.tokens
        return self.tokens[: self.front] + self.tokens[self.front + self.dropped :]

    @property
    def to_fill(self) -> int:
        """Positions to fill before the first step: all tokens but the last, which the step runs."""
        return len(self.tokens) - self.dropped - 1

    @property
    def reusable(self) -> int:
        """Positions that are not computed if they are in the cache."""
        return self.to_fill

    @property
    def page_keys(self) -> list[bytes]:
        """The tokens of each full page to fill (pages.py)."""
        count = len(self.tokens) - self.dropped
        if self._keys[0] != count:
            self._keys = count, page_keys(self.context, self.to_fill)
        return self._keys[1]

    @property
    def page_hashes(self) -> list[int]:
        """A hash of each full page to fill and of all before it. Equal ones are most likely the same tokens."""
        count = len(self.tokens) - self.dropped
        if self._hashes[0] != count:
            last, hashes = hash(self.root), list[int]()
            for key in self.page_keys:
                last = hash((last, key))
                hashes.append(last)
            self._hashes = count, hashes
        return self._hashes[1]

    def full_at(self, capacity: int) -> bool:
        """Whether it cannot go on because the context is full."""
        return self.next >= capacity and not (self.in_flight or self.has_logits) and self.stage is Stage.RUNNING

    # What happens to it: the scheduler decides where it is, and writes that itself -----------------------------

    def enqueue(self, request: BaseRequest[Any], now: float) -> None:
        self.request, self.began = request, now

    def place(self) -> tuple[int, list[int]]:
        """The pages that the GPU does not know yet, and the number of the first: it is told of them now."""
        if not self.completion.queue_s:
            self.completion.queue_s = time.perf_counter() - self.began
        known, self.placed = self.placed or 0, len(self.pages)
        return known, self.pages[known:]

    def wait_for_compiler(self, seconds: float) -> None:
        self.compile_s += seconds

    def read_result(self, wrong: int = 0) -> None:
        """The result of a step or a chunk was read, in which `wrong` guesses were wrong."""
        self.in_flight -= 1
        self.next -= wrong
        self.steps_left += wrong

    def lose_results(self) -> None:
        """What was under way has failed: tokens of a preempted sequence that were lost are drawn again."""
        self.in_flight = 0

    def slide(self, capacity: int) -> None:
        """Keep what the options keep of the front, at most half of the context, and the newer half of the rest."""
        self.front = min(self.options.keep or 0, self.completion.prompt_tokens, capacity // 2)
        newest = max(1, (capacity - self.front) // 2)
        self.dropped = max(0, len(self.tokens) - self.front - newest)
        self._keys, self._hashes = (-1, []), (-1, [])  # of the same number of tokens before, perhaps

    # What it has generated ----------------------------------------------------------------------------------

    def accept(self, token: int, now: float) -> str:
        """Add the next token; returns the text that can be shown now. It has ended if the completion has a reason."""
        c = self.completion
        ids, c.seconds = c.ids, now - self.began
        if not ids:
            c.first_token_s, c.compile_s = c.seconds, min(self.compile_s, c.seconds)
        else:
            c.later_compile_s = min(max(self.compile_s - c.compile_s, 0.0), c.seconds - c.first_token_s)
        ids.append(token)
        self.tokens.append(token)
        if token in self.ending and (token in self.eos or self.text is None or not self.text.in_call):
            return self.finish("eos" if token in self.eos else "stop")
        text, hit = self.text.add(token) if self.text is not None else ("", False)
        if text:
            c.text += text
        if hit:
            c.reason = "stop"
        elif self.matcher is not None and self._is_complete(self.matcher, token):
            return text + self.finish("stop")
        elif len(ids) >= self.options.max_tokens:
            return text + self.finish("length")
        return text

    def _is_complete(self, matcher: Matcher, token: int) -> bool:
        """Whether the grammar allows nothing after this token."""
        matcher.accept(token)
        return matcher.complete

    def finish(self, reason: str) -> str:
        """End it; returns the text that was held back."""
        c = self.completion
        rest, hit = self.text.finish() if self.text is not None else ("", False)
        c.text += rest
        c.reason = "stop" if hit else reason
        return rest
