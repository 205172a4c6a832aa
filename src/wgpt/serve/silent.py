"""Closes connections that send no request, headers without end, or do not read a response, to save files and memory."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import weakref
from typing import Any

import uvicorn

_SILENT_SECONDS = 90.0  # seconds, longer than uvicorn's keep-alive
_LOOK_SECONDS = 10.0
_MOST_FILES = 65536
_MALLOC = {-3: 256 << 10, -8: 2}  # glibc's numbers of M_MMAP_THRESHOLD (in bytes) and M_ARENA_MAX
_TRIM_SECONDS = 10.0
_MOST_HEADERS = 1 << 20  # most bytes of headers; what arrives with them in one piece counts too
_MOST_DROPPED = 64 << 20  # most bytes of a body's rest


def protocol() -> Any:
    """uvicorn's fast HTTP parser, with limited headers."""
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

    class Limited(HttpToolsProtocol):
        """Refuses headers that are too long. The rest of a body that was answered early is read and dropped, up to a
        limit: many clients read a response only after sending everything. A lost connection is not kept."""

        _headers = _dropped = 0  # bytes since the headers began, and of the body's rest

        def data_received(self, data: bytes) -> None:
            self._headers += len(data)
            super().data_received(data)
            too_much = self._headers > _MOST_HEADERS or self._dropped > _MOST_DROPPED
            if too_much and not self.transport.is_closing():
                self.transport.abort()

        def on_headers_complete(self) -> None:
            self._headers = self._dropped = 0
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            self._headers = 0
            if self.cycle.response_complete:
                self._dropped += len(body)
            super().on_body(body)

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            # uvicorn does so only if the client has closed the connection properly. Otherwise its timer would keep the
            # connection, and with it the request, for as long as an idle one may be kept.
            self._unset_keepalive_if_required()

    return Limited


async def close_silent(server: uvicorn.Server) -> None:
    """Close connections on which nothing happens for too long: no request begins, or the client reads nothing of its
    response. A client that reads slowly is not closed. uvicorn itself would wait forever in both cases."""
    seen: weakref.WeakKeyDictionary[Any, tuple[tuple[int, int], float]] = weakref.WeakKeyDictionary()
    while True:
        await asyncio.sleep(_LOOK_SECONDS)
        now = asyncio.get_running_loop().time()
        for connection in list(server.server_state.connections):
            cycle, unread = getattr(connection, "cycle", None), connection.transport.get_write_buffer_size()
            state, since = seen.get(connection, ((id(cycle), unread), now))
            ours = not (cycle is None or cycle.response_complete or unread)  # the response is not ready yet
            if ours or state != (id(cycle), unread):
                since = now
            seen[connection] = ((id(cycle), unread), since)
            if now - since > _SILENT_SECONDS:
                connection.transport.abort()


def give_memory_back() -> None:
    """Make glibc return the memory of large bodies: it otherwise keeps it for reuse, in one arena per thread."""
    with contextlib.suppress(OSError, AttributeError):  # another C library
        for option, value in _MALLOC.items():
            ctypes.CDLL(None).mallopt(option, value)


async def trim_memory() -> None:
    """Return memory that is fragmented by many small blocks."""
    with contextlib.suppress(OSError, AttributeError):  # another C library
        trim = ctypes.CDLL(None).malloc_trim
        while True:
            await asyncio.sleep(_TRIM_SECONDS)
            await asyncio.to_thread(trim, 0)


def raise_file_limit() -> None:
    """Allow as many connections as the system does."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft < wanted:
        with contextlib.suppress(ValueError, OSError):  # macOS reports more than it allows
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
