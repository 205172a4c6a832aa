"""A thread that works when it is called and sleeps in between."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from weakref import WeakMethod

_Calls = SimpleQueue[bool]  # False: end


class Worker:
    """Its thread is started by the first call and kept: waking one takes a fifth of the time that starting one does.

    Asleep, it does not keep alive the object whose method it calls.
    """

    def __init__(self, work: Callable[[], None], name: str) -> None:
        self._work, self._name = WeakMethod(work), name
        self._calls: _Calls = SimpleQueue()
        self._thread: threading.Thread | None = None
        self.stopping = threading.Event()

    def call(self) -> None:
        """Have the method called once. One caller at a time."""
        if self._thread is None:
            self._thread = threading.Thread(target=_run, args=(self._calls, self._work), name=self._name, daemon=True)
            self._thread.start()
        self._calls.put(True)

    def stop(self) -> None:
        """End the thread after what it is doing now."""
        self.stopping.set()
        self._calls.put(False)
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()


def _run(calls: _Calls, work: WeakMethod[Callable[[], None]]) -> None:
    while calls.get():
        method = work()
        if method is None:
            return
        method()
        del method  # it holds the object
