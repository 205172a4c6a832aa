"""Large bodies: those that are answered before their end, and what is left of them on connections that stay open."""

from __future__ import annotations

import http.client
import json
import threading
from urllib.parse import urlsplit

import psutil
import pytest

from .running import Running

MEGABYTE = 1 << 20


def connect(server: Running) -> http.client.HTTPConnection:
    url = urlsplit(server.address)
    return http.client.HTTPConnection(url.hostname or "", url.port, timeout=60)


def refused(connection: http.client.HTTPConnection, size: int) -> int:
    """The status of a body that is refused by its first half megabyte; all of it is sent before that is read."""
    body = b'{"tokens": [' + b"65," * (size // 3) + b"65]}"
    connection.request("POST", "/detokenize", body, {"content-type": "application/json"})
    response = connection.getresponse()
    response.read()
    return response.status


def test_the_connection_is_kept(tiny: Running) -> None:
    """The server used to close it, and a client that was still sending saw that instead of the answer."""
    connection = connect(tiny)
    for _ in range(3):
        assert refused(connection, 8 * MEGABYTE) == 413
        connection.request("GET", "/v1/models")
        response = connection.getresponse()
        assert response.status == 200 and json.loads(response.read())["data"]
    connection.close()


def test_nothing_is_kept_of_a_body(tiny: Running) -> None:
    """The connection is kept open, but not what was sent over it."""
    http = psutil.Process(tiny.process.pid)
    connections = [connect(tiny) for _ in range(24)]
    body = json.dumps({"content": "a b " * (3 * MEGABYTE)}).encode()
    ends = b'{"content": "' + b"a" * (12 * MEGABYTE)  # invalid
    before = http.memory_info().rss
    for number, connection in enumerate(connections):
        connection.request("POST", "/tokenize", ends if number % 2 else body, {"content-type": "application/json"})
        response = connection.getresponse()
        assert response.status == 400 and response.read()
    assert http.memory_info().rss < before + 100 * MEGABYTE
    for connection in connections:
        connection.close()


def test_a_body_without_end_is_not_read_forever(tiny: Running) -> None:
    connection = connect(tiny)
    connection.putrequest("POST", "/detokenize")
    connection.putheader("content-type", "application/json")
    connection.putheader("transfer-encoding", "chunked")
    connection.endheaders()
    piece = b"10000\r\n" + b"65," * 21845 + b"6\r\n"
    connection.send(b'd\r\n{"tokens": [ \r\n')
    with pytest.raises((BrokenPipeError, ConnectionResetError)):
        for _ in range(256 * MEGABYTE // len(piece)):
            connection.send(piece)
    connection.close()


def test_headers_without_end_are_not_read_forever(tiny: Running) -> None:
    connection = connect(tiny)
    connection.putrequest("GET", "/v1/models")
    with pytest.raises((BrokenPipeError, ConnectionResetError)):
        connection.endheaders()
        connection.send(b"")
        connection.sock.sendall(b"GET / HTTP/1.1\r\n" + b"x-a: b\r\n" * MEGABYTE)
        connection.sock.recv(1)
        connection.sock.sendall(b"x-a: b\r\n")
    connection.close()


def test_many_short_texts_beside_others(tiny: Running) -> None:
    """Tokenized away from the event loop, in their order, some at a time."""
    texts = [f"{number} " + "a b c " * 99 for number in range(300)]
    every = tiny.post("/v1/embeddings", {"input": texts}).json()["data"]
    assert [each["index"] for each in every] == list(range(300))
    singles = {}

    def ask(number: int) -> None:
        (singles[number],) = tiny.post("/v1/embeddings", {"input": texts[number]}).json()["data"]

    threads = [threading.Thread(target=ask, args=[number]) for number in (0, 131, 299)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, each in singles.items():
        assert each["embedding"] == pytest.approx(every[number]["embedding"], abs=1e-3)
