"""Many clients at once: a tenth leave early, a tenth are wrong. Nothing is lost, wrong, or kept."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import psutil
import pytest

from .running import Running, events, text_of, wait_for

pytestmark = pytest.mark.slow

# On two cores without a GPU, 1,000 requests take a quarter of an hour: LOAD_REQUESTS=1000, and -s for the figures.
CLIENTS, REQUESTS, TOKENS = 16, int(os.environ.get("LOAD_REQUESTS", "100")), 4
# Their continuations are so likely that no rounding changes them.
PROMPTS = ("1, 2, 3, 4, 5, 6,", "The capital of France is", "a b c d e f g h", "Monday, Tuesday, Wednesday,")
WRONG: tuple[dict[str, Any], ...] = (
    {"prompt": 5},
    {"prompt": "a", "max_tokens": -1},
    {"prompt": "a", "temperature": "hot"},
    {"prompt": "a", "unknown_field": 1},
    {"prompt": "word " * 9000},
)


class Client:
    """One of the clients; it has a connection of its own."""

    def __init__(self, server: Running, texts: dict[str, str]) -> None:
        self._server, self._texts = server, texts
        self._http = httpx.Client(timeout=600, trust_env=False)

    def ask(self, number: int) -> str:
        """One request; returns what it was."""
        chance = random.Random(number)
        kind = chance.choice(["wrong", "left", *["whole"] * 4, *["streamed"] * 4])
        if kind == "wrong":
            response = self._post(chance.choice(WRONG))
            assert response.status_code == 400 and response.json()["error"]["message"], response.text
            return kind
        prompt = chance.choice(PROMPTS)
        body = {"prompt": prompt, "max_tokens": TOKENS, "temperature": 0}
        if kind == "whole":
            response = self._post(body)
            assert response.status_code == 200, response.text
            assert response.json()["choices"][0]["text"] == self._texts[prompt]
            return kind
        body |= {"stream": True, "max_tokens": TOKENS if kind == "streamed" else 500}
        with self._http.stream("POST", f"{self._server.address}/v1/completions", json=body) as response:
            assert response.status_code == 200
            if kind == "left":
                next(events(response))
            else:
                assert text_of(list(events(response))) == self._texts[prompt]
        return kind

    def _post(self, body: dict[str, Any]) -> httpx.Response:
        return self._http.post(f"{self._server.address}/v1/completions", json=body)


def memory(server: Running) -> list[int]:
    """Bytes of both processes."""
    return [process.memory_info().rss for process in (psutil.Process(server.process.pid), server.engine())]


def run(server: Running, clients: list[Client], numbers: range) -> Counter[str]:
    """Each client does its share, one after the other."""
    with ThreadPoolExecutor(len(clients)) as threads:
        shares = [
            threads.submit(lambda c, i: [c.ask(n) for n in numbers[i :: len(clients)]], c, i)
            for i, c in enumerate(clients)
        ]
        return Counter(kind for share in shares for kind in share.result())


def test_many_requests(server):
    began = time.monotonic()
    texts = {p: server.complete(p, max_tokens=TOKENS).json()["choices"][0]["text"] for p in PROMPTS}
    clients = [Client(server, texts) for _ in range(CLIENTS)]
    warm_up = max(50, REQUESTS // 5)  # Programs of all sizes are recorded, and buffers are allocated
    counts = run(server, clients, range(warm_up))
    before = memory(server)
    counts += run(server, clients, range(warm_up, REQUESTS))
    assert sum(counts.values()) == REQUESTS and min(counts.values()) >= REQUESTS // 20
    wait_for(server.is_idle)
    wait_for(lambda: server.metric("kv_cache_usage_perc") == 0)
    after = memory(server)
    mib = [f"{then >> 20} -> {now >> 20}" for then, now in zip(before, after, strict=True)]
    print(f"{REQUESTS} requests of {CLIENTS} clients in {time.monotonic() - began:.0f} s: {dict(counts)}")
    print(f"MiB after {warm_up} requests and at the end: server {mib[0]}, engine {mib[1]}; no page in use")
    for now, then in zip(after, before, strict=True):
        assert now < then + (64 << 20), f"{now - then} bytes more"
