"""Thousands of clients that leave at random moments: nothing is generated for one that has left."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from .fuzzed_bodies import TINY
from .running import Running, serving, wait_for

# Each leaves without an answer: the number of requests, on a machine with two cores and no GPU.
LEAVERS, AT_ONCE, CONTEXT = int(os.environ.get("LEAVERS", "2000")), 64, 8191
# Seconds after which they leave: most of them before the server has read their request.
DELAYS = (0.0, 0.0, 0.0, 0.001, 0.01, 0.1, 0.5)


def write_tiny(folder: Path, context: int = CONTEXT) -> Path:
    """A model so small that a step takes a millisecond, with a context that takes long to fill."""
    shutil.copytree(TINY, folder)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "max_position_embeddings": context}))
    return folder


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("leavers")
    model = write_tiny(folder / "model")
    with serving(folder / "server", model, "--no-warm-up", "--max-batch", "16", "--cache-memory", "64MiB") as running:
        yield running


def request(chance: random.Random) -> bytes:
    """One that would take minutes."""
    fields: dict[str, Any] = {"max_tokens": CONTEXT - 63, "ignore_eos": True, "temperature": 0}
    fields["stream"] = chance.random() < 0.3
    path = chance.choice(["/v1/completions", "/v1/completions", "/v1/chat/completions", "/v1/embeddings"])
    text = "".join(chance.choices("abcdefgh ", k=chance.choice([3, 17, 41])))
    if path == "/v1/embeddings":
        fields = {"input": [text * 40] * chance.choice([1, 63])}
    elif path == "/v1/completions":
        fields |= {"prompt": text, "n": chance.choice([1, 1, 3])}
    else:
        fields |= {"messages": [{"role": "user", "content": text}]}
    body = json.dumps(fields).encode()
    head = f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


async def leave(server: Running, number: int) -> None:
    """Send a request and go, some with a FIN, others with a RST."""
    chance, url = random.Random(number), urlsplit(server.address)
    _, writer = await asyncio.open_connection(url.hostname, url.port)
    writer.write(request(chance))
    await writer.drain()
    if delay := chance.choice(DELAYS):
        await asyncio.sleep(delay)
    if chance.random() < 0.3:
        connection: socket.socket = writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort() if chance.random() < 0.5 else writer.close()


async def all_leave(server: Running) -> None:
    places = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> None:
        async with places:
            await leave(server, number)

    await asyncio.gather(*(one(number) for number in range(LEAVERS)))


@pytest.mark.full
def test_nothing_is_generated_for_clients_that_have_left(tiny: Running) -> None:
    assert tiny.complete("a b c", max_tokens=3, ignore_eos=True).json()["usage"]["completion_tokens"] == 3
    finished = tiny.metric("request_success_total", finished_reason="length")
    asyncio.run(all_leave(tiny))
    wait_for(tiny.is_idle, 60)  # a single one that is left would take longer
    assert tiny.metric("request_success_total", finished_reason="length") == finished
    assert tiny.metric("request_success_total", finished_reason="abort") > 0
    assert tiny.metric("engine_restarts_total") == 0 and "Traceback" not in tiny.log()
    assert tiny.complete("a b c", max_tokens=3, ignore_eos=True).status_code == 200
