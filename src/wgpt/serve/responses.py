"""What endpoints read and send: JSON, streams of events, and clients that go away."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from .access_log import current_record
from .errors import ApiError
from .exchange import Exchange, exchange_of
from .generation import Generation
from .json_pieces import json_bytes
from .json_structure import JsonStructure
from .presence import ClientGone
from .settings import Limits
from .wire import End

_PING_SECONDS = 15.0  # of silence, after which proxies may think that a stream is dead
_LOOK_SECONDS = 1.0
_LARGE = 1 << 18  # bytes of a body, which take some milliseconds
_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()


class Json(Response):
    """An object as JSON; Python's floats that JSON lacks become null. A large one is written while it is sent, so that
    other requests are answered meanwhile."""

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


async def read_json(request: Request, limits: Limits) -> dict[str, Any]:
    """The body of a request, which must be a JSON object. Raises ApiError: 400, 408, 413, 415."""
    kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        raise ApiError(415, f"unsupported content type {kind[:100]!r}: send application/json")
    body = await _body(request, limits)
    try:
        value = await _parsed(body)
    except RecursionError:
        raise ApiError(400, "the body is nested too deeply", code="invalid_json") from None
    except (ValueError, UnicodeDecodeError) as e:
        raise ApiError(400, f"the body is not valid JSON: {str(e)[:200]}", code="invalid_json") from None
    if not isinstance(value, dict):
        raise ApiError(400, f"the body must be a JSON object, not {type(value).__name__}", code="invalid_json")
    if (record := current_record.get()) is not None:
        record.body = value
    return value


async def _parsed(body: bytes) -> Any:
    """Large bodies one after the other, with as long a pause after each as it took: others are answered then."""
    if len(body) < _LARGE:
        return json.loads(body, parse_constant=_no_constant)
    async with _turns.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
        began = time.monotonic()
        try:
            return json.loads(body, parse_constant=_no_constant)
        finally:
            await asyncio.sleep(time.monotonic() - began)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


async def _body(request: Request, limits: Limits) -> bytes:
    too_large = ApiError(413, f"the body is larger than {limits.body_bytes} bytes", code="body_too_large")
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > limits.body_bytes:
        raise too_large
    parts, size, structure = [], 0, JsonStructure()
    while True:
        try:
            async with asyncio.timeout(limits.body_seconds):
                message = await request.receive()
        except TimeoutError:
            raise ApiError(408, f"the body did not arrive within {limits.body_seconds:g} s") from None
        if message["type"] == "http.disconnect":
            raise ClientGone
        part = message.get("body", b"")
        size += len(part)
        if size > limits.body_bytes:
            raise too_large
        parts.append(part)
        structure.add(part)
        _check_structure(structure, limits)
        if not message.get("more_body", False):
            return b"".join(parts)


def _check_structure(structure: JsonStructure, limits: Limits) -> None:
    for count, most, things in (
        (structure.parts, limits.body_parts, "strings, objects and lists"),
        (structure.commas, limits.body_values, "values"),
        (structure.escapes, limits.body_escapes, "escapes in strings"),
    ):
        if count > most:
            raise ApiError(413, f"the body has more than {most} {things}: send several requests", code="body_too_large")


@dataclass
class Finished:
    """All of one sequence."""

    text: str = ""
    ids: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    top_logprobs: list[dict[int, float]] = field(default_factory=list)
    end: End | None = None


async def collect(request: Request, generation: Generation) -> list[Finished]:
    """Wait for all sequences of a job, in order. Submit it with stream=False."""
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
    finally:  # the client may have gone; at the end, it does nothing
        generation.cancel()
    return results


class EventStream(Response):
    """Server-sent events as they come. `events`: whole events, as bytes; several may be in one piece.

    `error`: the bytes of an event for an error that comes after the first byte was sent. A client that goes away, or
    that does not read, ends the generation; a silence is filled with `ping`, a comment or an event.
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
        self._sent = 0  # pieces

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
        """See whether the client goes, or reads nothing; fill a silence."""
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
