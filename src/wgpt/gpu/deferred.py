"""Work that a thread (or an asyncio task) has recorded and not yet submitted; others do not see it.

Whoever uses the queue flushes it first, so that everything happens in program order.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Protocol


class Deferred(Protocol):
    """What is recorded for a device, if it is for one already."""

    @property
    def device(self) -> object | None: ...

    def flush(self) -> None:
        """Submit it, if there is any; it may be called while it is at work."""
        ...


current: ContextVar[Deferred | None] = ContextVar("wgpt_deferred", default=None)


def flush_deferred(device: object) -> None:
    """Submit what the caller's thread or task has recorded for this device."""
    deferred = current.get()
    if deferred is not None and deferred.device is device:
        deferred.flush()
