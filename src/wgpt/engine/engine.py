"""The engine: a thread that keeps the GPU busy with the requests of all callers."""

from __future__ import annotations

import time
import weakref
from collections import deque
from collections.abc import Callable
from collections.abc import Sequence as Sequenced
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from ..core.errors import WgptError
from ..core.progress import Progress
from ..core.sizes import PAGE, readable_bytes
from ..formats.tokenizer import Tokenizer
from ..gpu import AllocationError, DeviceLostError, forks
from ..models.network import AnyNetwork
from ..ops.backend import Kernels
from .admission import Admission
from .base_request import BaseRequest
from .check_guesses import check_guesses
from .chunk_sizes import chunk_of_uploads, engine_chunk
from .completion import CANCELLED
from .draft import DraftModel
from .errors import ContextError, EngineError, check_length
from .grammar import Grammar, Matcher, started
from .health import Health
from .loop import Loop
from .loras import Loras, Placed
from .memory import most_states, opened
from .options import Options
from .pages import Pages
from .reading import Embedded, Embedding, Reading, ReadRequest, Score, Scored
from .request import Request
from .runner import FIXED_ROWS
from .runner_protocol import RunnerProtocol
from .scheduler import Limits, Scheduler
from .sequence import Sequence, Stage
from .snapshots import Snapshots
from .worker import Worker

_FIXED_CHUNK = 128  # rows, if results must not depend on the other rows
T = TypeVar("T")
MAX_BATCH = 128  # sequences that run at once, by default


