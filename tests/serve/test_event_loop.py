"""No request keeps the server from answering others: /health beside large and hostile requests."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import httpx
import pytest

from .health_probe import Probe, probing
from .running import Running, serving, wait_for
from .test_random_leavers import write_tiny

LATEST = 0.1  # seconds
MEGABYTE = 1 << 20
pytestmark = pytest.mark.full  # a server of its own, and a dozen megabytes many times


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("event-loop")
    model = write_tiny(folder / "model")
    with serving(folder / "server", model, "--no-warm-up", "--max-batch", "16", "--cache-memory", "64MiB") as running:
        running.complete("a b c", max_tokens=3)
        yield running


def brackets(size: int) -> str:
    return "[" + "[]," * (size // 3) + "0]"


def ids(count: int) -> str:
    return "[" + "65," * (count - 1) + "65]"


def text(size: int, of: str = "a b ") -> str:
    return json.dumps((of * (size // len(of) + 1))[:size])


CASES: dict[str, tuple[str, str, int]] = {
    "4 MB with pieces": ("/tokenize", f'{{"content": {text(4 * MEGABYTE)}, "with_pieces": true}}', 400),
    "12 MB": ("/tokenize", f'{{"content": {text(12 * MEGABYTE)}}}', 400),
    "half a MB with pieces": ("/tokenize", f'{{"content": {text(MEGABYTE // 2 - 1)}, "with_pieces": true}}', 200),
    "half a MB with strings": ("/tokenize", f'{{"prompt": {text(MEGABYTE // 2 - 1)}, "return_token_strs": true}}', 200),
    "half a MB without spaces": ("/tokenize", f'{{"content": {text(MEGABYTE // 2 - 1, "abcdefg")}}}', 200),
    "15 MB without spaces": ("/tokenize", f'{{"content": {text(15 * MEGABYTE, "abcdefg")}}}', 400),
    "15 MB to complete": ("/v1/completions", f'{{"prompt": {text(15 * MEGABYTE, "abc")}}}', 400),
    "8 MB": ("/tokenize", f'{{"content": {text(8 * MEGABYTE - 2)}}}', 400),
    "15 MB in 31 strings": ("/v1/completions", f'{{"prompt": [{", ".join([text(MEGABYTE // 2)] * 31)}]}}', 400),
    "15 MB of messages": ("/v1/messages/count_tokens", f'{{"messages": {text(15 * MEGABYTE)}}}', 400),
    "15 MB of brackets": (
        "/v1/chat/completions",
        f'{{"messages": [{{"role": "user", "content": "a"}}], "metadata": {{"a": {brackets(15 * MEGABYTE)}}}}}',
        413,
    ),
    "60,000 lists": ("/v1/completions", f'{{"prompt": "a", "metadata": {{"a": {brackets(180_000)}}}}}', 200),
    "12,000 messages": (
        "/v1/chat/completions",
        json.dumps({"messages": [{"role": "user", "content": "a"}] * 12_000, "max_tokens": 1}),
        400,
    ),
    "3 million ids": ("/detokenize", f'{{"tokens": {ids(3_000_000)}}}', 413),
    "200,000 ids": ("/detokenize", f'{{"tokens": {ids(200_000)}}}', 400),
    "65,536 ids": ("/detokenize", f'{{"tokens": {ids(65_536)}}}', 200),
    "3 million ids to complete": ("/v1/completions", f'{{"prompt": {ids(3_000_000)}}}', 413),
    "200,000 ids to complete": ("/v1/completions", f'{{"prompt": {ids(200_000)}}}', 400),
    "15 MB of escapes": ("/tokenize", '{"content": "' + "\\n" * (7 * MEGABYTE) + '"}', 413),
    "a million escapes": ("/tokenize", '{"content": "' + "\\n" * (MEGABYTE - 1) + '"}', 400),
    "log-probabilities": (
        "/v1/chat/completions",
        json.dumps(
            {
                **{"messages": [{"role": "user", "content": "a"}], "n": 31, "max_tokens": 63, "ignore_eos": True},
                **{"logprobs": True, "top_logprobs": 20},
            }
        ),
        200,
    ),
}


@pytest.fixture(scope="module")
def probe(server: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Probe]:
    out = tmp_path_factory.mktemp("probe") / "answers"
    with probing(server.address, server.process.pid, out) as running:
        wait_for(lambda: len(running.answers()) > 3)
        yield running


@pytest.mark.parametrize("name", CASES)
def test_health_beside(server: Running, probe: Probe, name: str) -> None:
    path, body, status = CASES[name]
    began = time.monotonic()
    try:
        response = server.client.post(server.address + path, content=body.encode())
        assert response.status_code == status, response.text[:500]
        response.json()
    except (httpx.WriteError, httpx.ReadError):  # refused while it was sent
        assert status == 413
    answers = probe.since(began, wait_for)
    slowest = max(answers, key=lambda answer: answer.quiet)
    assert all(answer.status == 200 for answer in answers)
    assert slowest.quiet < LATEST, f"/health took {1e3 * slowest.quiet:.0f} ms"
    assert server.metric("engine_restarts_total") == 0
