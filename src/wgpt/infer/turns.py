"""Turn-taking for a model: calls from several threads run one after the other."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ..gpu import forks

ABANDONED_SECONDS = 60.0  # a stream that has not been read for this long gives way to other threads
_NAP_SECONDS = 0.005  # polling interval for another thread's stream, which may end in the garbage collector


class Reservation:
    """A stream's hold on the model, from its first piece to its last."""

    def __init__(self) -> None:
        self.ended = False
        self.begun = False
        self._thread = threading.current_thread()
        self._last = 0.0

    def touch(self) -> None:
        self._thread, self._last = threading.current_thread(), time.monotonic()

    @property
    def is_abandoned(self) -> bool:
        """Whether the caller need not wait for it; its own thread must not, or it would wait forever."""
        own = self._thread is threading.current_thread() or not self._thread.is_alive()
        return self.ended or own or time.monotonic() - self._last > ABANDONED_SECONDS


class Turns:
    """One lock for all use of a model, and a reservation for the stream that is being read.

    `call` is for operations that do not disturb a half-read stream, `exclusive` for those that do: it waits until the
    streams of other threads have ended. A stream of the caller's own thread, or an abandoned one, raises an error when
    it is read again.
    """

    def __init__(self) -> None:
        self.after_fork()
        forks.register(self)

    def after_fork(self) -> None:
        """Replace the lock by a free one: the thread that held it does not exist here."""
        self._lock = threading.RLock()
        self._reserved: Reservation | None = None

    @contextmanager
    def call(self) -> Iterator[None]:
        with self._lock:
            yield

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        while True:
            with self._lock:
                if self._is_free():
                    self._reserved = None
                    yield
                    return
            time.sleep(_NAP_SECONDS)

    @contextmanager
    def piece(self, reservation: Reservation) -> Iterator[None]:
        """Hold the lock for the next piece of a stream; the first piece waits for its turn."""
        while True:
            with self._lock:
                if reservation.begun or self._is_free():
                    if not reservation.begun:
                        self._reserved, reservation.begun = reservation, True
                    reservation.touch()
                    try:
                        yield
                    finally:
                        reservation.touch()
                    return
            time.sleep(_NAP_SECONDS)

    def _is_free(self) -> bool:
        return self._reserved is None or self._reserved.is_abandoned
