"""A request: what the caller of the engine holds while its text is generated."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from ..gpu import forks
from ..gpu.arguments import number_between
from ..gpu.webgpu.interrupts import raise_kept
from .completion import Completion
from .errors import RequestTimeoutError

_POLL_SECONDS = 0.2  # how often a waiting thread looks for Ctrl-C, where a lock does not wake up for it
Progress = Callable[[int, int, str], None]  # (done, total, description)


class Cancels(Protocol):
    """What a request needs of the engine."""

    def cancel(self, request: Request) -> None: ...


class Request:
    """Iterate for the text as it comes, or ask for the `result()`. Also in asyncio: `async for`, and `await`.

    >>> with wgpt.Engine(model) as engine:
    ...     request = engine.submit("The capital of France is", max_tokens=2)
    ...     print(request.result())
     Paris.
    """

    def __init__(self, engine: Cancels, completion: Completion, progress: Progress | None = None) -> None:
        self._engine, self.completion, self._progress = engine, completion, progress
        self._changed = threading.Condition()
        self._pieces: deque[str] = deque()
        self._read: tuple[int, int] | None = None  # of the prompt: tokens done, and all
        self._error: BaseException | None = None
        self._ended = False
        self._readers = 0  # that wait for the next piece of text; others wait for the end alone
        self._wakers: list[Callable[[], object]] = []

    @property
    def done(self) -> bool:
        """Whether it has ended: finished, cancelled or failed."""
        return self._ended

    def cancel(self) -> None:
        """Stop generating; the text so far stays in `completion`. It does nothing if the request has ended."""
        if not self._ended:
            self._engine.cancel(self)

    def wait(self) -> None:
        """Wait for the end, whatever it is."""
        self._wait(lambda: self._ended)

    def result(self, timeout: float | None = None) -> Completion:
        """Wait for the end. Raises TimeoutError after `timeout` seconds (the request goes on), or what went wrong."""
        if timeout is not None:
            timeout = number_between("timeout", timeout, 0, 1e9)
        self._wait(lambda: self._ended, timeout)
        return self._outcome()

    def __iter__(self) -> Iterator[str]:
        while (text := self._next()) is not None:
            if text:
                yield text
            else:
                with self._reading():
                    self._wait(self._has_more)

    def _next(self) -> str | None:
        """The text that came since the last time, perhaps none; None at the end."""
        forks.check()
        pieces = []
        while self._pieces:
            pieces.append(self._pieces.popleft())
        if not pieces and self._ended and not self._pieces:
            self._outcome()
            return None
        return "".join(pieces)

    def _has_more(self) -> bool:
        return bool(self._pieces) or self._ended

    @contextmanager
    def _reading(self) -> Iterator[None]:
        self._readers += 1
        try:
            yield
        finally:
            self._readers -= 1

    def _outcome(self) -> Completion:
        if self._error is not None:
            raise self._error
        return self.completion

    def _wait(self, ready: Callable[[], bool], timeout: float | None = None) -> None:
        forks.check()
        left = timeout
        shown: tuple[int, int] | None = None
        while not ready():
            with self._changed:
                if not ready() and self._read == shown:
                    self._changed.wait(_POLL_SECONDS if left is None else min(left, _POLL_SECONDS))
            raise_kept()
            if left is not None:
                left -= _POLL_SECONDS
                if left <= 0 and not ready():
                    raise RequestTimeoutError(f"the request did not end within the timeout of {timeout:g} s")
            if self._progress is not None and self._read != shown and self._read is not None:
                shown = self._read
                self._progress(*shown, "reading the prompt")

    # asyncio ------------------------------------------------------------------------------------------------

    async def _wait_async(self, ready: Callable[[], bool]) -> None:
        loop, event = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            loop.call_soon_threadsafe(event.set)

        with self._changed:
            self._wakers.append(wake)
        try:
            while not ready():
                await event.wait()
                event.clear()
        finally:
            with self._changed:
                self._wakers.remove(wake)

    async def _result_async(self) -> Completion:
        await self._wait_async(lambda: self._ended)
        return self._outcome()

    def __await__(self):  # type: ignore[no-untyped-def]
        return self._result_async().__await__()

    async def __aiter__(self) -> AsyncIterator[str]:
        while (text := self._next()) is not None:
            if text:
                yield text
            else:
                with self._reading():
                    await self._wait_async(self._has_more)

    # From the engine's thread ---------------------------------------------------------------------------------

    def _put(self, text: str) -> None:
        if text:
            self._pieces.append(text)
            if self._readers:  # waking a thread costs more than a token
                with self._changed:
                    self._notify()

    def _end(self, error: BaseException | None = None) -> None:
        with self._changed:
            self._error, self._ended = error, True
            self._notify()

    def _has_read(self, done: int, total: int) -> None:
        """So much of the prompt was read."""
        if self._progress is not None:
            with self._changed:
                self._read = (done, total)
                self._notify()

    def _notify(self) -> None:
        self._changed.notify_all()
        for wake in self._wakers:
            wake()
