"""Responses: JSON, event streams, and clients that disconnect."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from .errors import ApiError
from .exchange import Exchange, exchange_of
from .generation import Generation
from .json_pieces import json_bytes
from .settings import Limits
from .wire import End

_PING_SECONDS = 15.0  # seconds of silence, after which proxies may close a stream
_LOOK_SECONDS = 1.0


class Json(Response):
    """An object as JSON; NaN and infinities become null. A large object is serialised while it is sent, so that other
    requests are answered meanwhile."""

    media_type = "application/json"

    def __init__(self, content: Any, status_code: int = 200, headers: Mapping[str, str] | None = None) -> None:
        self._pieces = json_bytes(content)
        first, self._second = next(self._pieces), next(self._pieces, b"")
        super().__init__(first, status_code, headers)
        if self._second:
            del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._second:
            await super().__call__(scope, receive, send)
            return
        presence = exchange_of(scope).presence
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        for piece in chain((self.body, self._second), self._pieces):
            presence.check()
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


@dataclass
class Finished:
    """All updates of one sequence, combined."""

    text: str = ""
    ids: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    top_logprobs: list[dict[int, float]] = field(default_factory=list)
    end: End | None = None


async def collect(request: Request, generation: Generation) -> list[Finished]:
    """Wait for all sequences of a job, in order. Submit the job with stream=False."""
    results = [Finished() for _ in range(len(generation.job.prompts) * generation.job.n)]
    try:
        async for updates in generation:
            for update in updates:
                result = results[update.index]
                result.text += update.text
                result.ids += update.ids
                result.logprobs += update.logprobs
                result.top_logprobs += update.top_logprobs
                result.end = update.end
    finally:  # for a client that disconnected; after the end it does nothing
        generation.cancel()
    return results


class EventStream(Response):
    """Server-sent events.

    `events`: bytes of one or several whole events per item. `error`: the bytes of the event for an error after the
    first byte was sent. A client that disconnects or stops reading ends the generation; during a silence, `ping` (a
    comment or an event) is sent.
    """

    def __init__(
        self,
        events: AsyncIterator[bytes],
        *generations: Generation,
        error: Callable[[ApiError], bytes],
        limits: Limits = Limits(),
        ping: bytes = b": ping\n\n",
    ) -> None:
        super().__init__(
            media_type="text/event-stream", headers={"cache-control": "no-cache", "x-accel-buffering": "no"}
        )
        del self.headers["content-length"]
        self._events, self._generations, self._error, self._limits = events, generations, error, limits
        self._ping = ping
        self._sending = False
        self._sent = 0  # pieces sent so far

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        exchange = exchange_of(scope)
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        watcher = asyncio.create_task(self._watch(exchange))
        try:
            async for piece in self._events:
                await self._send(send, piece)
        except ApiError as e:
            exchange.record.error = e.message
            await self._send(send, self._error(e))
        finally:
            watcher.cancel()
            self._cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send(self, send: Send, piece: bytes) -> None:
        self._sending = True
        await send({"type": "http.response.body", "body": piece, "more_body": True})
        self._sending = False
        self._sent += 1

    async def _watch(self, exchange: Exchange) -> None:
        """Watch for a client that disconnects or stops reading, and send pings."""
        blocked, sent, quiet = 0.0, self._sent, 0.0
        while not await exchange.presence.leaves_within(_LOOK_SECONDS):
            if self._sent != sent:
                blocked, sent, quiet = 0.0, self._sent, 0.0
                continue
            blocked, quiet = blocked + _LOOK_SECONDS if self._sending else 0.0, quiet + _LOOK_SECONDS
            waiting = sum(generation.waiting_tokens for generation in self._generations)
            if blocked >= self._limits.stream_seconds or (blocked and waiting > self._limits.stream_tokens):
                exchange.record.error = "the client reads too slowly"
                exchange.abort()
                exchange.presence.leave()
                break
            if quiet >= _PING_SECONDS and not self._sending:
                quiet = 0.0
                await exchange.send({"type": "http.response.body", "body": self._ping, "more_body": True})
        self._cancel()

    def _cancel(self) -> None:
        for generation in self._generations:
            generation.cancel()
