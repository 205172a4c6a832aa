"""One request and its answer, between uvicorn and the handler: what all answers have, and a client that goes away."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct

from starlette.types import Message, Receive, Scope, Send

from .access_log import Record

KEY = "wgpt.exchange"  # its place in a scope


def exchange_of(scope: Scope) -> Exchange:
    exchange: Exchange = scope[KEY]
    return exchange


class Exchange:
    """Once the body is read, it watches the client. What runs in the engine for a client that goes is cancelled
    (`presence`); if no answer has begun, the handler is too. `headers`: to add to every answer."""

    def __init__(self, record: Record, receive: Receive, send: Send, headers: dict[str, str]) -> None:
        self.record, self._receive, self._send = record, receive, send
        self._headers = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        for name in (b"x-request-id", b"request-id"):  # OpenAI's client reads the first, Anthropic's the second
            self._headers.append((name, record.id.encode()))
        self.started = False  # whether a part of the answer was sent
        self.presence = record.presence
        self._handler = asyncio.current_task()
        self._watcher: asyncio.Task[None] | None = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started, self.record.status = True, message["status"]
            message = {**message, "headers": [*message.get("headers", ()), *self._headers]}
        await self._send(message)

    async def receive(self) -> Message:
        if self._watcher is not None:
            await self.presence.wait()
            return {"type": "http.disconnect"}
        message = await self._receive()
        if message["type"] == "http.disconnect":
            self.presence.leave()
        elif not message.get("more_body", False):
            self._watcher = asyncio.create_task(self._watch())
        return message

    async def _watch(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self.presence.leave()
        if not self.started and self._handler is not None:
            self._handler.cancel()

    def end(self) -> None:
        if self._watcher is not None:
            self._watcher.cancel()

    def abort(self) -> None:
        """Drop the client at once. ASGI has no way to say that: `send` is a method of uvicorn's connection."""
        transport = getattr(getattr(self._send, "__self__", None), "transport", None)
        if transport is None:
            return
        with contextlib.suppress(OSError, AttributeError):  # the kernel forgets what the client did not read
            transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()
