"""The engine: a thread that keeps the GPU busy with the requests of all callers."""

from __future__ import annotations

import itertools
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterator
from collections.abc import Sequence as Sequenced
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from ..formats.tokenizer import Tokenizer
from ..gpu import AllocationError, DeviceLostError, Pending, WgptError, forks, readable_bytes
from ..kernels.attention.attending import PAGE
from ..kernels.sampling.slots import NO_TOKEN
from ..models.network import Network
from ..ops.fallbacks import Fallbacks
from .batch import TILE, bucket, chunks
from .chunk_sizes import most_rows, row_bytes, usual_chunk
from .errors import ContextError, EngineError, QueueFullError
from .loras import Loras
from .memory import opened
from .options import Options
from .pages import Pages
from .request import Progress, Request
from .runner import Runner
from .sampling import Mode
from .scheduler import Limits, Prefill, Scheduler, Step
from .sequence import Sequence, Stage

# Programs under way: one is recorded and one submitted while the GPU runs another. A software driver computes within
# the submit.
_AHEAD, _SOFTWARE_AHEAD = 3, 2
_PRIORITY_SECONDS = 10.0  # by which a request with priority 1 is treated as if it had arrived later
_FIXED_CHUNK = 128  # rows, if results must not depend on the other rows
MAX_BATCH = 128  # sequences that run at once, by default


@dataclass(frozen=True)
class Health:
    """How the engine is. `step_age`: seconds since it last finished a step; 0 while it has nothing to do."""

    alive: bool
    running: int
    waiting: int
    step_age: float
    pages_used: int
    pages: int
    preemptions: int
    error: str = ""


@dataclass(eq=False)
class _Flight:
    """A Program under way."""

    work: Prefill | Step
    pending: Pending
    rows: int
    began: float  # when it could run at the earliest, if nothing was before it


