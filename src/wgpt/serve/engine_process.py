"""HTTP's side of the engine's process: it passes requests and their updates, and says how the engine is."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..processes.supervisor import ProcessEnded, Refused, Status, Supervised
from .access_log import current_record
from .errors import ApiError
from .generation import Generation
from .metrics import EngineMetrics
from .patience import OPTION, patience, what_hangs
from .settings import Settings
from .wire import (
    EMBED,
    LOAD_LORA,
    RERANK,
    SCORE,
    STATE,
    SUBMIT,
    UNLOAD_LORA,
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
from .worker import work

__all__ = ["End", "EngineProcess", "Generation", "Health", "Job", "ModelInfo", "Score", "Status", "Update"]

_SILENCE_SECONDS = 10.0  # without a message, which comes every second
log = logging.getLogger("wgpt.serve")


@dataclass(frozen=True)
class Health:
    """`ok`: it takes requests and its steps end; otherwise `reason` says why not."""

    ok: bool
    status: Status
    reason: str = ""
    replicas: tuple[Health, ...] = ()  # of several engines, each


class EngineProcess:
    """`changed`: set whenever the status changes. `called`: its name in messages, where there are several."""

    def __init__(self, settings: Settings, changed: asyncio.Event | None = None, called: str = "the engine") -> None:
        self.settings = settings
        self.process = Supervised(
            work,
            self._arguments,
            called,
            name="wgpt-engine",
            changed=changed,
            ready=self._ready,
            told=self._told,
            ended=self._ended,
        )
        self.metrics = EngineMetrics(lambda: self.state, lambda: self.restarts)
        self.info = ModelInfo(settings.name, loras=tuple(settings.loras))
        self.state = State()
        self._loras: dict[str, Path] = dict(settings.loras)
        self._generations: dict[int, Generation] = {}
        self._ends: list[float] = []  # when the newest requests ended

    # For endpoints ------------------------------------------------------------------------------------------

    async def submit(self, job: Job) -> Generation:
        """Begin a job. Raises ApiError: 429 if the queue is full, 503 without an engine, 400 if it is refused."""
        self.check_ready()
        number = self.process.new_number()
        generation = Generation(job, lambda: self._cancel(number), self.metrics, self.model_name(job.lora))
        if (record := current_record.get()) is not None:
            record.presence.check()
            record.presence.when_gone(generation.cancel)
            record.generations.append(generation)
        self._generations[number] = generation
        try:
            await self._call(SUBMIT, job, number=number)
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
        self.check_ready()
        await self._call(LOAD_LORA, name, str(path))
        self._loras[name] = path
        self.info = replace(self.info, loras=tuple(self._loras))

    async def unload_lora(self, name: str) -> None:
        if name not in self._loras:
            raise ApiError(404, f"no LoRA adapter named {name!r} is loaded", param="lora_name", code="model_not_found")
        self.check_ready()  # one that is being started has been told to load it
        del self._loras[name]
        self.info = replace(self.info, loras=tuple(self._loras))
        await asyncio.shield(self._call(UNLOAD_LORA, name))

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
        if self.process.silent > _SILENCE_SECONDS:
            return f"{self.process.called} has sent nothing for {self.process.silent:.0f} s"
        if self.state.step_age > patience(self.state, self.settings.step_seconds):
            return f"{self.process.called}: {what_hangs(self.state, self.settings.step_seconds)}"
        return ""

    def check_ready(self) -> None:
        """Raises ApiError: 503."""
        if self.status is not Status.READY:
            raise ApiError(503, self.reason, code="engine_not_ready", retry_after=self.process.pause + 2)

    @property
    def load(self) -> int:
        """Sequences and calls that have not ended."""
        return sum(generation.left for generation in self._generations.values()) + self.process.calls

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

    async def _read(self, kind: int, *arguments: Any) -> Any:
        """Have texts read, as long as there is a client for the result."""
        self.check_ready()
        number = self.process.new_number()
        if (record := current_record.get()) is not None:
            record.presence.check()
            record.presence.when_gone(lambda: self.process.give_up(number))
        return await self._call(kind, *arguments, number=number)

    async def _call(self, kind: int, *arguments: Any, number: int | None = None) -> Any:
        try:
            return await self.process.call(kind, *arguments, number=number)
        except Refused as e:
            status, message, more = e.reason
            if status == 429:
                more["retry_after"] = self.retry_after()
            raise ApiError(status, message, **more) from None
        except ProcessEnded as e:
            raise self._failed(str(e)) from None

    def _cancel(self, number: int) -> None:
        if number in self._generations:
            self.process.cancel(number)

    def _told(self, kind: int, news: Any) -> None:
        if kind == STATE:
            self.state = news
            return
        for number, *fields in news:
            generation = self._generations.get(number)
            if generation is not None and generation.put(Update(*fields)):
                del self._generations[number]
                self._ends = [*self._ends[-63:], time.monotonic()]

    # The process --------------------------------------------------------------------------------------------

    @property
    def status(self) -> Status:
        return self.process.status

    @property
    def reason(self) -> str:
        """Why it is not ready."""
        process = self.process
        return {
            Status.LOADING: f"the model is being loaded{' again' if process.restarts else ''}",
            Status.READY: "",
            Status.FAILED: f"{self._stopped}; it is being started again",
            Status.STOPPED: "the server has stopped",
        }[process.status]

    @property
    def _stopped(self) -> str:
        return f"{self.process.called} has stopped ({self.settings.public(self.process.cause)})"  # /health needs no key

    @property
    def started(self) -> bool:
        """Whether it was ready once."""
        return self.process.was_ready

    @property
    def restarts(self) -> int:
        return self.process.restarts

    @property
    def failed_to_start(self) -> str:
        """Why the first start failed for good (a wrong option, a file that is not there)."""
        return self.process.failure

    @property
    def changed(self) -> asyncio.Event:
        return self.process.changed

    async def start(self) -> None:
        """Start the process; `changed` tells when it is ready."""
        await self.process.start()

    def _arguments(self) -> tuple[Settings, bool]:
        return replace(self.settings, loras=dict(self._loras), api_keys=()), self.started

    def _ready(self, info: ModelInfo) -> None:
        self.info = replace(info, name=self.settings.name)
        self._loras = {name: self._loras[name] for name in info.loras}

    def _ended(self, cause: str) -> None:
        self.state = State()
        if self.status is Status.STOPPED:
            self.fail_all("the server is shutting down")
            return
        if not self.failed_to_start:
            called, pause = self.process.called, self.process.pause
            log.error("%s's process has ended: %s; it is started again in %.1f s", called, cause, pause)
        self.fail_all(f"{self._stopped}: try again later")

    def _failed(self, message: str) -> ApiError:
        return ApiError(503, message, code="engine_failed", retry_after=self.process.pause + 2)

    def fail_all(self, message: str) -> None:
        """End all that runs with an error, for example because the time to finish is over."""
        generations, self._generations = self._generations, {}
        for number, generation in generations.items():
            self.process.cancel(number)
            generation.fail(self._failed(message))
        self.process.fail_calls(ProcessEnded(message))

    async def watch(self) -> None:
        """End a process whose step hangs, or that says nothing, and start it again."""
        await self.process.watch(self._must_end)

    def _must_end(self) -> bool:
        reason = self._hangs()
        if reason:
            advice = f"if it is only slow, raise {OPTION} (now {self.settings.step_seconds:g} s)"
            log.error("%s: %s: its process is killed and started again; %s", self.process.called, reason, advice)
        return bool(reason)

    def _hangs(self) -> str:
        """Why its process is to be ended; empty if it is not."""
        if self.status is not Status.READY:
            return ""
        most, silent = self.settings.step_seconds, self.process.silent
        if silent > 2 * most:
            return f"it has sent nothing for {silent:.0f} s (limit {2 * most:.0f} s: twice {OPTION})"
        if self.state.step_age > 2 * patience(self.state, most):
            return f"{what_hangs(self.state, most)}, and is past twice that"
        return ""

    async def stop(self) -> None:
        """End the process."""
        await self.process.stop()

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
