"""A thread that finishes and submits commands while the next ones are recorded.

For a small model, recording a step and finishing it each take the host about a third of the time that the step takes
the GPU, and a slow host twice that. In turns they hold the GPU up; side by side they do not. Two threads take more of
the CPU than one, so it is done where results are awaited while the next step is submitted, and nowhere else.
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

_LEAST = 48  # dispatches: fewer are submitted sooner than another thread wakes up
_MOST = 4  # submits that may wait for the thread

When = Literal["always", "pipelined", "busy", "never"]  # "busy": only if the thread has something to do anyway
Job = Callable[[], object]
# A SimpleQueue, for buffers may be dropped while one is put into it, and an executor's locks would not bear that.
_Jobs = SimpleQueue[tuple[Future[None], Job] | None]


class Awaited(Protocol):
    """Results under way."""

    @property
    def collected(self) -> bool: ...


def when(dispatches: int, software: bool) -> When:
    """Whether to hand this number of dispatches to the thread: a software driver needs the cores itself."""
    setting = os.environ.get("WGPT_SUBMIT_THREAD", "")
    if setting in ("0", "1"):
        return "always" if setting == "1" else "never"
    if software:
        return "never"
    return "busy" if dispatches < _LEAST else "pipelined"


class Submitter:
    """Jobs in the order they are handed over. Whoever uses the queue directly calls `settle` first."""

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
        """What the thread took of the CPU so far."""
        return self._clock[0]

    def takes(self, mode: When, pending: Awaited | None) -> bool:
        """Whether a replay is one for the thread: is the result of the one before still awaited?"""
        before = self._newest()
        if pending is not None:
            self._newest = weakref.ref(pending)
        if mode == "busy":  # waiting until it is done takes longer than handing over
            return bool(self._waiting) and not self._waiting[-1].done()
        return mode == "always" or (mode == "pipelined" and before is not None and not before.collected)

    def hand_over(self, job: Job, *, submits: bool = True) -> Future[None]:
        """Have a job done after those before it. One caller at a time: it holds the device's lock.

        `submits`: whether it uses the queue; nobody else needs to wait for one that does not.
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
        self._jobs.put((future, job))  # first: Ctrl-C in between must not leave a future that nobody completes
        if submits:
            self._waiting.append(future)
        return future

    def settle(self) -> None:
        """Wait until all that was handed over is submitted. What went wrong is raised elsewhere."""
        if self._waiting and threading.current_thread() is not self._thread:
            later = [self._later.popleft() for _ in range(len(self._later))]
            for future in tuple(self._waiting):
                future.exception()
            for job in later:
                job()

    def after_all(self, job: Job) -> None:
        """Do this when everything that was handed over is submitted; the thread cannot wait for itself."""
        if threading.current_thread() is self._thread:
            self._later.append(job)
        else:
            self.settle()
            job()

    def note(self, error: WgptError) -> None:
        """Keep what went wrong with work that nobody waits for, until the next `check`."""
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
        clock[0] += time.thread_time() - before  # before anybody learns that it is done
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)
        del item, future, job, error  # they are not to live until the next one comes


def _end(jobs: _Jobs, thread: threading.Thread) -> None:
    jobs.put(None)
    if thread is not threading.current_thread():
        thread.join()
