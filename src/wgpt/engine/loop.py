"""What the engine's thread does: submits chunks and steps ahead of the GPU, and reads their results."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from ..core.errors import WgptError
from ..kernels.sampling.slots import NO_TOKEN
from .batch import FEW_ROWS, TILE, Chunk, bucket, chunks, ends_with_step, single_rows
from .errors import GrammarError
from .grammar import fill_masks
from .read_outputs import Plan
from .reading import Reading
from .runner_protocol import RunnerProtocol
from .sampling import Mode
from .scheduler import Guided, Prefill, Scheduler, Step, Work
from .sequence import Sequence, Stage


@dataclass(eq=False)
class _Flight:
    """A Program under way."""

    work: Work
    pending: Any  # what the runner returned: its `read` waits for it
    rows: int
    began: float = 0.0  # when it could run at the earliest, if nothing was before it
    alone: bool = True  # whether nothing else was submitted with it
    before: Prefill | None = None  # the rest of a prompt that runs in the same Program
    plan: Plan | None = None  # of a chunk's outputs
    substituted: bool = False  # whether another Program than the right one ran: its time says little
    recorded: bool = False  # whether its Program had to be recorded first
    done: float = 0.0  # when it was, if it was awaited before its result is read


class _Flights(deque[_Flight]):
    """Those under way, the oldest first. `awaited`: seconds waited in `await_all`."""

    awaited = 0.0

    def await_all(self) -> None:
        """Before a Program is recorded: otherwise the time of what is under way would count as time for compiling."""
        began = time.perf_counter()
        for flight in self:
            if not flight.done:
                flight.pending.result()
                flight.done = time.perf_counter()
        self.awaited += time.perf_counter() - began


class Loop:
    """`ended`: the sequences that have ended since the engine looked, each with the error if one ended it."""

    def __init__(self, runner: RunnerProtocol[Any], scheduler: Scheduler) -> None:
        self._runner, self._scheduler = runner, scheduler
        self.ended: deque[tuple[Sequence, BaseException | None]] = deque()
        self._flight = _Flights()
        # Of a split model: a step of each group, and the next one of the group that is done first.
        self._ahead = max(runner.device.ahead, runner.groups + 1)
        # Of a split model, the others are decided when a GPU has nothing to do: commands for the next GPU come first.
        self._at_once = self._ahead if runner.groups == 1 else 1
        if runner.speculation is not None:
            scheduler.width = runner.speculation.width
        self._rows: tuple[Sequence, ...] = ()  # of the last step, which the next one often has, too
        self._slots, self._mode = list[int](), Mode()
        self._newest: Any = None  # with grammars; kept, so that the next submit is pipelined
        self._last_result = 0.0  # its time
        runner.before_recording(self._flight.await_all)
        self.last_step, self.longest_step = time.monotonic(), 0.0

    @property
    def busy(self) -> bool:
        """Whether something is on the GPU, or has a place there."""
        return bool(self._flight or self._scheduler.running or self._scheduler.prefilling)

    def turn(
        self,
        admit: bool,
        stopped: Callable[[], bool] = lambda: False,
        submitted: Callable[[], None] | None = None,
    ) -> None:
        """Submit as much as may be under way, then read the oldest result. `admit`: let waiting sequences begin.

        `stopped`: whether to return as soon as possible. On a software driver, a submit may take seconds.
        `submitted`: called between the two.
        """

        def submit_next() -> bool:
            # After a new Program comes another, most likely: the results of the first do not wait for that.
            full = len(self._flight) >= self._ahead or any(flight.recorded for flight in self._flight)
            work = None if full or stopped() else self._scheduler.next(admit)
            if work is not None:
                self._submit(work)
            return work is not None

        while len(self._flight) < self._at_once and submit_next():
            pass
        if submitted is not None:
            submitted()
        self._runner.prepare_ahead()
        if self._flight and not stopped():
            self._read(self._flight.popleft(), submit_next)
        self._overflow()

    def end(self, sequence: Sequence, error: BaseException | None = None) -> None:
        """End a sequence in any stage."""
        self._rows = ()  # do not keep it: its request holds the engine
        self._scheduler.remove(sequence, keep=error is None)
        if sequence.matcher is not None:
            sequence.matcher.give_back()
        self.ended.append((sequence, error))

    def fail(self, error: BaseException) -> None:
        """End what was on the GPU; what waits goes on."""
        self._flight.clear()
        for sequence in [*self._scheduler.running, *self._scheduler.prefilling, *self._scheduler.read]:
            sequence.lose_results()
            self.end(sequence, error)
        for sequence in self._scheduler.waiting:
            sequence.lose_results()
        self._scheduler.pages.forget()  # those of sequences that ended before their last chunk ran
        self._scheduler.states.restores.clear()
        self._scheduler.states.saves.clear()

    def _submit(self, work: Work) -> None:
        before, began, awaited = self._runner.compile_seconds, time.perf_counter(), self._flight.awaited
        self._copy_states(self._scheduler.states.restores, back=True)
        if isinstance(work, Prefill):
            flight = self._prefill(work)
        else:
            flight = self._guided(work) if isinstance(work, Guided) else self._step(work)
        self._copy_states(self._scheduler.states.saves, back=False)
        compiled = self._runner.compile_seconds - before
        if compiled:
            s = self._scheduler
            for sequence in (*s.waiting, *s.prefilling, *s.running):
                sequence.wait_for_compiler(compiled)
        flight.began, flight.recorded = began + compiled + self._flight.awaited - awaited, compiled > 0
        self._flight.append(flight)

    def _copy_states(self, copies: list[tuple[int, int]], *, back: bool) -> None:
        """Those that the scheduler asked for, in the order of the work around them."""
        for slot, place in copies:
            self._runner.copy_states(slot, place, back=back)
        copies.clear()

    def _prefill(self, work: Prefill) -> _Flight:
        loras = {}
        for sequence, _, _ in work.parts:
            slot = self._place(sequence)
            loras[slot] = 0 if sequence.lora is None else sequence.lora.index
            if sequence.stage is Stage.RUNNING:
                self._start(sequence)
        if self._is_alone(work):
            ((sequence, _, _),) = work.parts
            chunk = self._chunk(work, 1)
            pending = self._runner.try_first(chunk, loras, Mode.of([sequence]))
            if pending is not None:
                step = self._scheduler.step([sequence])
                assert step is not None
                return _Flight(step, pending, chunk.m, before=work)
        chunk = self._chunk(work)
        plan = Plan.of(chunk, work.parts, fixed=self._runner.deterministic)
        exact = any(sequence.exact for sequence, _, _ in work.parts)
        pending = self._runner.prefill(chunk, loras, plan, exact=exact)
        return _Flight(work, pending, chunk.m, plan=plan, substituted=self._runner.substituted)

    def _is_alone(self, work: Prefill) -> bool:
        """Whether it is the rest of the only prompt and one row more costs little, so that the first step can run in
        the same Program. Not if states are saved between the two."""
        (sequence, _, count), s = work.parts[0], self._scheduler
        rest = (
            len(work.parts) == 1
            and ends_with_step(count)
            and count < s.limits.chunk
            and sequence.stage is Stage.RUNNING
            and not s.states.saves
        )
        alone = len(s.running) == 1 and not s.prefilling and sequence.steps_left > 0 and sequence.matcher is None
        return rest and alone and self._runner.speculation is None and not self._runner.deterministic

    def _chunk(self, work: Prefill, more: int = 0) -> Chunk:
        """The rows of these prompts and of the given number of tokens after each."""
        tokens, starts = {}, {}
        for sequence, first, count in work.parts:
            assert sequence.slot is not None
            tokens[sequence.slot], starts[sequence.slot] = sequence.context[first : first + count + more], first
        most = self._scheduler.limits.chunk
        sizes: dict[str, Any] = {"rows": bucket, "tile": self._tile(work)}
        if self._runner.deterministic:
            sizes = {"rows": lambda _: most, "tile": TILE}
        (chunk,) = chunks(tokens, starts, most, **sizes)
        return chunk

    def _tile(self, work: Prefill) -> int | None:
        """None: as they fit."""
        rows, keys = sum(count for _, _, count in work.parts), max(first + count for _, first, count in work.parts)
        return 1 if single_rows(rows, keys, self._runner.device) else None

    def _step(self, work: Step) -> _Flight:
        self._place_all(work.grown)
        if work.rows != self._rows:
            self._rows, self._mode = work.rows, Mode.of(work.rows)
            self._slots = [sequence.slot for sequence in work.rows if sequence.slot is not None]
        alone = True
        if self._runner.speculation is not None:
            alone = not self._runner.speculation.prepare(work.rows, work.width, self._scheduler.pages)
        pending = self._runner.step(self._slots, work.length, self._mode, work.width)
        return _Flight(work, pending, len(work.rows), alone=alone, substituted=self._runner.substituted)

    def _guided(self, work: Guided) -> _Flight:
        """The result is that of choosing. Running the newest tokens has none: what chooses next comes after it."""
        chosen = self._runner.choose(work.choosing, Mode.of(work.choosing)) if work.choosing else None
        self._place_all(work.grown)
        if work.running:
            self._newest = self._runner.run_newest(work.running, work.length)
        pending = self._newest if chosen is None else chosen
        assert pending is not None
        return _Flight(work, pending, len(work.choosing))

    def _place_all(self, sequences: tuple[Sequence, ...]) -> None:
        for sequence in sequences:
            is_new = sequence.placed is None  # nothing had to be prefilled
            self._place(sequence)
            if is_new:
                self._start(sequence)

    def _start(self, sequence: Sequence) -> None:
        """Its steps begin, perhaps in another slot than before."""
        self._rows = ()
        self._runner.start(sequence)

    def _place(self, sequence: Sequence) -> int:
        """Tell the GPU of new pages."""
        assert sequence.slot is not None
        first, pages = sequence.place()
        if pages:
            self._runner.slots.set_pages(sequence.slot, first, pages)
        return sequence.slot

    def _read(self, flight: _Flight, meanwhile: Callable[[], bool]) -> None:
        result = self._runner.read(flight.pending, meanwhile)
        now = time.perf_counter()
        done = flight.done or now
        took = done - max(self._last_result, flight.began)
        read = flight.work if isinstance(flight.work, Prefill) else flight.before
        for sequence, first, count in read.parts if read is not None else ():
            sequence.request._has_read(first + count, sequence.to_fill)
        timed = isinstance(flight.work, Prefill) or (read is not None and flight.rows >= FEW_ROWS)
        if timed and not flight.substituted:
            self._scheduler.timed(flight.rows, took)
        if isinstance(flight.work, Prefill):
            self._give_outputs(flight.work, flight.plan, result)
        elif isinstance(flight.work, Guided):
            self._accept_guided(flight.work, result, now)
        elif flight.work.width == 1:
            self._accept(flight.work.rows, result, now)
        else:
            self._accept_guesses(flight.work, result, now)
        if self._runner.speculation is not None and isinstance(flight.work, Step):
            seconds = took if flight.alone and not flight.substituted else None
            self._runner.speculation.learn(flight.work.rows, flight.work.width, result, seconds)
        self.longest_step = max(self.longest_step, took)
        self._last_result, self.last_step = done, time.monotonic()

    def _give_outputs(self, work: Prefill, plan: Plan | None, result: dict[str, NDArray[Any]]) -> None:
        """Sequences that are only read get their outputs; the last one ends them."""
        for failed, error in plan.give(result) if plan is not None else ():
            if failed.stage is not Stage.ENDED:
                self._scheduler.pages.forget()  # its pages may serve others already
                self.end(failed, error)
        for sequence, _, _ in work.parts:
            if isinstance(sequence, Reading):
                sequence.read_result()
                if sequence.stage is Stage.READ and not sequence.in_flight:
                    sequence.deliver()
                    self.end(sequence)

    def _accept(self, rows: tuple[Sequence, ...], result: dict[str, NDArray[Any]], now: float) -> None:
        """Give each sequence its token. This runs for every token: a step of a small model takes a millisecond."""
        for row, (sequence, token) in enumerate(zip(rows, result["tokens"].tolist(), strict=False)):
            sequence.read_result()
            if sequence.stage is Stage.ENDED:
                continue
            if sequence.top >= 0 and token != NO_TOKEN:
                _add_logprobs(sequence, row, result)
            self._accept_one(sequence, token, now)

    def _accept_guided(self, work: Guided, result: dict[str, NDArray[Any]], now: float) -> None:
        """The same for sequences with a grammar, whose next masks are needed soon."""
        if work.choosing:
            rows = list(work.rows)
            self._accept(work.choosing, {name: values[rows] for name, values in result.items()}, now)
        going_on = [(s, s.matcher) for s in work.choosing if s.stage is not Stage.ENDED and s.matcher is not None]
        fill_masks([matcher for _, matcher in going_on])
        for sequence, matcher in going_on:
            try:
                matcher.check()
            except GrammarError as error:
                self.end(sequence, error)

    def _accept_one(self, sequence: Sequence, token: int, now: float) -> None:
        if token == NO_TOKEN:
            self.end(sequence, _no_token_error(sequence))
            return
        try:
            text = sequence.accept(token, now)
        except GrammarError as error:
            self.end(sequence, error)
            return
        if text:
            sequence.request._put(text)
        if sequence.completion.reason:
            self.end(sequence)
        elif len(sequence.tokens) >= sequence.link_at and sequence.stage is Stage.RUNNING:
            self._scheduler.link(sequence)

    def _accept_guesses(self, work: Step, result: dict[str, NDArray[Any]], now: float) -> None:
        """Give each sequence the tokens that were guessed, and the one after them."""
        drawn = result["tokens"].reshape(-1, work.width)
        for row, sequence in enumerate(work.rows):
            count = int(result["count"][row])
            sequence.read_result(wrong=work.width - count)
            for token in drawn[row, :count].tolist():
                if sequence.stage is not Stage.ENDED:
                    self._accept_one(sequence, token, now)

    def _overflow(self) -> None:
        """Where the context is full: stop, or keep the newer half and continue."""
        for sequence in [s for s in self._scheduler.running if s.full_at(self._scheduler.limits.capacity)]:
            if sequence.options.overflow == "refuse":
                sequence.request._put(sequence.finish("context"))
                self.end(sequence)
            else:
                self._scheduler.preempt(sequence)
                sequence.slide(self._scheduler.limits.capacity)


def _no_token_error(sequence: Sequence) -> WgptError:
    if sequence.matcher is not None:
        reason = "the grammar and logit_bias" if sequence.options.logit_bias else "the grammar"
        return GrammarError(f"generation stopped at token {sequence.drawn + 1}: {reason} allow no token")
    cause = "the LoRA adapter's factors" if sequence.lora else "the driver (run `wgpt verify`)"
    return WgptError(f"generation stopped at token {sequence.drawn + 1}: the logits contain NaN or Inf; check {cause}")


def _add_logprobs(sequence: Sequence, row: int, result: dict[str, NDArray[Any]]) -> None:
    completion, top = sequence.completion, sequence.top
    completion.logprobs.append(float(result["chosen"][row]))
    likely = {}
    if top:
        likely = dict(zip(result["ids"][row, :top].tolist(), result["values"][row, :top].tolist(), strict=True))
    completion.top_logprobs.append(likely)
