"""Connections that are closed because nothing happens on them, and those that are not."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

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
