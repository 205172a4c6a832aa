"""Clients of every kind against one server, while its processes are killed one after the other.

SOAK_SECONDS=120 python -m pytest tests/serve/test_soak.py -s -k twenty       a shorter run of the long one
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import httpx
import psutil

from .running import Running
from .test_event_loop import CASES, text
from .test_random_leavers import leave

CLIENTS = 64
SLOW_BYTES, SLOW_SECONDS = 10_000, 1.0  # what a slow reader takes, and how often
PROMPTS = ("a b c", "1, 2, 3,", "the cat", "zebra zebra", "Once upon a time,")
TOKENS = 23
SCHEMA = {
    "type": "object",
    "properties": {"number": {"type": "integer", "minimum": 0, "maximum": 99}, "kind": {"enum": ["cat", "dog"]}},
    "required": ["number", "kind"],
    "additionalProperties": False,
}
TOOL = {"type": "function", "function": {"name": "find", "parameters": SCHEMA}}
HUGE = [name for name, (_, _, status) in CASES.items() if status != 200]
AWAY = (429, 503)  # the queue is full, or the engine is being started again
GARBAGE: tuple[tuple[str, bytes], ...] = (
    ("/v1/completions", b"\x00\xff garbage"),
    ("/v1/completions", b'{"prompt": 5}'),
    ("/v1/completions", b'{"prompt": "a", "temperature": "hot"}'),
    ("/v1/chat/completions", b'{"messages": [{"role": "user"'),
    ("/v1/chat/completions", b'{"messages": {}}'),
    ("/v1/embeddings", b"[]"),
    ("/tokenize", b'{"content": 1}'),
    ("/v1/messages", b"[" * 5000),
)


class Wrong(AssertionError):
    """An answer that is not what it must be."""


class Soak:
    """`expected`: the text of each prompt, from the server when it had nothing else to do."""

    def __init__(self, server: Running, seed: int = 0) -> None:
        self.server, self._seed = server, seed
        self.counts: Counter[str] = Counter()
        self.expected = {
            prompt: server.complete(**self._fields(prompt)).json()["choices"][0]["text"] for prompt in PROMPTS
        }
        self._until = 0.0

    def run(self, seconds: float, kills: float) -> None:
        """For so long; every `kills` seconds, a process is killed."""
        self._until = time.monotonic() + seconds
        asyncio.run(self._run(kills))

    def fill(self) -> None:
        """As much memory as the clients together can have it take: all huge bodies at once."""

        async def send() -> None:
            async with httpx.AsyncClient(base_url=self.server.address, timeout=600, trust_env=False) as http:
                await asyncio.gather(*(self._send_huge(http, name) for name in HUGE * 4))

        asyncio.run(send())

    async def _run(self, kills: float) -> None:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=CLIENTS)
        async with httpx.AsyncClient(base_url=self.server.address, timeout=600, trust_env=False, limits=limits) as http:
            async with asyncio.TaskGroup() as group:
                for number in range(CLIENTS):
                    group.create_task(self._client(http, number))
                group.create_task(self._slow())
                group.create_task(self._kill(kills))

    async def _client(self, http: httpx.AsyncClient, number: int) -> None:
        chance = random.Random(self._seed * 1000 + number)
        kinds: dict[str, Callable[[httpx.AsyncClient, random.Random], Awaitable[None]]] = {
            "whole": self._whole,
            "streamed": self._streamed,
            "left": self._left,
            "garbage": self._garbage,
            "huge": self._huge,
            "schema": self._schema,
            "tool": self._tool,
        }
        weights = [3, 4, 6, 2, 1, 2, 2]
        while time.monotonic() < self._until:
            (kind,) = chance.choices([*kinds], weights)
            try:
                await kinds[kind](http, chance)
                self.counts[kind] += 1
            except _Away:
                self.counts["away"] += 1
                await asyncio.sleep(chance.random())

    # What clients do ----------------------------------------------------------------------------------------

    def _fields(self, prompt: str) -> dict[str, Any]:
        return {"prompt": prompt, "max_tokens": TOKENS, "temperature": 0, "ignore_eos": True}

    async def _whole(self, http: httpx.AsyncClient, chance: random.Random) -> None:
        prompt = chance.choice(PROMPTS)
        answer = _answered(await http.post("/v1/completions", json=self._fields(prompt)))
        self._check(prompt, answer["choices"][0]["text"])

    async def _streamed(self, http: httpx.AsyncClient, chance: random.Random) -> None:
        prompt, got, done = chance.choice(PROMPTS), "", False
        body = {**self._fields(prompt), "stream": True}
        async with http.stream("POST", "/v1/completions", json=body) as response:
            if response.status_code != 200:
                await response.aread()
                _answered(response)
            async for line in response.aiter_lines():
                done = done or line == "data: [DONE]"
                if line.startswith("data: {"):
                    chunk = json.loads(line.removeprefix("data: "))
                    if "error" in chunk:  # the engine was killed
                        raise _Away
                    got += "".join(choice["text"] for choice in chunk["choices"])
        if not done:
            raise Wrong("a stream without its end")
        self._check(prompt, got)

    async def _left(self, http: httpx.AsyncClient, chance: random.Random) -> None:
        await leave(self.server, chance.randrange(1 << 30))

    async def _garbage(self, http: httpx.AsyncClient, chance: random.Random) -> None:
        path, body = chance.choice(GARBAGE)
        response = await http.post(path, content=body)
        if response.status_code not in (400, *AWAY):
            raise Wrong(f"{body!r}: {response.status_code} {response.text[:300]}")

    async def _huge(self, http: httpx.AsyncClient, chance: random.Random) -> None:
        await self._send_huge(http, chance.choice(HUGE))

    async def _send_huge(self, http: httpx.AsyncClient, name: str) -> None:
        path, body, status = CASES[name]
        with suppress(httpx.WriteError, httpx.ReadError, httpx.RemoteProtocolError):  # refused while it was sent
            response = await http.post(path, content=body.encode())
            if response.status_code not in (status, *AWAY):
                raise Wrong(f"{name}: {response.status_code} {response.text[:300]}")

    async def _schema(self, http: httpx.AsyncClient, chance: random.Random) -> None:
        # Some of them are new to the server, and compiled.
        schema = {**SCHEMA, "title": f"number {chance.randrange(1000)}"}
        body = {
            "prompt": chance.choice(PROMPTS),
            "max_tokens": 200,
            "guided_json": schema,
            "seed": chance.randrange(99),
        }
        choice = _answered(await http.post("/v1/completions", json=body))["choices"][0]
        if choice["finish_reason"] == "stop":  # otherwise white space has taken all tokens
            _check_object(json.loads(choice["text"]))
            self.counts["finished schema"] += 1

    async def _tool(self, http: httpx.AsyncClient, chance: random.Random) -> None:
        messages = [{"role": "user", "content": chance.choice(PROMPTS)}]
        body = {"messages": messages, "max_tokens": 400, "tools": [TOOL], "tool_choice": "required", "n": 1}
        choice = _answered(await http.post("/v1/chat/completions", json=body))["choices"][0]
        (call, *_) = choice["message"]["tool_calls"]
        if choice["finish_reason"] == "tool_calls":
            _check_object(json.loads(call["function"]["arguments"]))

    def _check(self, prompt: str, got: str) -> None:
        if got != self.expected[prompt]:
            raise Wrong(f"{prompt!r} gave {got!r}, not {self.expected[prompt]!r}")

    async def _slow(self) -> None:
        """Reads a whole answer of a megabyte as slowly as a bad line does."""
        url = urlsplit(self.server.address)
        body = f'{{"content": {text(90_001, "ab")}, "with_pieces": true}}'.encode()
        while time.monotonic() + 180 < self._until:
            reader, writer = await asyncio.open_connection(url.hostname, url.port, limit=SLOW_BYTES)
            head = f"POST /tokenize HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {len(body)}\r\n\r\n"
            writer.write(head.encode() + body)
            got = b""
            while piece := await reader.read(SLOW_BYTES):
                got += piece
                await asyncio.sleep(SLOW_SECONDS)
            writer.close()
            if not got.endswith(b"0\r\n\r\n"):
                raise Wrong(f"a slow reader got {len(got)} bytes, and no end")
            self.counts["slow"] += 1

    async def _kill(self, seconds: float) -> None:
        """Each process in turn, but that of HTTP, with which all others end."""
        turn = 0
        while time.monotonic() + seconds < self._until:
            await asyncio.sleep(seconds)
            names = ("engine", "grammar", "template")
            for process in processes(self.server).get(names[turn % 3], ()):
                with suppress(psutil.NoSuchProcess):
                    process.kill()
                    self.counts[f"killed {names[turn % 3]}"] += 1
            turn += 1


class _Away(Exception):
    """The server said that it cannot answer now."""


def _answered(response: httpx.Response) -> Any:
    if response.status_code in AWAY:
        raise _Away
    if response.status_code != 200:
        raise Wrong(f"{response.status_code}: {response.text[:300]}")
    return response.json()


def _check_object(value: Any) -> None:
    """As SCHEMA says."""
    if not (set(value) == {"number", "kind"} and 0 <= value["number"] <= 99 and value["kind"] in ("cat", "dog")):
        raise Wrong(f"{value!r} does not fit its schema")


def processes(server: Running) -> dict[str, list[psutil.Process]]:
    """Those that the server has started, by what they are."""
    found: dict[str, list[psutil.Process]] = {}
    engine = server.engine()
    for child in psutil.Process(server.process.pid).children():
        with suppress(psutil.NoSuchProcess):
            command = " ".join(child.cmdline())
            if child == engine:
                kind = "engine"
            else:
                kind = "template" if "template_worker" in command else "grammar" if "spawn_main" in command else "other"
            found.setdefault(kind, []).append(child)
    return found
