"""A thread that closes and submits commands while the next ones are recorded.

For a small model, recording a step and closing it each take the host about a third of the GPU's time for the step, on a
slow host two thirds. One after the other they delay the GPU; in parallel they do not. Two threads use more CPU time
than one, so this is done only where results are awaited while the next step is submitted.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Literal, Protocol

from ..core.errors import WgptError

_LEAST = 48  # dispatches: submitting fewer takes less time than waking another thread
_MOST = 4  # submits that may be queued for the thread

When = Literal["always", "pipelined", "busy", "never"]  # "busy": only if the thread is working anyway
Job = Callable[[], object]
# A SimpleQueue is reentrant: buffers may be dropped during `put`. An executor's locks are not.
_Jobs = SimpleQueue[tuple[Future[None], Job] | None]


class Awaited(Protocol):
    """Results in progress."""

    @property
    def collected(self) -> bool: ...


def when(dispatches: int, software: bool) -> When:
    """When to use the thread for this number of dispatches: a software driver needs the cores itself."""
    setting = os.environ.get("WGPT_SUBMIT_THREAD", "")
    if setting in ("0", "1"):
        return "always" if setting == "1" else "never"
    if software:
        return "never"
    return "busy" if dispatches < _LEAST else "pipelined"


class Submitter:
    """Runs jobs in the order they were queued. Code that uses the queue directly calls `settle` first."""

    def __init__(self) -> None:
        self._jobs: _Jobs = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._waiting: deque[Future[None]] = deque()
        self._later: deque[Job] = deque()
        self._failed: WgptError | None = None
        self._newest: Callable[[], Awaited | None] = lambda: None
        self._clock = [0.0]
        self._ending: Callable[[], object] | None = None

    @property
    def cpu_seconds(self) -> float:
        """CPU time of the thread so far."""
        return self._clock[0]

    def takes(self, mode: When, pending: Awaited | None) -> bool:
        """Whether to use the thread for a replay: only if the previous result is still awaited."""
        before = self._newest()
        if pending is not None:
            self._newest = weakref.ref(pending)
        if mode == "busy":  # waiting for the end takes longer than queueing
            return bool(self._waiting) and not self._waiting[-1].done()
        return mode == "always" or (mode == "pipelined" and before is not None and not before.collected)

    def hand_over(self, job: Job, *, submits: bool = True) -> Future[None]:
        """Queue a job. Only one caller at a time: the one that holds the device's lock.

        `submits`: whether the job uses WebGPU's queue; nobody else needs to wait for one that does not.
        """
        if self._thread is None:
            self._thread = threading.Thread(
                target=_work, args=(self._jobs, self._clock), name="wgpt-submit", daemon=True
            )
            self._thread.start()
            self._ending = weakref.finalize(self, _end, self._jobs, self._thread)
        while self._waiting and (len(self._waiting) >= _MOST or self._waiting[0].done()):
            self._waiting.popleft().exception()  # waits
        future: Future[None] = Future()
        self._jobs.put((future, job))  # first: Ctrl-C in between must not leave a future that is never completed
        if submits:
            self._waiting.append(future)
        return future

    def settle(self) -> None:
        """Wait until all queued jobs are submitted. Their errors are raised elsewhere."""
        if self._waiting and threading.current_thread() is not self._thread:
            later = [self._later.popleft() for _ in range(len(self._later))]
            for future in tuple(self._waiting):
                future.exception()
            for job in later:
                job()

    def after_all(self, job: Job) -> None:
        """Call this when all queued jobs are submitted; the thread itself cannot wait for that."""
        if threading.current_thread() is self._thread:
            self._later.append(job)
        else:
            self.settle()
            job()

    def note(self, error: WgptError) -> None:
        """Keep an error of work that nobody awaits, until the next `check`."""
        self._failed = error

    def check(self) -> None:
        failed, self._failed = self._failed, None
        if failed is not None:
            raise failed

    def close(self) -> None:
        if self._ending is not None:
            self._ending()


def _work(jobs: _Jobs, clock: list[float]) -> None:
    while (item := jobs.get()) is not None:
        future, job = item
        before, error = time.thread_time(), None
        try:
            job()
        except BaseException as failure:
            error = failure
        clock[0] += time.thread_time() - before  # before anybody learns that the job is done
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)
        del item, future, job, error  # do not keep the last job's objects alive until the next one


def _end(jobs: _Jobs, thread: threading.Thread) -> None:
    jobs.put(None)
    if thread is not threading.current_thread():
        thread.join()
