"""A job that runs in the engine, seen from the HTTP process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable

from .errors import ApiError
from .metrics import EngineMetrics
from .wire import End, Job, Update


class Generation:
    """Iterate for what comes, as lists of updates; after the last sequence has ended, the iteration does.

    Raises ApiError if the engine stops (503), or if a sequence fails; the others are cancelled then. What came before
    the error is delivered first. Updates wait here until they are read, so a slow reader gets longer lists.

    generation = await server.engine.submit(job)
    async for updates in generation:
        for update in updates:
            ...                                     # update.index, .text, .ids, .end
    """

    def __init__(self, job: Job, cancel: Callable[[], None], metrics: EngineMetrics, model: str) -> None:
        self.job, self.model = job, model
        self.ends: dict[int, End] = {}  # how each finished sequence ended
        self.waiting_tokens = 0  # tokens that have not been read
        self.tokens, self.first_s = 0, 0.0  # tokens received, and when the first one was
        self.began = time.monotonic()
        self._cancel, self._metrics = cancel, metrics
        self._left = len(job.prompts) * job.n
        self._updates: list[Update] = []
        self._error: ApiError | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._last: dict[int, float] = {}  # when the newest token of each sequence came
        self._done = False

    def cancel(self) -> None:
        """Stop generating, whatever the state. Does nothing after the end."""
        if not self._done:
            self._cancel()

    @property
    def left(self) -> int:
        """How many sequences have not ended."""
        return self._left

    @property
    def done(self) -> bool:
        return self._done

    def __aiter__(self) -> AsyncIterator[list[Update]]:
        return self

    async def __anext__(self) -> list[Update]:
        while not self._updates:
            if self._error is not None:
                raise self._error
            if self._done:
                raise StopAsyncIteration
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        updates, self._updates, self.waiting_tokens = self._updates, [], 0
        return updates

    # From the engine ----------------------------------------------------------------------------------------

    def put(self, update: Update) -> bool:
        """Add an update; returns whether it was the last."""
        self._updates.append(update)
        self.waiting_tokens += len(update.ids)
        self.tokens += len(update.ids)
        if self.job.stream and update.ids:
            now = time.monotonic()
            self.first_s = self.first_s or now - self.began
            last = self._last.get(update.index)
            if last is not None:
                self._metrics.token_gap(now - last, len(update.ids))
            self._last[update.index] = now
        end = update.end
        if end is not None:
            self.ends[update.index] = end
            self._left -= 1
            self._metrics.ended(self.model, self.job, end)
            if end.error and self._error is None:
                self._error = ApiError(end.status or 500, end.error)
                self.cancel()
        self._done = self._left == 0
        self._wake()
        return self._done

    def fail(self, error: ApiError) -> None:
        if not self._done:
            self._done, self._error = True, error
            self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
