"""A client that goes away is not generated for, in whatever state its request is; one that does not read is dropped."""

from __future__ import annotations

import http.client
import json
import socket
import time
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import pytest

from .conftest import KEYS
from .running import Running, text_of, wait_for

MANY = 2000  # tokens that nobody waits for


def send(server: Running, body: dict[str, Any], path: str = "/v1/completions", **options: int) -> socket.socket:
    """Send a request, and read nothing."""
    url = urlsplit(server.address)
    connection = socket.socket()
    for name, value in options.items():
        connection.setsockopt(socket.SOL_SOCKET, getattr(socket, name), value)
    connection.connect((url.hostname, url.port))
    data = json.dumps(body).encode()
    key = f"authorization: Bearer {KEYS[0]}\r\n"
    head = f"POST {path} HTTP/1.1\r\nhost: x\r\n{key}content-type: application/json\r\n"
    connection.sendall(f"{head}content-length: {len(data)}\r\n\r\n".encode() + data)
    return connection


def long(prompt: str = "Once upon a time", **fields: Any) -> dict[str, Any]:
    return {"prompt": prompt, "max_tokens": MANY, "ignore_eos": True, "temperature": 0, **fields}


@pytest.mark.full
@pytest.mark.parametrize("stream", [True, False])
def test_while_it_decodes(small, stream):
    aborted = small.metric("request_success_total", finished_reason="abort")
    connection = send(small, long(stream=stream))
    wait_for(lambda: small.metric("num_requests_running") == 1)
    if stream:
        assert b"200 OK" in connection.recv(1000)
    time.sleep(1)
    connection.close()
    wait_for(small.is_idle)
    assert small.metric("request_success_total", finished_reason="abort") == aborted + 1


@pytest.mark.full
@pytest.mark.parametrize("stream", [True, False])
def test_while_it_waits(small, stream):
    """Two others run: the third waits, is cancelled there, and never begins."""
    aborted = small.metric("request_success_total", finished_reason="abort")
    with ExitStack() as stack:
        for i in range(2):
            stack.enter_context(send(small, long(f"Story {i}:", stream=True)))
        wait_for(lambda: small.metric("num_requests_running") == 2)
        third = send(small, long(stream=stream))
        wait_for(lambda: small.metric("num_requests_waiting") == 1)
        third.close()
        wait_for(lambda: small.metric("num_requests_waiting") == 0)
        assert small.metric("request_success_total", finished_reason="abort") == aborted + 1
        assert small.metric("num_requests_running") == 2
    wait_for(small.is_idle)


@pytest.mark.full
@pytest.mark.parametrize("stream", [True, False])
def test_while_it_is_prefilled(small, stream):
    aborted = small.metric("request_success_total", finished_reason="abort")
    generated = small.metric("generation_tokens_total")
    connection = send(small, long(f"{stream} word" * 800, stream=stream))  # takes seconds
    wait_for(lambda: small.metric("num_requests_running") == 1)
    connection.close()
    wait_for(small.is_idle)
    assert small.metric("request_success_total", finished_reason="abort") == aborted + 1
    assert small.metric("generation_tokens_total") == generated


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/v1/embeddings", "/v1/completions"])
def test_while_its_text_is_only_read(small, path):
    """Embedded, or scored because its log-probabilities were asked for."""
    gone = small.metric("http_requests_total", handler=path, status="499")
    text = f"{path} word" * 60
    body = {"input": [text]} if path == "/v1/embeddings" else long(text, echo=True, logprobs=1)
    connection = send(small, body, path)
    wait_for(lambda: small.metric("num_requests_running") == 1)
    connection.close()
    wait_for(lambda: small.metric("http_requests_total", handler=path, status="499") == gone + 1)
    wait_for(small.is_idle)


@pytest.mark.slow
def test_a_client_that_does_not_read_is_dropped_and_others_do_not_notice(small):
    """Its stream waits for two seconds (--stream-timeout), with more in it than buffers hold."""
    body = {"messages": [{"role": "user", "content": "Tell me a story."}], "logprobs": True, "top_logprobs": 20}
    body |= {"stream": True, "max_tokens": MANY, "ignore_eos": True}
    with send(small, body, "/v1/chat/completions", SO_RCVBUF=4096) as lazy:
        with small.stream("One, two,", max_tokens=20, ignore_eos=True) as stream:
            chunks = list(stream)
        assert text_of(chunks) and "error" not in chunks[-1]
        wait_for(lambda: "the client reads too slowly" in small.log(), 400)
        wait_for(small.is_idle)
        lazy.settimeout(60)
        with pytest.raises(ConnectionResetError):
            while lazy.recv(1 << 16):
                pass


@pytest.mark.full
def test_a_client_that_sends_half_a_body_harms_nobody(small):
    url = urlsplit(small.address)
    connection = http.client.HTTPConnection(url.hostname or "", url.port)
    connection.putrequest("POST", "/v1/completions")
    connection.putheader("authorization", f"Bearer {KEYS[0]}")
    connection.putheader("content-type", "application/json")
    connection.putheader("content-length", "100")
    connection.endheaders(b'{"prompt": ')
    assert small.complete(max_tokens=1).status_code == 200
    connection.close()
    wait_for(lambda: '"status": 499' in small.log())
