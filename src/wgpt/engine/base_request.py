"""What a caller of the engine holds while it works: wait for the result, or cancel."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Generator
from typing import Any, Generic, Protocol, TypeVar

from ..core.arguments import number_between
from ..core.progress import Progress
from ..gpu import forks
from ..gpu.process_bound import ProcessBound
from ..gpu.webgpu.interrupts import raise_kept
from .errors import RequestTimeoutError

_COMPILING_SECONDS = 1.0  # after which progress says so; drivers keep what they compile, and read it in less
_POLL_SECONDS = 0.2  # how often a waiting thread looks for Ctrl-C, where a lock does not wake up for it
T = TypeVar("T")


class Cancels(Protocol):
    """What a handle needs of the engine."""

    def cancel(self, request: BaseRequest[Any]) -> None: ...

    @property
    def compiling(self) -> bool:
        """Whether work waits for kernels to be compiled."""
        ...


class _Shown:
    """Progress with the prompt, called when there is something new to show."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._compiling_since: float | None = None
        self._last: tuple[int, int, str] | None = None

    def show(self, read: tuple[int, int] | None, compiling: bool) -> None:
        now = time.monotonic()
        self._compiling_since = (self._compiling_since or now) if compiling else None
        if self._compiling_since is not None and now - self._compiling_since > _COMPILING_SECONDS:
            new = (*(read or (0, 0)), "compiling kernels, first run only")
        elif read is None:
            return
        else:
            new = (*read, "reading the prompt")
        if new != self._last:
            self._last = new
            self._progress(*new)


class BaseRequest(ProcessBound, Generic[T]):
    """Ask for the `result()`, also in asyncio: `await`."""

    _way_out = "pass on its result() instead"

    def __init__(self, engine: Cancels, progress: Progress | None = None) -> None:
        self._engine, self._progress = engine, progress
        self._changed = threading.Condition()
        self._read: tuple[int, int] | None = None  # of the prompt: tokens done, and all
        self._error: BaseException | None = None
        self._ended = False
        self._wakers: list[Callable[[], object]] = []

    @property
    def done(self) -> bool:
        """Whether it has ended: finished, cancelled or failed."""
        return self._ended

    def cancel(self) -> None:
        """Stop working for this request. It does nothing if the request has ended."""
        if not self._ended:
            self._engine.cancel(self)

    def wait(self) -> None:
        """Wait for the end, whatever it is."""
        self._wait(lambda: self._ended)

    def result(self, timeout: float | None = None) -> T:
        """Wait for the end. Raises TimeoutError after `timeout` seconds (the request goes on), or what went wrong."""
        if timeout is not None:
            timeout = number_between("timeout", timeout, 0, 1e9)
        self._wait(lambda: self._ended, timeout)
        return self._outcome()

    def _outcome(self) -> T:
        if self._error is not None:
            raise self._error
        return self._value()

    def _value(self) -> T:
        """What there is at the end."""
        raise NotImplementedError

    def _wait(self, ready: Callable[[], bool], timeout: float | None = None) -> None:
        forks.check()
        left = timeout
        shown: tuple[int, int] | None = None
        progress = None if self._progress is None else _Shown(self._progress)
        while not ready():
            with self._changed:
                if not ready() and self._read == shown:
                    self._changed.wait(_POLL_SECONDS if left is None else min(left, _POLL_SECONDS))
            raise_kept()
            if left is not None:
                left -= _POLL_SECONDS
                if left <= 0 and not ready():
                    raise RequestTimeoutError(f"the request did not end within the timeout of {timeout:g} s")
            if progress is not None:
                shown = self._read
                progress.show(shown, self._engine.compiling)

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

    async def _result_async(self) -> T:
        await self._wait_async(lambda: self._ended)
        return self._outcome()

    def __await__(self) -> Generator[Any, None, T]:
        return self._result_async().__await__()

    # From the engine's thread ---------------------------------------------------------------------------------

    def _put(self, text: str) -> None:
        """Text that can be shown now, where there is any."""

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
