"""Work that a thread or asyncio task has recorded but not yet submitted.

Other threads do not see it. Everything that uses the queue flushes it first, so that work is done in program order.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Protocol


class Deferred(Protocol):
    """The deferred work of one thread or task: at most for one device at a time."""

    @property
    def device(self) -> object | None: ...

    def flush(self) -> None:
        """Submit the deferred work, if any. May be called again while it runs."""
        ...


current: ContextVar[Deferred | None] = ContextVar("wgpt_deferred", default=None)


def flush_deferred(device: object) -> None:
    """Submit what the calling thread or task has deferred for this device."""
    deferred = current.get()
    if deferred is not None and deferred.device is device:
        deferred.flush()
