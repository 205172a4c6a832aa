"""A silence in a stream, while a long prompt is read, is filled: clients and proxies do not take it for dead."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from wgpt.serve import responses
from wgpt.serve.access_log import Record
from wgpt.serve.anthropic.streaming import PING
from wgpt.serve.errors import ApiError
from wgpt.serve.exchange import KEY, Exchange
from wgpt.serve.responses import EventStream


def sent(monkeypatch: pytest.MonkeyPatch, **options: Any) -> list[bytes]:
    """What a client gets of a stream with two events and a silence between them."""
    monkeypatch.setattr(responses, "_LOOK_SECONDS", 0.01)
    monkeypatch.setattr(responses, "_PING_SECONDS", 0.02)
    pieces: list[bytes] = []
    pinged = asyncio.Event()

    async def events() -> AsyncIterator[bytes]:
        yield b"first"
        await asyncio.wait_for(pinged.wait(), 60)
        yield b"last"

    async def send(message: Any) -> None:
        if message.get("body"):
            pieces.append(message["body"])
            if len(pieces) == 3:
                pinged.set()

    async def receive() -> Any:
        await asyncio.Event().wait()

    def failed(error: ApiError) -> bytes:
        raise AssertionError(error)

    async def run() -> None:
        exchange = Exchange(Record("id", "", "", ""), receive, send, {})
        await EventStream(events(), error=failed, **options)({KEY: exchange}, receive, exchange.send)

    asyncio.run(run())
    return pieces


def test_a_silence_is_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    first, *pings, last = sent(monkeypatch)
    assert (first, last) == (b"first", b"last") and len(pings) >= 2 and set(pings) == {b": ping\n\n"}


def test_anthropic_pings_are_events(monkeypatch: pytest.MonkeyPatch) -> None:
    assert PING == b'event: ping\ndata: {"type":"ping"}\n\n'
    assert set(sent(monkeypatch, ping=PING)[1:-1]) == {PING}
