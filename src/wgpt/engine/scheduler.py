"""What runs next: a chunk of prompts, or a step of the running sequences.

It knows pages and slots, but not the GPU. Work is submitted in the order in which it is decided here, so pages and
slots that are given back can be used by the very next decision.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from ..core.sizes import PAGE
from .batch import TILE
from .pages import Chain, Match, Pages
from .sequence import Sequence, Stage
from .state_saves import StateSaves

_FIRST_CHUNK_SECONDS = 1.0  # assumed of a chunk before one was timed: longer than any stall
_LEAST_CHUNK = 4 * TILE


@dataclass(frozen=True, eq=False)
class Prefill:
    """Tokens of prompts to run through the model: (sequence, first position, how many)."""

    parts: tuple[tuple[Sequence, int, int], ...]


@dataclass(frozen=True, eq=False)
class Step:
    """The next token of each of these sequences; the longest has `length` tokens, and `grown` ones have new pages.

    `width`: tokens of each sequence, at most, if guesses are checked.
    """

    rows: tuple[Sequence, ...]
    grown: tuple[Sequence, ...]
    length: int
    width: int = 1


@dataclass(frozen=True, eq=False)
class Guided:
    """Of the sequences with a grammar: those that choose their next token, then those that run their newest one.

    A mask depends on the token before it, so the host must have read that: choosing and running are Programs of their
    own, and while one sequence's newest token runs, its mask is computed. Logits stay in the sequence's `row`.
    """

    choosing: tuple[Sequence, ...]
    rows: tuple[int, ...]  # of those that choose
    running: tuple[Sequence, ...]
    grown: tuple[Sequence, ...]
    length: int


Work = Prefill | Step | Guided


@dataclass
class Limits:
    """`capacity`: tokens of a sequence; `chunk`: most rows of a prefill chunk; `max_stall`: seconds for which the
    running sequences may wait for the prompts of others. `reserve`: take all pages at the start, so that no sequence
    is ever recomputed. `share`: prompts that begin the same way share pages. `groups`: in a model of as many stages,
    each works on a group of the running sequences, and the next step of a group begins when its last tokens are
    known."""

    slots: int
    capacity: int
    chunk: int
    max_stall: float = 0.04
    reserve: bool = False
    share: bool = True
    groups: int = 1


class Scheduler:
    """Sequences wait, are prefilled, run, and end. First come, first served; the youngest gives way."""

    def __init__(self, pages: Pages, limits: Limits) -> None:
        self.pages, self.limits = pages, limits
        self.waiting: list[Sequence] = []  # in order
        self.prefilling: list[Sequence] = []
        self.running: list[Sequence] = []
        self.read: list[Sequence] = []  # their last chunk is submitted
        self._slots = list(range(limits.slots - 1, -1, -1))
        self._rows = list(range(limits.slots - 1, -1, -1))  # that no sequence with a grammar has, the smallest last
        self._guided_last = False
        self._row_seconds: float | None = None  # of a prefill chunk, by row
        self._promised: Counter[int] = Counter()  # hashes of full pages that will be shared once they are prefilled
        self._steps = 0  # so far
        self._stalled = 0.0  # seconds of prefill that were submitted since the last step
        self.preemptions = 0
        self.states = StateSaves(pages.snapshots)
        self.width: Callable[[list[Sequence]], int] = lambda rows: 1  # tokens of each row, if guesses are checked

    @property
    def idle(self) -> bool:
        return not (self.waiting or self.prefilling or self.running or self.read)

    def add(self, sequence: Sequence) -> None:
        insort(self.waiting, sequence, key=lambda s: s.order)

    def timed(self, rows: int, seconds: float) -> None:
        """Note how long a prefill chunk took."""
        each = seconds / rows
        self._row_seconds = each if self._row_seconds is None else 0.7 * self._row_seconds + 0.3 * each

    def remove(self, sequence: Sequence, keep: bool = True) -> None:
        """End a sequence in any stage; its pages and its slot are free at once.

        `keep`: whether its pages serve prompts that begin the same way. Not after an error: they may hold anything.
        """
        if not keep:
            self.pages.unlink(sequence.pages)
            sequence.filled = sequence.linked = 0
        self._leave(sequence)
        sequence.stage = Stage.ENDED

    def next(self, admit: bool = True) -> Work | None:
        """What to submit now; None if there is nothing to do before a result is read."""
        for sequence in self.read:
            self._give_back(sequence)
        if admit:
            self._admit()
        capacity = self.limits.capacity
        steppers = [s for s in self.running if s.steps_left > 0 and s.next < capacity and s.matcher is None]
        following = list[Sequence]()
        if self.limits.groups > 1:
            steppers, following = self._groups(steppers)
        guided = [s for s in self.running if s.matcher is not None]
        if any(s.in_flight for s in guided):
            guided = []  # their tokens are not known yet
        size = self._chunk_rows(bool(self.running))
        if self.prefilling and (not ((steppers or guided) and self._stalled) or self._fits_the_stall(size)):
            return self._prefill(size)
        self._guided_last = bool(guided) and not (steppers and self._guided_last)
        steppers = steppers or following
        work = self._guided(guided) if self._guided_last else self.step(steppers) if steppers else None
        if work is not None:
            self._stalled = 0.0
        return work

    # Prompts ------------------------------------------------------------------------------------------------

    def _admit(self) -> None:
        """Give slots and pages to waiting sequences, in order.

        One is overtaken only while a prompt that begins the same way is being read: it then shares its pages.
        """
        if not self._slots:
            return
        for sequence in list(self.waiting):
            if not self._slots or sequence.in_flight:
                return
            if self._promised and self._is_promised(sequence):
                continue
            known = self._take_pages(sequence)
            if known is None:
                return
            place = known.place
            self.waiting.remove(sequence)
            sequence.slot = self._slots.pop()
            if place is not None:
                self.states.restores.append((sequence.slot, place))
            if sequence.filled >= sequence.to_fill:
                self._run(sequence)
            else:
                sequence.stage = Stage.PREFILLING
                self.prefilling.append(sequence)
                promising = self.limits.share and self.pages.snapshots is None
                if promising and sequence.linked < len(sequence.page_keys):
                    sequence.promises = sequence.linked
                    self._promised.update(sequence.page_hashes[sequence.linked :])

    def _is_promised(self, sequence: Sequence) -> bool:
        """Whether pages that it needs are about to be in the cache: then it waits for the last of them.

        A page's hash is that of all tokens up to it: whoever promises one has promised those before it, too.
        """
        if sequence.awaits not in self._promised:
            useful = sequence.page_hashes[: sequence.reusable // PAGE]
            sequence.awaits = next((page for page in reversed(useful) if page in self._promised), None)
        return sequence.awaits is not None

    def _take_pages(self, sequence: Sequence) -> Match | None:
        """Pages for the prompt, shared ones first, which are returned. A few stay free for those that run."""
        context = sequence.context
        reusable = sequence.reusable if self.limits.share else 0
        known = self.pages.match(context, reusable, sequence.page_keys, sequence.root)
        last = self.pages_at_most(sequence) if self.limits.reserve else -(-len(context) // PAGE)
        spare = 0 if self.limits.reserve else len(self.running)
        fresh = None
        more = last - len(known.pages)
        if self.pages.free - more >= spare or not (self.running or self.prefilling):
            fresh = self.pages.take(more)
        if fresh is None:
            self._return(known.pages, known.shared, known.chain, context[: known.tokens])
            return None
        sequence.pages, sequence.chain, sequence.linked = known.pages + fresh, known.chain, known.shared
        sequence.filled, sequence.known_pages = known.tokens, known.known
        if not sequence.drawn:
            sequence.completion.cached_tokens = sequence.filled
        return known

    def pages_at_most(self, sequence: Sequence) -> int:
        """Pages that a sequence has when it ends, at most."""
        left = sequence.options.max_tokens - sequence.drawn
        return -(-min(len(sequence.context) + left - 1, self.limits.capacity) // PAGE)

    def _chunk_rows(self, others_run: bool) -> int:
        """Rows of a chunk: as many as run within the time that others may wait."""
        rows = self.limits.chunk
        while others_run and rows > _LEAST_CHUNK and self._seconds(rows) > self.limits.max_stall:
            rows //= 2
        return max(TILE, rows // TILE * TILE)

    def _fits_the_stall(self, rows: int) -> bool:
        return self._stalled + self._seconds(rows) <= self.limits.max_stall

    def _seconds(self, rows: int) -> float:
        return _FIRST_CHUNK_SECONDS if self._row_seconds is None else rows * self._row_seconds

    def _prefill(self, size: int) -> Prefill:
        parts, room = [], size
        for sequence in self.prefilling:
            count = min(self.states.next_stop(sequence) - sequence.filled, room)
            parts.append((sequence, sequence.filled, count))
            if self.limits.reserve:  # every sequence begins a tile
                count = -(-count // TILE) * TILE
            elif len(parts) == 1:  # further ones may need padding (batch.py)
                room -= size // TILE
            room -= count
            if room < TILE:
                break
        for sequence, first, count in parts:
            sequence.filled = first + count
            self.states.after_chunk(sequence)
            self.link(sequence)
            sequence.in_flight += sequence.reads
            if sequence.filled == sequence.to_fill:
                self._leave_prefilling(sequence)
                self._finish_reading(sequence) if sequence.reads else self._run(sequence)
        self._stalled += self._seconds(size - max(room, 0))
        return Prefill(tuple(parts))

    def _leave_prefilling(self, sequence: Sequence) -> None:
        self.prefilling.remove(sequence)
        if sequence.promises >= 0:
            self._withdraw(sequence, len(sequence.page_hashes))
            sequence.promises = -1

    def _withdraw(self, sequence: Sequence, end: int) -> None:
        """No longer promise the pages before number `end`: they are in the cache, or never will be."""
        for page in sequence.page_hashes[sequence.promises : end]:
            self._promised[page] -= 1
            if not self._promised[page]:
                del self._promised[page]
        sequence.promises = max(sequence.promises, end)

    def _run(self, sequence: Sequence) -> None:
        sequence.stage = Stage.RUNNING
        sequence.next = sequence.to_fill
        sequence.steps_left = sequence.options.max_tokens - sequence.drawn
        insort(self.running, sequence, key=lambda s: s.order)

    def _finish_reading(self, sequence: Sequence) -> None:
        """It has no steps. Its slot and its pages are free for the next decision."""
        sequence.stage = Stage.READ
        self.read.append(sequence)

    def link(self, sequence: Sequence) -> None:
        """Let others share the full pages whose tokens are known. Not those of generated tokens where results must
        not depend on what ran before: a step computes them in another order than a chunk."""
        if not self.limits.share:
            sequence.link_at = self.limits.capacity + len(sequence.tokens) + 1  # never
            return
        prompt = sequence.completion.prompt_tokens if self.limits.reserve else len(sequence.tokens)
        tokens, known = sequence.context, min(sequence.filled, sequence.to_fill, prompt)
        while (sequence.linked + 1) * PAGE <= known:
            at = sequence.linked * PAGE
            page = sequence.pages[sequence.linked]
            sequence.chain = self.pages.link(page, sequence.chain, tokens[at : at + PAGE])
            sequence.linked += 1
            self.states.linked(sequence)
        if sequence.promises >= 0:
            self._withdraw(sequence, sequence.linked)
        if sequence.draft_state.seen:
            self.pages.note_seen(sequence.pages, sequence.draft_state.seen)
        sequence.link_at = sequence.dropped + (sequence.linked + 1) * PAGE + 1

    # Steps --------------------------------------------------------------------------------------------------

    def _groups(self, steppers: list[Sequence]) -> tuple[list[Sequence], list[Sequence]]:
        """Of a split model: (a group whose tokens are known, the one whose tokens are known next).

        The second one's next step is decided ahead, so that it begins at once. Not while the groups are uneven, because
        some have begun or ended: those whose tokens are known then form new ones.
        """
        most = -(-len(steppers) // self.limits.groups)
        idle = [s for s in steppers if not s.in_flight]
        if idle or any(s.in_flight > 1 for s in steppers):
            return idle[:most], []
        groups = dict[int, list[Sequence]]()
        for sequence in steppers:
            groups.setdefault(sequence.step_number, []).append(sequence)
        if len(groups) > self.limits.groups or any(len(group) > most for group in groups.values()):
            return [], []
        return [], groups[min(groups)] if groups else []

    def step(self, steppers: list[Sequence]) -> Step | None:
        """The oldest first, each with pages for its next tokens; where there are none, the youngest gives way.

        With guesses, `next` and `steps_left` assume that all of them are right until the result is read.
        """
        width = self.width(steppers)
        rows, grown, longest = [], [], 0
        self._steps += 1
        for sequence in steppers:
            end = sequence.next + width
            if end > PAGE * len(sequence.pages):
                if sequence.stage is not Stage.RUNNING or not self._grow(sequence, min(end, self.limits.capacity)):
                    continue
                grown.append(sequence)
            elif sequence.placed is None:
                grown.append(sequence)
            longest = max(longest, end)
            sequence.next = sequence.filled = end
            self.states.after_step(sequence)
            sequence.in_flight += 1
            sequence.step_number = self._steps
            sequence.steps_left -= width
            rows.append(sequence)
        return Step(tuple(rows), tuple(grown), longest, width) if rows else None

    def _guided(self, sequences: list[Sequence]) -> Guided | None:
        """Those that have logits choose; then all run their newest token that need another one."""
        running, grown = [], []
        for sequence in sequences:
            goes_on = sequence.steps_left > (1 if sequence.has_logits else 0) and sequence.next < self.limits.capacity
            if sequence.stage is Stage.RUNNING and goes_on:
                if sequence.next + 1 > PAGE * len(sequence.pages):
                    if not self._grow(sequence, sequence.next + 1):
                        continue
                    grown.append(sequence)
                elif sequence.placed is None:
                    grown.append(sequence)
                running.append(sequence)
        running, grown = ([s for s in group if s.stage is Stage.RUNNING] for group in (running, grown))
        choosing = [s for s in sequences if s.stage is Stage.RUNNING and s.has_logits]
        rows = tuple(s.row for s in choosing if s.row is not None)
        for sequence in choosing:
            sequence.in_flight += 1
            sequence.steps_left -= 1
            sequence.has_logits = False
        for sequence in running:
            if sequence.row is None:
                sequence.row = self._rows.pop()
            sequence.next = sequence.filled = sequence.next + 1
            self.states.after_step(sequence)
            sequence.has_logits = True
        if not (choosing or running):
            return None
        length = max((s.next for s in running), default=0)
        return Guided(tuple(choosing), rows, tuple(running), tuple(grown), length)

    def _grow(self, sequence: Sequence, positions: int) -> bool:
        """Take pages for this number of positions."""
        while len(sequence.pages) * PAGE < positions:
            fresh = self.pages.take(1)
            if fresh is not None:
                sequence.pages += fresh
                continue
            youngest = max(self.running + self.prefilling, key=lambda s: s.order)
            self.preempt(youngest)
            if youngest is sequence:
                return False
        return True

    def preempt(self, sequence: Sequence) -> None:
        """Take a sequence's slot and pages: it waits, and is prefilled again with all of its tokens."""
        self._leave(sequence)
        sequence.stage = Stage.WAITING
        self.add(sequence)
        self.preemptions += 1

    def _leave(self, sequence: Sequence) -> None:
        if sequence in self.prefilling:
            self._leave_prefilling(sequence)
        for group in (self.waiting, self.running, self.read):
            if sequence in group:
                group.remove(sequence)
        self._give_back(sequence)

    def _give_back(self, sequence: Sequence) -> None:
        if sequence.pages:
            self.link(sequence)
            # Of a text that is only read, full pages serve others; the rest would take the place of a conversation's.
            end = sequence.linked * PAGE if sequence.reads else sequence.to_fill
            known = sequence.context[: min(sequence.filled, end)]
            self._return(sequence.pages, sequence.linked, sequence.chain, known)
        self.states.forget(sequence)
        sequence.pages, sequence.placed, sequence.draft_state.seen = [], None, 0
        if sequence.slot is not None:
            self._slots.append(sequence.slot)
            sequence.slot = None
        if sequence.row is not None:
            insort(self._rows, sequence.row, key=lambda row: -row)
            sequence.row, sequence.has_logits = None, False

    def _return(self, pages: list[int], linked: int, chain: Chain, known: list[int]) -> None:
        """Give pages back that hold the `known` tokens: the beginning of a page after the linked ones is kept, too."""
        rest = known[linked * PAGE :]
        if rest and self.limits.share and not self.limits.reserve and self.pages.snapshots is None:
            self.pages.keep_tail(pages[linked], chain, rest)
        self.pages.give_back(pages)
