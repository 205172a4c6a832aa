"""One request and its response, between uvicorn and the handler: common headers, and clients that disconnect."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct

from starlette.types import Message, Receive, Scope, Send

from .access_log import Record

KEY = "wgpt.exchange"  # its key in the ASGI scope


def exchange_of(scope: Scope) -> Exchange:
    exchange: Exchange = scope[KEY]
    return exchange


class Exchange:
    """Watches the client once the body is read. If the client disconnects, its work in the engine is cancelled
    (`presence`), and so is the handler if no response has begun. `headers`: added to every response."""

    def __init__(self, record: Record, receive: Receive, send: Send, headers: dict[str, str]) -> None:
        self.record, self._receive, self._send = record, receive, send
        self._headers = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        for name in (b"x-request-id", b"request-id"):  # OpenAI's client reads the first one, Anthropic's the second
            self._headers.append((name, record.id.encode()))
        self.started = False  # whether the response has begun
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
        """Drop the connection at once. ASGI has no message for that, so this uses uvicorn's connection, which `send` is
        bound to."""
        transport = getattr(getattr(self._send, "__self__", None), "transport", None)
        if transport is None:
            return
        with contextlib.suppress(OSError, AttributeError):  # discards what the client has not read
            transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        transport.abort()
