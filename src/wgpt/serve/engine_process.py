"""HTTP's side of the engine's process: it starts it, starts it again, and passes requests and their updates."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import multiprocessing
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from .access_log import current_record
from .errors import ApiError
from .generation import Generation
from .metrics import EngineMetrics
from .patience import OPTION, patience, what_hangs
from .settings import Settings
from .wire import (
    CANCEL,
    DONE,
    EMBED,
    FAILED,
    LOAD_LORA,
    READY,
    REFUSED,
    RERANK,
    SCORE,
    STATE,
    STEP,
    STOP,
    SUBMIT,
    UNLOAD_LORA,
    Connection,
    End,
    Ids,
    Job,
    ModelInfo,
    Pooling,
    Relevance,
    Score,
    State,
    Update,
)
from .worker import run

__all__ = ["End", "EngineProcess", "Generation", "Health", "Job", "ModelInfo", "Score", "Status", "Update"]

_FIRST_PAUSE, _MOST_PAUSE = 0.5, 30.0  # seconds before the engine is started again
_SETTLED_SECONDS = 60.0  # after which a failure counts as the first
_SILENCE_SECONDS = 10.0  # without a message, which comes every second
_STOP_SECONDS = 5.0
_LOOK_SECONDS = 1.0
log = logging.getLogger("wgpt.serve")


class Status(Enum):
    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"  # it is started again after a pause
    STOPPED = "stopped"


@dataclass(frozen=True)
class Health:
    """`ok`: it takes requests and its steps end; otherwise `reason` says why not."""

    ok: bool
    status: Status
    reason: str = ""
    replicas: tuple[Health, ...] = ()  # of several engines, each


class EngineProcess:
    """`failed_to_start`: why the first start failed for good (a wrong option, a file that is not there).

    changed: set whenever the status changes. called: its name in messages, where there are several.
    """

    def __init__(self, settings: Settings, changed: asyncio.Event | None = None, called: str = "the engine") -> None:
        self.settings, self._called = settings, called
        self.metrics = EngineMetrics(lambda: self.state, lambda: self.restarts)
        self.info = ModelInfo(settings.name, loras=tuple(settings.loras))
        self.status, self.reason = Status.LOADING, "the model is being loaded"
        self.state = State()
        self.restarts = 0
        self.failed_to_start = ""
        self.started = False  # it was ready once
        self.changed = changed or asyncio.Event()
        self._loras: dict[str, Path] = dict(settings.loras)
        self._numbers = itertools.count(1)
        self._generations: dict[int, Generation] = {}
        self._calls: dict[int, asyncio.Future[Any]] = {}
        self._connection: Connection | None = None
        self._process: BaseProcess | None = None
        self._silent = 0.0  # seconds in which this process listened and heard nothing
        self._began = time.monotonic()
        self._stopping = asyncio.Event()
        self._cause = ""  # of a failure, as the process tells it
        self._pause = _FIRST_PAUSE
        self._ends: list[float] = []  # when the newest requests ended
        self._tasks: set[asyncio.Task[None]] = set()

    # For endpoints ------------------------------------------------------------------------------------------

    async def submit(self, job: Job) -> Generation:
        """Begin a job. Raises ApiError: 429 if the queue is full, 503 without an engine, 400 if it is refused."""
        self.check_ready()
        number = next(self._numbers)
        generation = Generation(job, lambda: self._cancel(number), self.metrics, self.model_name(job.lora))
        if (record := current_record.get()) is not None:
            record.presence.check()
            record.presence.when_gone(generation.cancel)
            record.generations.append(generation)
        self._generations[number] = generation
        try:
            await self._call(number, SUBMIT, job)
        except BaseException:  # refused, or the client has gone
            self._generations.pop(number, None)
            raise
        return generation

    async def score(self, ids: Ids, lora: str | None, top: int, cache_salt: str | None) -> list[Score]:
        """Log-probability and argmax of each token after the first, and `top` most likely tokens in its place."""
        result: list[Score] = await self._read(SCORE, [list(each) for each in ids], lora, top, cache_salt)
        return result

    async def embed(
        self, ids: Ids, pooling: Pooling | None, lora: str | None, normalise: bool | None, cache_salt: str | None
    ) -> list[list[float]]:
        """A vector for each text; pooled and normalised as the model's files say, unless the request does."""
        how = (pooling, lora, normalise, cache_salt)
        result: list[list[float]] = await self._read(EMBED, [list(each) for each in ids], *how)
        return result

    async def rerank(self, query: str, texts: Sequence[str], truncate: bool, cache_salt: str | None) -> list[Relevance]:
        """How well each text answers the query."""
        result: list[Relevance] = await self._read(RERANK, query, list(texts), truncate, cache_salt)
        return result

    async def load_lora(self, name: str, path: Path) -> None:
        """A client that goes away does not stop it halfway."""
        await asyncio.shield(self._load_lora(name, path))

    async def _load_lora(self, name: str, path: Path) -> None:
        await self._ask(LOAD_LORA, name, str(path))
        self._loras[name] = path
        self.info = replace(self.info, loras=tuple(self._loras))

    async def unload_lora(self, name: str) -> None:
        if name not in self._loras:
            raise ApiError(404, f"no LoRA adapter named {name!r} is loaded", param="lora_name", code="model_not_found")
        self.check_ready()  # one that is being started has been told to load it
        del self._loras[name]
        self.info = replace(self.info, loras=tuple(self._loras))
        await asyncio.shield(self._ask(UNLOAD_LORA, name))

    def model_name(self, lora: str | None) -> str:
        return self.info.name if lora is None else lora

    def health(self) -> Health:
        reason = self._unhealthy()
        return Health(not reason, self.status, reason)

    def _unhealthy(self) -> str:
        if self.status is not Status.READY:
            return self.reason
        if self.state.error:
            return self.state.error
        if self._silent > _SILENCE_SECONDS:
            return f"{self._called} has sent nothing for {self._silent:.0f} s"
        if self.state.step_age > patience(self.state, self.settings.step_seconds):
            return f"{self._called}: {what_hangs(self.state, self.settings.step_seconds)}"
        return ""

    def check_ready(self) -> None:
        """Raises ApiError: 503."""
        if self.status is not Status.READY:
            raise ApiError(503, self.reason, code="engine_not_ready", retry_after=self._pause + 2)

    @property
    def load(self) -> int:
        """Sequences and calls that have not ended."""
        return sum(generation.left for generation in self._generations.values()) + len(self._calls)

    @property
    def pages(self) -> int:
        """Of the KV cache; 0 while that is unknown."""
        return self.state.pages

    def retry_after(self) -> float:
        """Seconds in which about as many requests end as wait now."""
        now = time.monotonic()
        recent = [end for end in self._ends if now - end < 60]
        if len(recent) < 2:
            return 2.0
        rate = len(recent) / max(now - recent[0], 0.1)
        return min(60.0, max(1.0, self.state.waiting / rate))

    # Messages -----------------------------------------------------------------------------------------------

    def _send(self, *message: Any) -> None:
        if self._connection is not None:
            self._connection.send(*message)

    async def _ask(self, kind: int, *arguments: Any) -> Any:
        self.check_ready()
        return await self._call(next(self._numbers), kind, *arguments)

    async def _read(self, kind: int, *arguments: Any) -> Any:
        """Have texts read, as long as there is a client for the result."""
        self.check_ready()
        number = next(self._numbers)
        if (record := current_record.get()) is not None:
            record.presence.check()
            record.presence.when_gone(lambda: self._give_up(number))
        return await self._call(number, kind, *arguments)

    async def _call(self, number: int, kind: int, *arguments: Any) -> Any:
        future = self._calls[number] = asyncio.get_running_loop().create_future()
        self._send(kind, number, *arguments)
        try:
            return await future
        except asyncio.CancelledError:  # the client has gone
            self._send(CANCEL, number)
            raise
        finally:
            self._calls.pop(number, None)

    def _cancel(self, number: int) -> None:
        if number in self._generations:
            self._send(CANCEL, number)

    def _give_up(self, number: int) -> None:
        """Whoever waits for the result of this call is cancelled, and cancels it."""
        if number in self._calls:
            self._calls[number].cancel()

    def _received(self, message: tuple[Any, ...]) -> None:
        self._silent = 0.0
        kind = message[0]
        if kind == STEP:
            for number, *fields in message[1]:
                generation = self._generations.get(number)
                if generation is not None and generation.put(Update(*fields)):
                    del self._generations[number]
                    self._ends = [*self._ends[-63:], time.monotonic()]
        elif kind == DONE:
            self._resolve(message[1], message[2])
        elif kind == REFUSED:
            error = ApiError(*message[2][:2], **message[2][2])
            if error.status == 429:
                error.retry_after = self.retry_after()
            self._resolve(message[1], error)
        elif kind == STATE:
            self.state = message[1]
        elif kind == READY:
            self.info = replace(message[1], name=self.settings.name)
            self._loras = {name: self._loras[name] for name in self.info.loras}
            self.started, self._began = True, time.monotonic()
            self._set(Status.READY, "")
        elif kind == FAILED:
            self._cause = message[1]

    def _resolve(self, number: int, result: Any) -> None:
        future = self._calls.get(number)
        if future is None or future.done():
            return
        if isinstance(result, ApiError):
            future.set_exception(result)
        else:
            future.set_result(result)

    async def watch(self) -> None:
        """End a process whose step hangs, or that says nothing: nobody else would."""
        killed: BaseProcess | None = None  # it may take a while to end
        while not self._stopping.is_set():
            await asyncio.sleep(_LOOK_SECONDS)
            self._silent += _LOOK_SECONDS  # not by a clock: this process may not have been able to listen itself
            reason = self._hangs()
            if reason and self._process is not None and self._process is not killed:
                advice = f"if it is only slow, raise {OPTION} (now {self.settings.step_seconds:g} s)"
                log.error("%s: %s: its process is killed and started again; %s", self._called, reason, advice)
                killed = self._process
                killed.kill()

    def _hangs(self) -> str:
        """Why its process is to be ended; empty if it is not."""
        if self.status is not Status.READY:
            return ""
        given = self.settings.step_seconds
        if self._silent > 2 * given:
            return f"it has sent nothing for {self._silent:.0f} s (limit {2 * given:.0f} s: twice {OPTION})"
        if self.state.step_age > 2 * patience(self.state, given):
            return f"{what_hangs(self.state, given)}, and is past twice that"
        return ""

    # The process --------------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Start the process; `changed` tells when it is ready."""
        ours, theirs = socket.socketpair()
        context = multiprocessing.get_context("spawn")
        settings = replace(self.settings, loras=dict(self._loras), api_keys=())
        self._process = context.Process(target=run, args=(settings, theirs, self.started), name="wgpt-engine")
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(None, self._process.start)
        finally:
            theirs.close()
        process = self._process
        ours.setblocking(False)
        self._silent = 0.0
        _, self._connection = await loop.connect_accepted_socket(
            lambda: Connection(self._received, lambda: self._lost(process)), ours
        )

    def _lost(self, process: BaseProcess) -> None:
        """The process has ended, or will at once: its socket is closed."""
        self._connection = None
        self.state = State()
        self._spawn(self._ended(process))

    async def _ended(self, process: BaseProcess) -> None:
        code = await self._joined(process)
        if self._stopping.is_set():
            self._fail_all("the server is shutting down")
            self._set(Status.STOPPED, "the server has stopped")
            return
        told, self._cause = self._cause, ""
        cause = told or _how_ended(code)
        why = self.settings.public(cause)  # /health needs no key
        self._set(Status.FAILED, f"{self._called} has stopped ({why}); it is being started again")
        self._fail_all(f"{self._called} has stopped ({why}): try again later")
        if not self.started:
            how = f"{self._called}'s process ended while it loaded the model ({cause})"
            self.failed_to_start = told or how
            self.changed.set()
            return
        log.error("%s's process has ended: %s; it is started again in %.1f s", self._called, cause, self._pause)
        if time.monotonic() - self._began > _SETTLED_SECONDS:
            self._pause = _FIRST_PAUSE
        await self._start_again()

    async def _start_again(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._pause):
                    await self._stopping.wait()
                return
            self._pause = min(2 * self._pause, _MOST_PAUSE)
            self.restarts += 1
            self._began = time.monotonic()
            self._set(Status.LOADING, "the model is being loaded again")
            try:
                await self.start()
                return
            except OSError as e:  # no memory, or too many files
                log.error("%s's process could not be started: %s", self._called, e)

    async def _joined(self, process: BaseProcess) -> int | None:
        """Wait for the end of a process; one that does not end by itself is killed."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, process.join, _STOP_SECONDS)
        if process.exitcode is None:
            process.kill()
            await loop.run_in_executor(None, process.join, _STOP_SECONDS)
        return process.exitcode

    def _fail_all(self, message: str) -> None:
        error = ApiError(503, message, code="engine_failed", retry_after=self._pause + 2)
        generations, calls = self._generations, self._calls
        self._generations, self._calls = {}, {}
        for generation in generations.values():
            generation.fail(error)
        for future in calls.values():
            if not future.done():
                future.set_exception(error)

    def fail_all(self, message: str) -> None:
        """End all that runs with an error, for example because the time to finish is over."""
        for number in list(self._generations):
            self._send(CANCEL, number)
        self._fail_all(message)

    async def stop(self) -> None:
        """End the process."""
        self._stopping.set()
        process = self._process
        self._send(STOP)
        if process is not None and self.status is not Status.READY:  # it does not look while it loads the model
            self.kill()
        if process is not None and process.pid is not None:
            await self._joined(process)
        self._set(Status.STOPPED, "the server has stopped")

    def kill(self) -> None:
        """End it at once."""
        self._stopping.set()
        if self._process is not None and self._process.pid is not None:
            with contextlib.suppress(OSError, ValueError):
                self._process.kill()

    def _set(self, status: Status, reason: str) -> None:
        self.status, self.reason = status, reason
        self.changed.set()

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _how_ended(code: int | None) -> str:
    if code is not None and code < 0:
        return f"killed by signal {-code}"
    return f"exit code {code}"
