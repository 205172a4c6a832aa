"""An engine's thread: it takes turns while there is work, and sleeps in between."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from weakref import WeakMethod

_Calls = SimpleQueue[bool]  # False: end


class Worker:
    """Its thread is started by the first call and kept: waking one takes a fifth of the time that starting one does.

    `take` is called under the lock and says whether there is work, of which `turn` does some. Asleep, the thread does
    not keep alive the object whose methods they are.
    """

    def __init__(self, name: str, take: Callable[[], bool], turn: Callable[[], None]) -> None:
        self.lock = threading.Condition()  # of all that callers and the thread share
        self.stopping = threading.Event()
        self._pauses, self._awake = 0, False
        self._take, self._turn, self._name = WeakMethod(take), WeakMethod(turn), name
        self._calls: _Calls = SimpleQueue()
        self._thread: threading.Thread | None = None

    @property
    def is_paused(self) -> bool:
        return self._pauses > 0

    def wake(self) -> None:
        """Wake the thread unless it works. The caller has the lock."""
        self.lock.notify_all()
        if self._awake:
            return
        self._awake = True
        if self._thread is None:
            self._thread = threading.Thread(target=_run, args=(self._calls, self), name=self._name, daemon=True)
            self._thread.start()
        self._calls.put(True)

    @contextmanager
    def paused(self, works: Callable[[], bool], waits: Callable[[], bool]) -> Iterator[None]:
        """A block without turns that begin something. First those end that `waits`, then all that `works`."""
        with self.lock:
            while waits():
                self.lock.wait(0.05)
            self._pauses += 1
            while self._awake and works():
                self.lock.wait(0.05)
        try:
            yield
        finally:
            with self.lock:
                self._pauses -= 1
                self.wake()

    def stop(self) -> None:
        """End the thread after what it is doing now."""
        self.stopping.set()
        self._calls.put(False)
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _has_work(self) -> bool:
        with self.lock:
            take = self._take()
            if take is not None and not self.stopping.is_set() and take():
                return True
            self._awake = False
            self.lock.notify_all()
            return False

    def run(self) -> None:
        """Take turns while there is work."""
        while self._has_work() and (turn := self._turn()) is not None:
            turn()
            del turn  # it holds the object


def _run(calls: _Calls, worker: Worker) -> None:
    while calls.get():
        worker.run()
