"""An encoder that takes texts from any thread: those that wait are encoded together."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..core.errors import PreconditionError
from ..core.progress import Progress
from ..core.sizes import readable_bytes
from ..gpu import AllocationError, DeviceLostError, forks
from ..models.network import Network
from ..ops.backend import Kernels
from .admission import Admission
from .base_request import BaseRequest
from .encoder import EncoderRunner, Text
from .engine import MAX_BATCH
from .errors import EngineError, RequestCancelledError
from .health import Health
from .reading import Embedding, ReadRequest
from .worker import Worker

_FORWARDS = 4  # that are computed before those who came meanwhile are looked at
# In place of a way of pooling: the scores of the classification head, and all hidden states.
SCORES, HIDDEN = "scores", "hidden"


@dataclass(frozen=True, eq=False)
class _Job:
    text: Text
    pooling: str  # or SCORES, HIDDEN
    normalise: bool
    request: ReadRequest[Any]
    order: tuple[float, int]

    def outcome(self, row: NDArray[np.floating]) -> Any:
        if self.pooling in (SCORES, HIDDEN):
            return np.asarray(row, np.float32)
        if self.normalise:
            row = row / max(float(np.linalg.norm(row)), np.finfo(np.float64).tiny)
        return Embedding(np.asarray(row, np.float32), len(self.text))


class EncoderEngine:
    """The counterpart of Engine for models that do not generate. Its own thread runs while there is something to do."""

    def __init__(
        self,
        network: Network,
        *,
        context: int | None = None,
        max_batch: int = MAX_BATCH,
        max_queue: int | None = None,
        kernels: str | Kernels = "wgsl",
        on_turn: Callable[[], None] | None = None,
    ) -> None:
        self.network, self.device = network, network.device
        self.context = context or network.config.context
        self._max_batch, self._on_turn = max_batch, on_turn
        self.runner = EncoderRunner(network, kernels)
        self._admission = Admission(max_queue)
        self._closed = False
        self._last_step, self._longest_step = time.monotonic(), 0.0
        self._after_fork_state()
        forks.register(self)
        weakref.finalize(self, self._worker.stop)

    def _after_fork_state(self) -> None:
        self._waiting: list[_Job] = []
        self._running: list[_Job] = []
        self._worker = Worker("wgpt-encoder", self._take, self._turn)
        self._lock = self._worker.lock

    def after_fork(self) -> None:
        """The thread does not exist here, and the GPU cannot be used."""
        self._after_fork_state()

    # For callers ----------------------------------------------------------------------------------------------

    def embed(
        self,
        prompts: Sequence[Sequence[int]],
        *,
        pooling: str = "mean",
        normalise: bool = True,
        lora: int = 0,
        priority: int = 0,
        progress: Progress | None = None,
        cache_salt: str | None = None,
    ) -> list[ReadRequest[Embedding]]:
        """Ask for each text as one vector: the mean of its hidden states, the first ("cls") or the last one.

        Nothing is kept of a text, so there is nothing that a `cache_salt` would have to keep apart.
        """
        _check_lora(lora)
        return self._enqueue([Text(ids) for ids in prompts], pooling, normalise, priority, progress)

    def scores(
        self, texts: Sequence[Text], *, priority: int = 0, progress: Progress | None = None
    ) -> list[ReadRequest[NDArray[np.float32]]]:
        """Ask for the scores of the classification head, [labels] for each text."""
        return self._enqueue(texts, SCORES, False, priority, progress)

    def hidden(self, prompts: Sequence[Sequence[int]]) -> list[ReadRequest[NDArray[np.float32]]]:
        """Ask for the hidden states of each text, [tokens, hidden]."""
        return self._enqueue([Text(ids) for ids in prompts], HIDDEN, False, 0, None)

    def submit_all(self, *arguments: Any, **options: Any) -> NoReturn:
        self._refuse()

    def score(self, *arguments: Any, **options: Any) -> NoReturn:
        self._refuse()

    def _refuse(self) -> NoReturn:
        self.network.check_generates()
        raise AssertionError("an EncoderEngine has an encoder")

    def _enqueue(
        self, texts: Sequence[Text], pooling: str, normalise: bool, priority: int, progress: Progress | None
    ) -> list[ReadRequest[Any]]:
        forks.check()
        for text in texts:
            self.runner.check(text, self.context)
        requests = [ReadRequest[Any](self, progress) for _ in texts]
        with self._lock:
            self._admission.check(len(self._waiting), len(texts))
            if not self.busy:
                self._last_step = time.monotonic()  # it had nothing to do before
            orders = self._admission.orders(priority)
            for text, request in zip(texts, requests, strict=True):
                self._waiting.append(_Job(text, pooling, normalise, request, next(orders)))
            self._waiting.sort(key=lambda job: job.order)
            self._worker.wake()
        return requests

    def holds(self, tokens: int) -> bool:
        """Whether it takes a text of this length."""
        return tokens <= self.context

    @property
    def busy(self) -> bool:
        """Whether there are requests that have not ended."""
        return bool(self._waiting or self._running)

    compiling = False  # its requests do not say so

    def cancel(self, request: BaseRequest[Any]) -> None:
        """A text that is being encoded is encoded to the end."""
        with self._lock:
            left = [job for job in self._waiting if job.request is not request]
            found, self._waiting = len(left) < len(self._waiting), left
        if found:
            request._end(RequestCancelledError("the request was cancelled"))

    @property
    def health(self) -> Health:
        age = time.monotonic() - self._last_step if self.busy else 0.0
        running, waiting, dead = len(self._running), len(self._waiting), self._admission.dead
        return Health(not dead, running, waiting, age, 0, 0, 0, dead, longest_step=self._longest_step)

    @property
    def nbytes(self) -> int:
        """GPU memory, without the weights."""
        return 0 if self._closed else self.runner.nbytes

    def prepare(self) -> None:
        """There is nothing to prepare: no Program stands in for another one."""

    def forget(self) -> None:
        """There is nothing to forget: no text leaves anything behind."""

    def paused(self, lora: int = 0) -> AbstractContextManager[None]:
        """Let the requests that run finish, and let others wait until the end of the block."""
        return self._worker.paused(lambda: bool(self._running), lambda: False)

    def close(self, reason: str = "the engine was closed") -> None:
        """End all requests and free the GPU memory."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._admission.stop(reason)
            waiting, self._waiting = self._waiting, []
        self._worker.stop()
        for job in waiting:
            job.request._end(EngineError(reason))
        if not self.device.forked:
            self.runner.release()

    # The thread -----------------------------------------------------------------------------------------------

    def _take(self) -> bool:
        self._running = [] if self._worker.is_paused else self._next()
        self._waiting = self._waiting[len(self._running) :]
        return bool(self._running)

    def _turn(self) -> None:
        """Encode those that were taken."""
        began = time.monotonic()
        try:
            self._encode(self._running)
        except BaseException as error:
            self._fail(error)
        with self._lock:
            self._running, self._last_step = [], time.monotonic()
            self._longest_step = max(self._longest_step, self._last_step - began)
            self._lock.notify_all()
        if self._on_turn is not None:
            self._on_turn()

    def _next(self) -> list[_Job]:
        """The first of those who wait."""
        rows, jobs = 0, list[_Job]()
        for job in self._waiting:
            rows += len(job.text)
            if jobs and (rows > _FORWARDS * self.runner.most_rows or len(jobs) == _FORWARDS * self._max_batch):
                break
            jobs.append(job)
        return jobs

    def _encode(self, jobs: Sequence[_Job]) -> None:
        for pooling in dict.fromkeys(job.pooling for job in jobs):
            some = [job for job in jobs if job.pooling == pooling]
            texts = [job.text for job in some]
            rows = self._rows(texts, pooling)
            for job, row in zip(some, rows, strict=True):
                job.request._result = job.outcome(row)
                job.request._has_read(len(job.text), len(job.text))
                job.request._end()

    def _rows(self, texts: Sequence[Text], pooling: str) -> Sequence[NDArray[np.floating]]:
        if pooling == HIDDEN:
            return self.runner.hidden(texts)
        return list(self.runner.scores(texts) if pooling == SCORES else self.runner.pooled(texts, pooling))

    def _fail(self, error: BaseException) -> None:
        if isinstance(error, AllocationError):
            self.runner.forget_programs()
        jobs = [job for job in self._running if not job.request.done]
        if isinstance(error, DeviceLostError) or self.device.closed:
            with self._lock:
                self._admission.stop(error)
                jobs, self._waiting = [*jobs, *self._waiting], []
        for job in jobs:
            job.request._end(error)

    def __repr__(self) -> str:
        return f"EncoderEngine({self.network.config.family}, {readable_bytes(self.nbytes)}, context {self.context})"


def _check_lora(lora: int) -> None:
    if lora:
        raise PreconditionError("an encoder has no LoRA adapters: detach it")
