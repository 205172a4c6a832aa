"""Whether a request's client is still connected."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress


class ClientGone(Exception):
    """The client has closed the connection, so no response is needed."""


class Presence:
    """A state that is asked, because an event can be lost: Python 3.11's `asyncio.wait_for` swallows a cancellation
    that arrives when what it waits for is done.

    presence.check()                            # before work begins; raises ClientGone
    presence.when_gone(generation.cancel)       # while it runs; called at once if the client has already left
    """

    def __init__(self) -> None:
        self._gone = asyncio.Event()
        self._work: list[Callable[[], None]] = []

    @property
    def gone(self) -> bool:
        return self._gone.is_set()

    def leave(self) -> None:
        """Note that the client has disconnected, or is dropped."""
        self._gone.set()
        work, self._work = self._work, []
        for each in work:
            each()

    def when_gone(self, work: Callable[[], None]) -> None:
        if self.gone:
            work()
        else:
            self._work.append(work)

    def check(self) -> None:
        if self.gone:
            raise ClientGone

    async def wait(self) -> None:
        """Wait until the client disconnects."""
        await self._gone.wait()

    async def leaves_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._gone.wait()
        return self.gone
