"""Which requests an engine takes, and in which order."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator

from .errors import EngineError, QueueFullError

_PRIORITY_SECONDS = 10.0  # by which a request with priority 1 is treated as if it had arrived later


class Admission:
    """`dead`: why the engine takes no more requests."""

    def __init__(self, max_queue: int | None) -> None:
        self._max_queue, self.dead = max_queue, ""
        self._numbers = itertools.count()

    def orders(self, priority: int) -> Iterator[tuple[float, int]]:
        """The places in the queue of requests that arrive now: smaller ones go first."""
        arrival = time.monotonic() + _PRIORITY_SECONDS * priority
        return ((arrival, number) for number in self._numbers)

    def check(self, waiting: int, more: int) -> None:
        """Refuse more requests beside those that wait. The caller has the engine's lock."""
        if self.dead:
            raise EngineError(self.dead)
        if self._max_queue is not None and waiting + more > self._max_queue:
            raise QueueFullError(f"{waiting} requests are waiting, and max_queue is {self._max_queue}: try later")

    def stop(self, error: BaseException | str) -> None:
        self.dead = self.dead or str(error) or type(error).__name__
