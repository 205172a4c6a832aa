"""Connections that send no request, headers without end, or read no answer: closed, so that they do not use up files
and memory."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import weakref
from importlib.util import find_spec
from typing import Any

import uvicorn

_SILENT_SECONDS = 90.0  # longer than the time for which uvicorn keeps a connection between requests
_LOOK_SECONDS = 10.0
_MOST_FILES = 65536
_MMAP_THRESHOLD, _LARGE = -3, 256 << 10  # an option of glibc's mallopt; bytes
_MOST_HEADERS = 1 << 20  # bytes; what comes with them in one piece counts, too


def protocol() -> Any:
    """uvicorn's way to read requests: the fast one if it is installed, with a limit on headers, which the other has."""
    if find_spec("httptools") is None:
        return "h11"
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

    class Limited(HttpToolsProtocol):
        _unfinished = 0  # bytes since the headers began

        def data_received(self, data: bytes) -> None:
            self._unfinished += len(data)
            super().data_received(data)
            if self.cycle is not None and not self.cycle.response_complete:
                self._unfinished = 0
            elif self._unfinished > _MOST_HEADERS and not self.transport.is_closing():
                self.transport.abort()

        def on_headers_complete(self) -> None:
            self._unfinished = 0
            super().on_headers_complete()

    return Limited


async def close_silent(server: uvicorn.Server) -> None:
    """Close connections on which nothing happens for too long: no request has begun, or the client takes nothing of
    its answer. One that reads slowly is waited for. uvicorn itself waits for both without limit."""
    seen: weakref.WeakKeyDictionary[Any, tuple[tuple[int, int], float]] = weakref.WeakKeyDictionary()
    while True:
        await asyncio.sleep(_LOOK_SECONDS)
        now = asyncio.get_running_loop().time()
        for connection in list(server.server_state.connections):
            cycle, unread = getattr(connection, "cycle", None), connection.transport.get_write_buffer_size()
            state, since = seen.get(connection, ((id(cycle), unread), now))
            ours = not (cycle is None or cycle.response_complete or unread)  # the answer is being made
            if ours or state != (id(cycle), unread):
                since = now
            seen[connection] = ((id(cycle), unread), since)
            if now - since > _SILENT_SECONDS:
                connection.transport.abort()


def give_memory_back() -> None:
    """Have large bodies leave memory when they are done with: glibc otherwise keeps what it thinks is needed again."""
    with contextlib.suppress(OSError, AttributeError):  # another C library
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)


def raise_file_limit() -> None:
    """As many connections as the system allows."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft < wanted:
        with contextlib.suppress(ValueError, OSError):  # macOS allows less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
