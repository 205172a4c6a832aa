"""Non-blocking sending for a child process: at once if the socket has room, otherwise from a thread."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Callable
from typing import Any

from .messages import encoded

_PIECE = 1 << 20


class Outbox:
    """Any thread may send.

    The engine's thread must not wait for the reader, so another thread writes what the socket does not take. `drained`:
    called in that thread when everything is written.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self.drained: Callable[[], None] = lambda: None
        self._rest = bytearray()
        self._changed = threading.Condition()
        threading.Thread(target=self._work, name="wgpt-outbox", daemon=True).start()

    @property
    def is_behind(self) -> bool:
        """Whether the reader has not yet taken everything: postpone what can wait."""
        return bool(self._rest)

    def send(self, *message: Any) -> None:
        data = encoded(message)
        with self._changed:
            sent = 0 if self._rest else self._try(data)
            if sent < len(data):
                self._rest += memoryview(data)[sent:]
                self._changed.notify()

    def _try(self, data: bytes | memoryview) -> int:
        """The number of bytes sent. If the other end is gone, the reading thread ends the process."""
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._rest:
                    self._changed.wait()
            select.select([], [self._socket], [])
            with self._changed:
                sent = self._try(bytes(self._rest[:_PIECE]))
                del self._rest[:sent]
                is_done = not self._rest
            if is_done:
                self.drained()
