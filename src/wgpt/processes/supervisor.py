"""A child process from its parent's side: its calls, its failures and its restarts."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import itertools
import logging
import multiprocessing
import multiprocessing.util  # registers its exit handler, which must come before ours
import socket
import time
from collections.abc import Callable
from enum import Enum
from multiprocessing.process import BaseProcess
from typing import Any, cast
from weakref import WeakSet

from ..core.errors import WgptError
from .child import run
from .messages import CALL, CANCEL, DONE, FAILED, READY, REFUSED, STOP, Decoder, encoded

_FIRST_PAUSE, _MOST_PAUSE = 0.5, 30.0  # seconds to wait before each restart
_SETTLED_SECONDS = 60.0  # seconds of uptime after which the count of failures starts again
_STOP_SECONDS = 5.0
_LOOK_SECONDS = 1.0
log = logging.getLogger("wgpt.processes")
_alive: WeakSet[BaseProcess] = WeakSet()


class Status(Enum):
    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"  # not running: restarted after a pause, unless `failure` says why not
    STOPPED = "stopped"


class ProcessEnded(WgptError):
    """The process ended before it answered a call."""


class Refused(Exception):
    """A call that the process refused. `reason`: the argument of `Link.refuse`."""

    def __init__(self, reason: Any) -> None:
        super().__init__(reason)
        self.reason = reason


class Supervised:
    """A process that runs `work(link, *arguments())`, where `link` is a `child.Link`; one event loop uses it.

    If it ends, its calls fail. If it had been ready, it is restarted after a pause.

    called: how messages refer to the process; name: the process's name for the system.
    changed: set whenever the status changes.
    ready: called with the process's info when it is ready; told: called with a message that answers no call;
    ended: called with the cause, before the calls fail.
    most_deaths: restart at most this number of times without a call's result in between; 0: never; None: always.

    process = Supervised(work, lambda: (settings,), "the engine")
    await process.start()
    await process.until_ready()
    result = await process.call("double", 21)
    await process.stop()
    """

    def __init__(
        self,
        work: Callable[..., None],
        arguments: Callable[[], tuple[Any, ...]],
        called: str,
        *,
        name: str = "wgpt-process",
        changed: asyncio.Event | None = None,
        ready: Callable[[Any], None] = lambda info: None,
        told: Callable[..., None] = lambda *message: None,
        ended: Callable[[str], None] = lambda cause: None,
        most_deaths: int | None = None,
    ) -> None:
        self._work, self._arguments, self.called, self._name = work, arguments, called, name
        self._ready, self._told, self._has_ended, self._most_deaths = ready, told, ended, most_deaths
        self.changed = changed or asyncio.Event()
        self.status = Status.LOADING
        self.cause = ""  # why it last ended
        self.failure = ""  # why it will not be restarted
        self.was_ready = False
        self.restarts = self.deaths = 0  # deaths: since the last result of a call
        self.silent = 0.0  # seconds in which this process was listening and received nothing
        self.pause = _FIRST_PAUSE  # seconds before the next start
        self._began = time.monotonic()
        self._stopping = asyncio.Event()
        self._told_cause = ""
        self._numbers = itertools.count(1)
        self._calls: dict[int, asyncio.Future[Any]] = {}
        self._connection: _Connection | None = None
        self._process: BaseProcess | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    # Calls --------------------------------------------------------------------------------------------------

    def new_number(self) -> int:
        """A number for a call that the caller needs to know before it is sent."""
        return next(self._numbers)

    @property
    def calls(self) -> int:
        """The number of calls without a result yet."""
        return len(self._calls)

    async def call(self, *arguments: Any, number: int | None = None) -> Any:
        """The process's answer. Raises Refused or ProcessEnded. If the caller is cancelled, the process is told."""
        if self.status is not Status.READY:
            raise ProcessEnded(f"{self.called} is not ready")
        number = self.new_number() if number is None else number
        future = self._calls[number] = asyncio.get_running_loop().create_future()
        self._send(CALL, number, *arguments)
        try:
            return await future
        except asyncio.CancelledError:
            self.cancel(number)
            raise
        finally:
            self._calls.pop(number, None)

    def cancel(self, number: int) -> None:
        """Tell the process that the result of this call, or what it started, is no longer needed."""
        self._send(CANCEL, number)

    def give_up(self, number: int) -> None:
        """Cancel the task that waits for the result of this call, and with it the call."""
        if number in self._calls:
            self._calls[number].cancel()

    def fail_calls(self, error: Exception) -> None:
        calls, self._calls = self._calls, {}
        for future in calls.values():
            if not future.done():
                future.set_exception(error)

    def _send(self, *message: Any) -> None:
        if self._connection is not None:
            self._connection.send(*message)

    def _received(self, message: tuple[Any, ...]) -> None:
        self.silent = 0.0
        kind = message[0]
        if kind == DONE:
            self.deaths = 0
            self._resolve(message[1], message[2])
        elif kind == REFUSED:
            self._resolve(message[1], Refused(message[2]))
        elif kind == READY:
            self._ready(message[1])
            self.was_ready, self._began = True, time.monotonic()
            self._set(Status.READY)
        elif kind == FAILED:
            self._told_cause = message[1]
        else:
            self._told(*message[1:])

    def _resolve(self, number: int, result: Any) -> None:
        future = self._calls.get(number)
        if future is None or future.done():
            return
        if isinstance(result, Refused):
            future.set_exception(result)
        else:
            future.set_result(result)

    # Its life -----------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Start the process, also again after `stop`. Raises OSError."""
        ours, theirs = socket.socketpair()
        self._stopping.clear()
        context = multiprocessing.get_context("spawn")
        process = context.Process(target=run, args=(theirs, self._work, self._arguments()), name=self._name)
        self._process, self.failure = process, ""
        self._set(Status.LOADING)
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(None, process.start)
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        _alive.add(process)
        if self._stopping.is_set():  # meanwhile
            process.kill()
        ours.setblocking(False)
        self.silent = 0.0
        _, self._connection = await loop.connect_accepted_socket(
            lambda: _Connection(self._received, lambda: self._lost(process)), ours
        )

    async def until_ready(self) -> None:
        """Wait until the process is ready. Raises WgptError if it fails for good before that."""
        while self.status is not Status.READY:
            if self.failure or self._stopping.is_set():
                raise WgptError(self.failure or f"{self.called} has been stopped")
            self.changed.clear()
            await self.changed.wait()

    async def watch(self, hangs: Callable[[], bool]) -> None:
        """Kill the process if it hangs, so that it is restarted."""
        killed: BaseProcess | None = None  # ending may take a while
        while not self._stopping.is_set():
            await asyncio.sleep(_LOOK_SECONDS)
            self.silent += _LOOK_SECONDS  # not by a clock: this process may have been blocked
            if self._process is not None and self._process is not killed and hangs():
                killed = self._process
                killed.kill()

    def _lost(self, process: BaseProcess) -> None:
        """The socket is closed: the process has ended, or is about to."""
        if process is self._process:
            self._connection = None
            task = asyncio.get_running_loop().create_task(self._ended(process))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _ended(self, process: BaseProcess) -> None:
        code = await _joined(process)
        if process is not self._process:  # stopped meanwhile, and another process was started
            return
        told, self._told_cause = self._told_cause, ""
        self.cause = told or _how_ended(code)
        if self._stopping.is_set():
            self._fail(Status.STOPPED, f"{self.called} has been stopped")
            return
        self.deaths += 1
        if not self.was_ready:
            how = f"{self.called}'s process ended while it loaded the model ({self.cause})"
            self.failure = told or how
        elif self._most_deaths is not None and self.deaths >= self._most_deaths:
            times = f" {self.deaths} times without an answer" if self.deaths > 1 else ""
            self.failure = f"{self.called} has stopped{times} ({self.cause})"
        if time.monotonic() - self._began > _SETTLED_SECONDS:
            self.pause = _FIRST_PAUSE
        self._fail(Status.FAILED, f"{self.called} has stopped ({self.cause})")
        if not self.failure:
            await self._start_again()

    def _fail(self, status: Status, message: str) -> None:
        self._set(status)
        self._has_ended(self.cause)
        self.fail_calls(ProcessEnded(message))

    async def _start_again(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.pause):
                    await self._stopping.wait()
                return
            self.pause = min(2 * self.pause, _MOST_PAUSE)
            self.restarts += 1
            self._began = time.monotonic()
            try:
                await self.start()
                return
            except OSError as e:  # out of memory, or too many open files
                log.error("%s's process could not be started: %s", self.called, e)

    async def stop(self) -> None:
        """End the process."""
        self._stopping.set()
        process = self._process
        self._send(STOP)
        if process is not None and self.status is not Status.READY:  # while it loads the model, it reads no messages
            self.kill()
        if process is not None and process.pid is not None:
            await _joined(process)
        if self._connection is not None:  # late messages must not reach the next process
            self._connection.close()
        self._set(Status.STOPPED)

    def kill(self) -> None:
        """End the process at once."""
        self._stopping.set()
        if self._process is not None and self._process.pid is not None:
            with contextlib.suppress(OSError, ValueError):
                self._process.kill()

    def _set(self, status: Status) -> None:
        self.status = status
        self.changed.set()


class _Connection(asyncio.Protocol):
    """The socket to the process."""

    def __init__(self, received: Callable[[tuple[Any, ...]], None], lost: Callable[[], None]) -> None:
        self._received, self._lost, self._decoder = received, lost, Decoder()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's transport has another class

    def data_received(self, data: bytes) -> None:
        for message in self._decoder.add(data):
            self._received(message)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._lost()

    def send(self, *message: Any) -> None:
        if self._transport is not None:
            self._transport.write(encoded(message))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


async def _joined(process: BaseProcess) -> int | None:
    """Wait until a process ends, and kill it if it does not in time."""
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(None, process.join, _STOP_SECONDS)
    if process.exitcode is None:
        process.kill()
        await loop.run_in_executor(None, process.join, _STOP_SECONDS)
    return process.exitcode


def _how_ended(code: int | None) -> str:
    return f"killed by signal {-code}" if code is not None and code < 0 else f"exit code {code}"


@atexit.register
def _kill_remaining() -> None:
    """Kill processes that were never stopped: multiprocessing's exit handler, which runs after this, would wait."""
    for process in list(_alive):
        with contextlib.suppress(OSError, ValueError):
            process.kill()