class Engine:
    """Takes requests from any thread. Its own thread runs while there is something to do."""

    def __init__(
        self,
        network: Network,
        tokenizer: Tokenizer | None,
        *,
        context: int | None = None,
        cache: str = "f16",
        cache_bytes: int | None = None,
        max_batch: int = MAX_BATCH,
        max_queue: int | None = None,
        max_stall: float = 0.04,
        deterministic: bool = False,
        kernels: str = "wgsl",
        fallbacks: Fallbacks | None = None,
        loras: Loras | None = None,
    ) -> None:
        self._loras = loras
        self.network, self.tokenizer, self.device = network, tokenizer, network.device
        self.context = context or network.config.context
        self.max_queue = max_queue
        self.runner: Runner = opened(
            network,
            cache_bytes,
            capacity=self.context,
            cache=cache,
            slots=max_batch,
            kernels=kernels,
            fallbacks=fallbacks,
            deterministic=deterministic,
            loras=loras,
        )
        self.pages = Pages(self.runner.cache.pages)
        chunk = _FIXED_CHUNK if deterministic else self._chunk()
        self.scheduler = Scheduler(self.pages, Limits(max_batch, self.context, chunk, max_stall, deterministic))
        self._requests: dict[Sequence, Request] = {}
        self._began: dict[Sequence, float] = {}
        self._flight: deque[_Flight] = deque()
        self._ahead = _SOFTWARE_AHEAD if self.device.software else _AHEAD
        self._numbers = itertools.count()
        self._last_step = time.monotonic()
        self._last_result = 0.0
        self._dead = ""
        self._after_fork_state()
        forks.register(self)
        weakref.finalize(self, _stop, self._stopping, self._threads)

    def _after_fork_state(self) -> None:
        self._lock = threading.Condition()
        self._inbox: deque[tuple[str, Sequence]] = deque()
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []
        self._paused = 0

    def after_fork(self) -> None:
        """The thread does not exist here, and the GPU cannot be used."""
        self._after_fork_state()

    def _chunk(self) -> int:
        chunk = usual_chunk(self.device)
        if self.network.uploads:  # every chunk uploads weights: use as few chunks as memory allows
            row = row_bytes(self.network.config)
            most = most_rows(self.network.config, self.device)
            chunk = max(chunk, self.device.room(most * row) // row // TILE * TILE)
        return chunk

    # For callers ----------------------------------------------------------------------------------------------

    def submit(
        self,
        prompt: Sequenced[int],
        options: Options,
        *,
        row: int = 0,
        lora: int = 0,
        priority: int = 0,
        progress: Progress | None = None,
    ) -> Request:
        """Ask for a completion of token ids.

        `row`: number within a batch; each has another seed. `lora`: id of an adapter (loras.py), 0 for none.
        """
        self.check(prompt, options)
        order = time.monotonic() + _PRIORITY_SECONDS * priority + 1e-9 * next(self._numbers)
        placed = self._loras.placed(lora) if self._loras is not None and lora else None
        sequence = Sequence(prompt, options, self.tokenizer, row=row, lora=placed, order=order)
        request = Request(self, sequence.completion, progress)
        with self._lock:
            self._check_alive()
            waiting = len(self.scheduler.waiting) + len(self._inbox)
            if self.max_queue is not None and waiting >= self.max_queue:
                raise QueueFullError(f"{waiting} requests are waiting, as many as max_queue allows: try again later")
            self._requests[sequence], self._began[sequence] = request, time.perf_counter()
            self._inbox.append(("add", sequence))
            self._wake()
        return request

    def check(self, prompt: Sequenced[int], options: Options) -> None:
        """Refuse what can never run."""
        if not prompt:
            raise ContextError("the prompt is empty: at least one token is required")
        if len(prompt) > self.context:
            raise ContextError(
                f"the prompt has {len(prompt)} tokens, but the context length is {self.context}: shorten the prompt, "
                "or load the model with a longer context if it supports one"
            )
        options.check_vocabulary(self.network.config.vocab)
        tokens = min(self.context, len(prompt) + options.max_tokens - 1)
        if tokens > self.pages.usable * PAGE:
            raise ContextError(
                f"{len(prompt)} prompt tokens and {options.max_tokens} new ones need {tokens} positions, but the KV "
                f"cache has {self.pages.usable * PAGE} ({readable_bytes(self.runner.cache.nbytes)}): use fewer "
                "tokens, or a larger cache (cache_bytes, --cache-memory)"
            )

    def cancel(self, request: Request) -> None:
        with self._lock:
            sequence = next((s for s, r in self._requests.items() if r is request), None)
            if sequence is not None:
                self._inbox.append(("cancel", sequence))
                self._wake()

    @property
    def health(self) -> Health:
        s, dead = self.scheduler, self._dead
        busy = bool(self._requests)
        age = time.monotonic() - self._last_step if busy else 0.0
        running = len(s.running) + len(s.prefilling)
        waiting = len(s.waiting) + len(self._inbox)
        return Health(
            not dead, running, waiting, age, self.pages.used, self.pages.usable, s.preemptions, dead
        )

    @property
    def nbytes(self) -> int:
        """GPU memory, without the weights."""
        return self.runner.nbytes

    def forget(self) -> None:
        """Forget what is kept of earlier prompts, for example because the weights have changed."""
        with self.paused():
            self.pages.forget()

    @contextmanager
    def paused(self, lora: int = 0) -> Iterator[None]:
        """Let the requests that run finish, and let others wait until the end of the block.

        `lora`: the id of an adapter; requests with it that wait finish first, too.
        """
        with self._lock:
            while lora and any(sequence.lora_id == lora for sequence in self._requests):
                self._lock.wait(0.05)
            self._paused += 1
            while self.scheduler.running or self.scheduler.prefilling or self._flight:
                self._lock.wait(0.05)
        try:
            yield
        finally:
            with self._lock:
                self._paused -= 1
                self._wake()

    def close(self, reason: str = "the engine was closed") -> None:
        """End all requests and free the GPU memory."""
        with self._lock:
            self._dead = self._dead or reason
            threads = list(self._threads)
        _stop(self._stopping, threads)
        if not self.device.forked:
            self._end_all(EngineError(reason))
            self.runner.release()

    def _check_alive(self) -> None:
        if self._dead:
            raise EngineError(self._dead)

    # The thread ---------------------------------------------------------------------------------------------

    def _wake(self) -> None:
        """Start the thread unless it runs. The caller has the lock."""
        self._lock.notify_all()
        if not self._threads:
            thread = threading.Thread(target=self._work, name="wgpt-engine", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _work(self) -> None:
        while True:
            with self._lock:
                if self._stopping.is_set() or self._is_idle():
                    self._threads.clear()
                    self._lock.notify_all()
                    return
                inbox = [self._inbox.popleft() for _ in range(len(self._inbox))]
            try:
                self._turn(inbox)
            except BaseException as error:
                self._fail(error)

    def _is_idle(self) -> bool:
        held = self._paused and not (self.scheduler.running or self.scheduler.prefilling)
        return not self._inbox and not self._flight and (bool(held) or self.scheduler.idle)

    def _turn(self, inbox: Sequenced[tuple[str, Sequence]]) -> None:
        for what, sequence in inbox:
            if what == "add":
                self.scheduler.add(sequence)
            elif sequence in self._requests:
                sequence.finish("cancelled")
                self._end(sequence)
        while len(self._flight) < self._ahead:
            work = self.scheduler.next(admit=not self._paused)
            if work is None:
                break
            self._submit(work)
        if self._flight:
            self._read(self._flight.popleft())
        self._overflow()

    def _submit(self, work: Prefill | Step) -> None:
        before, began = self.runner.compile_seconds, time.perf_counter()
        pending, rows = self._prefill(work) if isinstance(work, Prefill) else self._step(work)
        compiled = self.runner.compile_seconds - before
        if compiled:
            for sequence in self._requests:
                sequence.compile_s += compiled
        self._flight.append(_Flight(work, pending, rows, began + compiled))

    def _prefill(self, work: Prefill) -> tuple[Pending, int]:
        tokens, starts, loras = {}, {}, {}
        for sequence, first, count in work.parts:
            slot = self._place(sequence)
            loras[slot] = 0 if sequence.lora is None else sequence.lora.index
            tokens[slot], starts[slot] = sequence.context[first : first + count], first
            if sequence.stage is Stage.RUNNING:
                self.runner.start(sequence)
        most = self.scheduler.limits.chunk
        fixed = {"rows": lambda _: most, "tile": TILE} if self.runner.deterministic else {"rows": bucket}
        (chunk,) = chunks(tokens, starts, most, **fixed)
        return self.runner.prefill(chunk, loras), chunk.m

    def _step(self, work: Step) -> tuple[Pending, int]:
        for sequence in work.rows:
            if sequence.placed is None:  # nothing had to be prefilled
                self._place(sequence)
                self.runner.start(sequence)
            self._place(sequence)
        slots = [sequence.slot for sequence in work.rows if sequence.slot is not None]
        longest = max(sequence.next for sequence in work.rows)
        return self.runner.step(slots, longest, Mode.of(work.rows)), len(slots)

    def _place(self, sequence: Sequence) -> int:
        """Tell the GPU of new pages."""
        assert sequence.slot is not None
        known = sequence.placed or 0
        if len(sequence.pages) > known:
            self.runner.slots.set_pages(sequence.slot, known, sequence.pages[known:])
        sequence.placed = len(sequence.pages)
        return sequence.slot

    def _read(self, flight: _Flight) -> None:
        result = flight.pending.result()
        now = time.perf_counter()
        if isinstance(flight.work, Prefill):
            self.scheduler.timed(flight.rows, now - max(self._last_result, flight.began))
            for sequence, first, count in flight.work.parts:
                request = self._requests.get(sequence)
                if request is not None:
                    request._has_read(first + count, sequence.to_fill)
        else:
            for row, sequence in enumerate(flight.work.rows):
                sequence.in_flight -= 1
                if sequence in self._requests:
                    self._accept(sequence, row, result, now)
        self._last_result, self._last_step = now, time.monotonic()

    def _accept(self, sequence: Sequence, row: int, result: dict[str, NDArray[Any]], now: float) -> None:
        token = int(result["tokens"][row])
        if token == NO_TOKEN:
            self._end(sequence, _nan_error(sequence))
            return
        top = sequence.options.logprobs
        if top is not None:
            completion = sequence.completion
            completion.logprobs.append(float(result["chosen"][row]))
            likely = zip(result["ids"][row, :top].tolist(), result["values"][row, :top].tolist(), strict=True)
            completion.top_logprobs.append(dict(likely))
        text = sequence.accept(token, now - self._began[sequence])
        self._requests[sequence]._put(text)
        if sequence.completion.reason:
            self._end(sequence)
        elif sequence.stage is Stage.RUNNING:
            self.scheduler.link(sequence)

    def _overflow(self) -> None:
        """Where the context is full: stop, or keep the newer half and continue."""
        for sequence in [s for s in self.scheduler.running if s.full_at(self.context)]:
            if sequence.options.overflow == "refuse":
                self._requests[sequence]._put(sequence.finish("context"))
                self._end(sequence)
            else:
                self.scheduler.preempt(sequence)
                sequence.dropped = len(sequence.tokens) - max(1, self.context // 2)

    def _end(self, sequence: Sequence, error: BaseException | None = None) -> None:
        self.scheduler.remove(sequence, keep=error is None)
        with self._lock:
            request = self._requests.pop(sequence)
            self._began.pop(sequence)
        request._end(error)

    def _fail(self, error: BaseException) -> None:
        """An error hit what was on the GPU. What waits goes on, unless the GPU is lost."""
        self._flight.clear()
        if isinstance(error, AllocationError):
            self.runner.forget_programs()
        lost = isinstance(error, DeviceLostError) or self.device.closed or not isinstance(error, WgptError)
        if lost:
            self._dead = str(error) or type(error).__name__
            self._end_all(error)
            return
        for sequence in [*self.scheduler.running, *self.scheduler.prefilling]:
            sequence.in_flight = 0
            self._end(sequence, error)
        for sequence in self.scheduler.waiting:
            sequence.in_flight = 0  # of a preempted one, whose last tokens are lost: they are drawn again
        self.pages.forget()  # those of sequences that ended before their last chunk ran

    def _end_all(self, error: BaseException) -> None:
        with self._lock:
            self._inbox.clear()
            sequences = list(self._requests)
        for sequence in sequences:
            self._end(sequence, error)

    def __repr__(self) -> str:
        tokens = self.pages.usable * PAGE
        return f"Engine({tokens} tokens of KV cache, {readable_bytes(self.nbytes)}, context {self.context})"


def _nan_error(sequence: Sequence) -> WgptError:
    cause = "the LoRA adapter's factors" if sequence.lora else "the driver (run `wgpt verify`)"
    return WgptError(
        f"generation stopped at token {sequence.drawn + 1}: the logits contain NaN or Inf; check {cause}"
    )


def _stop(stopping: threading.Event, threads: list[threading.Thread]) -> None:
    """End the thread after what it is doing now."""
    stopping.set()
    for thread in list(threads):
        if thread is not threading.current_thread():
            thread.join()
