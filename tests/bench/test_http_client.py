"""The client of `wgpt bench serve`, against sockets that answer well and badly."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from wgpt import WgptError
from wgpt.bench.http_client import Answer, Connection, Target

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
EVENTS = b'data: {"a": 1}\n\ndata: {"a": 2}\n\ndata: [DONE]\n\n'


def chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def answer(body: bytes, *headers: str) -> bytes:
    return "\r\n".join(["HTTP/1.1 200 OK", f"Content-Length: {len(body)}", *headers, "", ""]).encode() + body


def talk(handler: Handler, *requests: tuple[str, str, bytes]) -> list[Answer]:
    """The answers to requests over one Connection."""

    async def run() -> list[Answer]:
        server = await asyncio.start_server(handler, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        connection = Connection(Target("127.0.0.1", port, "/base", key="secret"))
        try:
            return [await connection.request(*request) for request in requests]
        finally:
            connection.close()
            server.close()

    return asyncio.run(run())


async def head_of(reader: asyncio.StreamReader) -> bytes:
    return await reader.readuntil(b"\r\n\r\n")


def test_pieces_have_their_times() -> None:
    heads: list[bytes] = []

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await head_of(reader) + await reader.readexactly(2))
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for event in EVENTS.split(b"\n\n")[:-1]:
            await asyncio.sleep(0.05)
            writer.write(chunk(event + b"\n\n"))
            await writer.drain()
        writer.write(chunk(b""))

    (result,) = talk(handler, ("POST", "/v1/completions", b"{}"))
    assert result.status == 200 and result.body == EVENTS and result.events() == [{"a": 1}, {"a": 2}]
    gaps = [late - early for early, late in zip([result.began, *result.times], result.times, strict=False)]
    assert len(result.times) == 3 and min(gaps) > 0.025
    assert heads[0].startswith(b"POST /base/v1/completions HTTP/1.1\r\n") and heads[0].endswith(b"\r\n\r\n{}")
    assert b"\r\nAuthorization: Bearer secret\r\n" in heads[0] and b"\r\nContent-Length: 2\r\n" in heads[0]


@pytest.mark.parametrize("keeps", [True, False])
def test_one_request_after_the_other(keeps: bool) -> None:
    """Over one socket, or over a new one if the server closes it."""
    sockets = 0

    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sockets
        sockets += 1
        for number in range(3 if keeps else 1):
            await head_of(reader)
            writer.write(answer(f"[{number}]".encode(), *([] if keeps else ["Connection: close"])))
        writer.close()

    results = talk(handler, *[("GET", "/health", b"")] * 3)
    assert [result.json() for result in results] == ([[0], [1], [2]] if keeps else [[0]] * 3)
    assert sockets == (1 if keeps else 3)


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "closed the connection in the middle of an answer"),
        (b"", "closed the connection in the middle of an answer"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "does not answer in HTTP"),
    ],
)
def test_bad_servers(sent: bytes, message: str) -> None:
    async def handler(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await head_of(reader)
        writer.write(sent)
        writer.close()

    with pytest.raises(WgptError, match=message):
        talk(handler, ("GET", "/v1/models", b""))


def test_no_server() -> None:
    async def run() -> None:
        server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        server.close()
        await server.wait_closed()
        await Connection(Target("127.0.0.1", port)).request("GET", "/health")

    with pytest.raises(WgptError, match=r"no answer from http://127\.0\.0\.1"):
        asyncio.run(run())


def test_what_is_not_json() -> None:
    result = Answer(0.0, 502, [0.0], [b"<html>"])
    with pytest.raises(WgptError, match="status 502, and not JSON: b'<html>'"):
        result.json()


def test_addresses() -> None:
    assert Target.of("http://localhost:8000/v1/") == Target("localhost", 8000)
    assert Target.of("https://example.com/llm/v1", "k") == Target("example.com", 443, "/llm", True, "k")
    assert Target.of("http://example.com").url == "http://example.com:80"
    for url in ("example.com:8000", "ftp://example.com", "http://", "http://a/v1?key=x"):
        with pytest.raises(WgptError, match="is not the address of a server"):
            Target.of(url)
