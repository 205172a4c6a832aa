"""An HTTP client for measurements: records when each piece of a response arrives, at little cost per piece."""

from __future__ import annotations

import asyncio
import json
import ssl
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from ..core.errors import WgptError


@dataclass(frozen=True)
class Target:
    """The server to measure."""

    host: str
    port: int
    path: str = ""
    tls: bool = False
    key: str = ""

    @classmethod
    def of(cls, url: str, key: str = "") -> Target:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise WgptError(f"{url!r} is not the address of a server, such as http://127.0.0.1:8000")
        tls = parts.scheme == "https"
        path = parts.path.rstrip("/").removesuffix("/v1")
        return cls(parts.hostname, parts.port or (443 if tls else 80), path, tls, key)

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://{self.host}:{self.port}{self.path}"

    def head(self, method: str, path: str, length: int) -> bytes:
        lines = [f"{method} {self.path}{path} HTTP/1.1", f"Host: {self.host}:{self.port}"]
        lines += ["Content-Type: application/json", f"Content-Length: {length}"]
        lines += [f"Authorization: Bearer {self.key}"] if self.key else []
        return "\r\n".join([*lines, "", ""]).encode()


@dataclass
class Answer:
    """A response; `times`: when the pieces of its body arrived."""

    began: float
    status: int = 0
    times: list[float] = field(default_factory=list)
    pieces: list[bytes] = field(default_factory=list)

    @property
    def body(self) -> bytes:
        return b"".join(self.pieces)

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            raise WgptError(f"status {self.status}, and not JSON: {self.body[:200]!r}") from None

    def events(self) -> list[Any]:
        """The JSON objects of an event stream."""
        lines = (line for line in self.body.split(b"\n") if line.startswith(b"data:"))
        return [json.loads(line[5:]) for line in lines if line[5:].strip() not in (b"[DONE]", b"")]


class Connection(asyncio.Protocol):
    """Sends one request after another over one socket; `open` reconnects if the server has closed it."""

    def __init__(self, target: Target) -> None:
        import httptools

        self._target, self._httptools = target, httptools
        self._transport: asyncio.Transport | None = None
        self._answer: Answer | None = None
        self._done: asyncio.Future[None] | None = None
        self._has_body = False

    async def request(self, method: str, path: str, body: bytes = b"") -> Answer:
        loop = asyncio.get_running_loop()
        if self._transport is None:
            secure = ssl.create_default_context() if self._target.tls else None
            try:
                await loop.create_connection(lambda: self, self._target.host, self._target.port, ssl=secure)
            except OSError as e:
                raise WgptError(f"no answer from {self._target.url}: {e.strerror or e}") from None
        assert self._transport is not None
        self._done, self._parser = loop.create_future(), self._httptools.HttpResponseParser(self)
        self._answer = Answer(time.perf_counter())
        self._transport.write(self._target.head(method, path, len(body)) + body)
        await self._done
        return self._answer

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()
            self._transport = None

    # asyncio's side -------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        now, self._has_body = time.perf_counter(), False
        try:
            self._parser.feed_data(data)
        except self._httptools.HttpParserError as e:
            self._fail(f"{self._target.url} does not answer in HTTP: {e}")
        if self._has_body and self._answer is not None:
            self._answer.times.append(now)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._fail(f"{self._target.url} closed the connection in the middle of an answer")

    def _fail(self, message: str) -> None:
        if self._done is not None and not self._done.done():
            self._done.set_exception(WgptError(message))

    # The parser's side ----------------------------------------------------------------------------------------

    def on_body(self, data: bytes) -> None:
        assert self._answer is not None
        self._has_body = True
        self._answer.pieces.append(data)

    def on_message_complete(self) -> None:
        assert self._answer is not None
        self._answer.status = self._parser.get_status_code()
        if not self._parser.should_keep_alive():
            self.close()
        if self._done is not None and not self._done.done():
            self._done.set_result(None)
