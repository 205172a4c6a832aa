"""Connections that are closed because nothing happens on them, and those that are not."""

from __future__ import annotations

import asyncio
import gc
import socket
import struct
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn

from wgpt.serve import silent


class Connection:
    """One of uvicorn's. `answering`: its answer is being made; `unread`: bytes of it that wait for the client."""

    def __init__(self, unread: int = 0, reads: int = 0, answering: bool = False, asked: bool = True) -> None:
        self.cycle = SimpleNamespace(response_complete=not answering) if asked else None
        self.transport, self._unread, self._reads, self.aborted = self, unread, reads, False

    def get_write_buffer_size(self) -> int:
        self._unread = max(0, self._unread - self._reads)
        return self._unread

    def abort(self) -> None:
        self.aborted = True


def test_who_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(silent, "_LOOK_SECONDS", 0.01)
    monkeypatch.setattr(silent, "_SILENT_SECONDS", 0.2)
    slow = Connection(unread=10**9, reads=1)  # of a whole answer: uvicorn has written it, the client has not read it
    slow_stream = Connection(unread=10**9, reads=1, answering=True)
    answered = Connection(answering=True)
    kept = [slow, slow_stream, answered]
    dropped = [Connection(unread=1000), Connection(unread=1000, answering=True), Connection(), Connection(asked=False)]
    server: Any = SimpleNamespace(server_state=SimpleNamespace(connections=[*kept, *dropped]))

    async def run() -> None:
        looking = asyncio.create_task(silent.close_silent(server))
        await asyncio.wait([looking], timeout=1.5)
        looking.cancel()

    asyncio.run(run())
    assert [each.aborted for each in kept] == [False] * 3
    assert [each.aborted for each in dropped] == [True] * 4


async def _app(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


def test_a_connection_that_is_reset_leaves_nothing() -> None:
    """uvicorn's timer of an idle connection would keep it for as long as one that may still be used."""

    async def run() -> int:
        config = uvicorn.Config(_app, port=0, http=silent.protocol(), lifespan="off", log_level="error", loop="asyncio")
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        address = server.servers[0].sockets[0].getsockname()
        for _ in range(5):
            reader, writer = await asyncio.open_connection(*address)
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert (await reader.readuntil(b"ok")).endswith(b"ok")
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
        while server.server_state.connections:
            await asyncio.sleep(0.01)
        gc.collect()
        kept = sum(type(each).__name__ == "Limited" for each in gc.get_objects())
        server.should_exit = True
        await serving
        return kept

    assert asyncio.run(run()) == 0