class Engine:
    """Takes requests from any thread. Its own thread sleeps while there is nothing to do."""

    def __init__(
        self,
        network: AnyNetwork,
        tokenizer: Tokenizer | None,
        *,
        context: int | None = None,
        cache: str = "f16",
        cache_bytes: int | None = None,
        max_batch: int = MAX_BATCH,
        max_queue: int | None = None,
        max_stall: float = 0.04,
        deterministic: bool = False,
        speculation: str | None = None,
        draft: DraftModel | None = None,
        kernels: str | Kernels = "wgsl",
        precision: str = "fast",
        loras: Loras | None = None,
        on_turn: Callable[[], None] | None = None,
    ) -> None:
        network.check_generates()
        check_guesses(network, tokenizer, speculation, draft, deterministic)
        max_batch = min(max_batch, FIXED_ROWS) if deterministic else max_batch
        max_batch = min(max_batch, most_states(network.config, network.device))
        self._loras, self._on_turn = loras, on_turn
        self._blocks = network.device.software  # such a driver computes within the submit
        self.network, self.tokenizer, self.device = network, tokenizer, network.device
        self.context = context or network.config.context
        self.runner: RunnerProtocol[Any] = opened(
            network,
            cache_bytes,
            capacity=self.context,
            cache=cache,
            slots=max_batch,
            kernels=kernels,
            precision=precision,
            deterministic=deterministic,
            loras=loras,
            speculation=speculation is not None,
            draft=draft,
        )
        snapshots = Snapshots(self.runner.snapshots) if self.runner.snapshots else None
        self.pages = Pages(self.runner.cache.pages, snapshots)
        chunk = _FIXED_CHUNK if deterministic else self._chunk()
        sizes, share = (max_batch, self.context, chunk), snapshots is not None or not network.config.states
        limits = Limits(*sizes, max_stall, deterministic, share, self.runner.groups)
        self.scheduler = Scheduler(self.pages, limits)
        self._loop = Loop(self.runner, self.scheduler)
        self._sequences: dict[BaseRequest[Any], Sequence] = {}  # that have not ended
        self._admission = Admission(max_queue)
        self._closed = False
        self._after_fork_state()
        forks.register(self)
        weakref.finalize(self, self._worker.stop)

    def _after_fork_state(self) -> None:
        self._inbox: list[tuple[str, Sequence]] = []
        self._taken: list[tuple[str, Sequence]] = []  # by the thread, for its turn
        self._preparing = deque[Future[None]]()  # for callers of `prepare`
        self._worker = Worker("wgpt-engine", self._take, self._turn)
        self._lock = self._worker.lock

    def after_fork(self) -> None:
        """The thread does not exist here, and the GPU cannot be used."""
        self._after_fork_state()

    def _chunk(self) -> int:
        config = self.network.config
        chunk = min(engine_chunk(config, device) for device in self.network.devices)
        return chunk_of_uploads(config, self.device, chunk) if self.network.uploads else chunk

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
        return self.submit_all([(row, prompt)], options, lora=lora, priority=priority, progress=progress)[0]

    def submit_all(
        self,
        prompts: Sequenced[tuple[int, Sequenced[int]]],
        options: Options,
        *,
        lora: int = 0,
        priority: int = 0,
        progress: Progress | None = None,
    ) -> list[Request]:
        """The same for rows and their prompts. They begin together, so that the first step has all of them."""
        forks.check()
        for _, prompt in prompts:
            self.check(prompt, options)
        placed, orders = self._placed(lora), self._admission.orders(priority)
        sequences = [
            Sequence(
                prompt,
                options,
                self.tokenizer,
                row=row,
                lora=placed,
                matcher=None if options.grammar is None else self._matcher(options.grammar),
                order=next(orders),
            )
            for row, prompt in prompts
        ]
        requests = [Request(self, sequence.completion, progress) for sequence in sequences]
        self._enqueue(sequences, requests)
        return requests

    def score(
        self,
        prompts: Sequenced[Sequenced[int]],
        *,
        first: Sequenced[int] = (),
        top: int = 0,
        lora: int = 0,
        priority: int = 0,
        progress: Progress | None = None,
        cache_salt: str | None = None,
    ) -> list[ReadRequest[Score]]:
        """Ask for the log-probabilities of the tokens of each text: see Scored. `first`: of each; 1 by default."""
        placed, orders = self._placed(lora), self._admission.orders(priority)
        texts = zip(prompts, first or [1] * len(prompts), strict=True)
        made = [Scored(ids, placed, next(orders), cache_salt, first=at, top=top) for ids, at in texts]
        return self._read(made, progress)

    def embed(
        self,
        prompts: Sequenced[Sequenced[int]],
        *,
        pooling: str = "mean",
        normalise: bool = True,
        lora: int = 0,
        priority: int = 0,
        progress: Progress | None = None,
        cache_salt: str | None = None,
    ) -> list[ReadRequest[Embedding]]:
        """Ask for each text as one vector: see Embedded."""
        placed, orders = self._placed(lora), self._admission.orders(priority)
        made = [
            Embedded(ids, placed, next(orders), cache_salt, pooling=pooling, normalise=normalise) for ids in prompts
        ]
        return self._read(made, progress)

    def _read(self, readings: Sequenced[Reading[T]], progress: Progress | None) -> list[ReadRequest[T]]:
        forks.check()
        for reading in readings:
            self._check_prompt(reading.tokens)
            self._check_pages(len(reading.tokens), f"{len(reading.tokens)} tokens")
            if self.runner.rounds:
                reading.be_exact()
        requests = [ReadRequest[T](self, progress) for _ in readings]
        self._enqueue(readings, requests)
        return requests

    def _placed(self, lora: int) -> Placed | None:
        return self._loras.placed(lora) if self._loras is not None and lora else None

    def _enqueue(self, sequences: Sequenced[Sequence], requests: Sequenced[BaseRequest[Any]]) -> None:
        with self._lock:
            self._admission.check(len(self.scheduler.waiting) + len(self._inbox), len(sequences))
            if not self._sequences:
                self._loop.last_step = time.monotonic()  # it had nothing to do before
            began = time.perf_counter()
            for sequence, request in zip(sequences, requests, strict=True):
                sequence.enqueue(request, began)
                self._sequences[request] = sequence
                self._inbox.append(("add", sequence))
            self._worker.wake()

    def check(self, prompt: Sequenced[int], options: Options) -> None:
        """Refuse what can never run."""
        self._check_prompt(prompt)
        eos = frozenset[int]() if self.tokenizer is None else frozenset(self.tokenizer.eos_ids)
        options.check_vocabulary(self.network.config.vocab, eos)
        options.check_deterministic(self.runner.deterministic)
        tokens = min(self.context, len(prompt) + options.max_tokens - 1)
        self._check_pages(tokens, f"{len(prompt)} prompt tokens and {options.max_tokens} new ones")

    def _check_prompt(self, prompt: Sequenced[int]) -> None:
        if not prompt:
            raise ContextError("the prompt is empty: at least one token is required")
        check_length(len(prompt), self.context)

    def holds(self, tokens: int) -> bool:
        """Whether the KV cache has room for a sequence of this length."""
        return tokens <= self.pages.usable * PAGE

    @property
    def busy(self) -> bool:
        """Whether there are requests that have not ended."""
        return bool(self._sequences)

    def _check_pages(self, tokens: int, named: str) -> None:
        if not self.holds(tokens):
            raise ContextError(
                f"{named} need {tokens} positions, but the KV cache has {self.pages.usable * PAGE} "
                f"({readable_bytes(self.runner.cache.nbytes)}): use fewer tokens, or a larger cache (cache_bytes, "
                "--cache-memory)",
                tokens,
                self.pages.usable * PAGE,
            )

    def _matcher(self, grammar: Grammar) -> Matcher:
        if self.tokenizer is None:
            raise WgptError("grammar needs a tokenizer, and this model has none")
        return started(grammar, self.tokenizer, self.network.config.vocab)

    def cancel(self, request: BaseRequest[Any]) -> None:
        with self._lock:
            sequence = self._sequences.get(request)
            if sequence is not None:
                self._inbox.append(("cancel", sequence))
                self._worker.wake()

    @property
    def compiling(self) -> bool:
        """Whether work waits for kernels to be compiled."""
        return self.runner.compiling

    @property
    def health(self) -> Health:
        s, dead = self.scheduler, self._admission.dead
        age = time.monotonic() - self._loop.last_step if self._sequences else 0.0
        running = len(s.running) + len(s.prefilling)
        waiting = len(s.waiting) + len(self._inbox)
        guesses = self.runner.speculation
        return Health(
            not dead,
            running,
            waiting,
            age,
            self.pages.used,
            self.pages.usable,
            s.preemptions,
            dead,
            0 if guesses is None else guesses.drafted,
            0 if guesses is None else guesses.accepted,
            self.compiling,
            self._loop.longest_step,
        )

    @property
    def nbytes(self) -> int:
        """GPU memory, without the weights."""
        return 0 if self._closed else self.runner.nbytes

    def forget(self) -> None:
        """Forget what is kept of earlier prompts, for example because the weights have changed."""
        if self._closed:
            return
        with self.paused():
            self.pages.forget()

    def prepare(self) -> None:
        """Record in advance, between the requests that run, what later ones would wait for."""
        done = Future[None]()
        with self._lock:
            if self._closed or self._admission.dead:
                return
            self._preparing.append(done)
            self._worker.wake()
        done.result()

    def paused(self, lora: int = 0) -> AbstractContextManager[None]:
        """Let the requests that run finish, and let others wait until the end of the block.

        `lora`: the id of an adapter; requests with it that wait finish first, too.
        """
        return self._worker.paused(
            lambda: self._loop.busy,
            lambda: lora > 0 and any(sequence.lora_id == lora for sequence in self._sequences.values()),
        )

    def close(self, reason: str = "the engine was closed") -> None:
        """End all requests and free the GPU memory."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._admission.stop(reason)
        self._worker.stop()
        for done in self._preparing:
            done.set_exception(EngineError(reason))
        if not self.device.forked:
            self._end_all(EngineError(reason))
            self.runner.release()

    # The thread ---------------------------------------------------------------------------------------------

    def _take(self) -> bool:
        self._taken, self._inbox = self._inbox, []
        waiting = self.scheduler.waiting and not self._worker.is_paused
        return bool(self._taken or self._preparing or self._loop.busy or waiting)

    def _turn(self) -> None:
        try:
            self._step()
        except BaseException as error:
            self._fail(error)
        if self._on_turn is not None and (self._blocks or not self._loop.busy):
            self._on_turn()

    def _step(self) -> None:
        while self._preparing:
            done = self._preparing.popleft()
            try:
                self.runner.prepare(self.scheduler.limits.chunk)
            except BaseException as error:
                done.set_exception(error)
            else:
                done.set_result(None)
        for what, sequence in self._taken:
            if what == "add":
                self.scheduler.add(sequence)
            elif sequence.stage is not Stage.ENDED:
                sequence.request._put(sequence.finish(CANCELLED))
                self._loop.end(sequence)
        self._end_requests()
        # Between the submits and the wait for a result, the GPU is busy. Before the submits, it may wait for them:
        # with a grammar, nothing is under way while the host chooses what comes next.
        submitted = None if self._blocks else self._on_turn
        self._loop.turn(not self._worker.is_paused, self._worker.stopping.is_set, submitted)
        self._end_requests()

    def _end_requests(self) -> None:
        """Of the sequences that have ended."""
        while self._loop.ended:
            sequence, error = self._loop.ended.popleft()
            with self._lock:
                self._sequences.pop(sequence.request, None)
            sequence.request._end(error)

    def _fail(self, error: BaseException) -> None:
        """An error hit what was on the GPU. What waits goes on, unless the GPU is lost."""
        self._loop.fail(error)
        self._end_requests()
        if isinstance(error, AllocationError):
            self.runner.forget_programs()
        if isinstance(error, DeviceLostError) or any(device.closed for device in self.network.devices):
            self._admission.stop(error)
            self._end_all(error)

    def _end_all(self, error: BaseException) -> None:
        with self._lock:
            self._inbox.clear()
            sequences = list(self._sequences.values())
        for sequence in sequences:
            self._loop.end(sequence, error)
        self._end_requests()

    def __repr__(self) -> str:
        tokens = self.pages.usable * PAGE
        size = readable_bytes(self.nbytes)
        states = ""
        if self.network.config.states:
            kept = f"{self.runner.snapshots} kept" if self.runner.snapshots else "no prefix cache"
            states = f", states of {self.scheduler.limits.slots} sequences, {kept}"
        return f"Engine({tokens} tokens of KV cache{states}, {size}, context {self.context})"
