"""Turn-taking for a model: calls from several threads run one after the other."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ..gpu import forks


class Turns:
    """A lock, which is free in a forked child."""

    def __init__(self) -> None:
        self.after_fork()
        forks.register(self)

    def after_fork(self) -> None:
        """Replace the lock by a free one: the thread that held it does not exist here."""
        self._lock = threading.RLock()

    @contextmanager
    def call(self) -> Iterator[None]:
        with self._lock:
            yield
