"""The child's side: its end of the connection, and how the process ends."""

from __future__ import annotations

import faulthandler
import os
import select
import signal
import socket
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

from ..core.errors import WgptError
from .messages import CALL, CANCEL, DONE, FAILED, READY, REFUSED, TOLD, Decoder
from .outbox import Outbox

_PIECE = 1 << 20
_CLOSE_SECONDS = 3.0


def run(connection: socket.socket, work: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """The main function of a child process: runs `work(link, *arguments)`. The process ends when its parent closes the
    connection, whatever it is doing."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # sent to all processes at once: the parent decides
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    with suppress(RuntimeError, OSError, ValueError):  # without a usable stderr
        faulthandler.enable()
    link = Link(connection)
    code = 0
    try:
        work(link, *arguments)
    except WgptError as e:
        code = 1
        link.fail(" ".join(str(e).split()) or type(e).__name__)
    except BaseException as e:
        report()
        code = 1
        link.fail(f"{type(e).__name__}: {e}")
    os._exit(code)  # drivers may have threads that do not end


def report() -> None:
    """Print the traceback if stderr is usable."""
    with suppress(OSError, ValueError):
        traceback.print_exc()


def or_exit(work: Callable[..., None]) -> Callable[..., None]:
    """Decorator for the main function of a thread: if it raises, the process ends and is restarted, as it would hang
    with a thread less.
    """

    @wraps(work)
    def guarded(*arguments: Any) -> None:
        try:
            work(*arguments)
        except BaseException:
            report()
            os._exit(1)

    return guarded


class Link:
    """The child's end of the connection. Any thread may send, without waiting for the parent to read."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self._socket = connection
        self._outbox = Outbox(connection)

    def listen(
        self,
        call: Callable[..., None],
        cancel: Callable[[int], None] = lambda number: None,
        stop: Callable[[], None] = lambda: os._exit(0),
        drained: Callable[[], None] = lambda: None,
    ) -> None:
        """Read messages in a thread from now on. Call it before anything slow: it also ends the process.

        call: gets the number of a call, which `done` or `refuse` answers, and its arguments. cancel: gets the number of
        a call whose result is no longer needed. drained: called when the parent has read everything after being behind.
        """
        self._outbox.drained = drained
        threading.Thread(target=self._read, args=(call, cancel, stop), name="wgpt-inbox", daemon=True).start()

    @or_exit
    def _read(self, call: Callable[..., None], cancel: Callable[[int], None], stop: Callable[[], None]) -> None:
        decoder = Decoder()
        while True:
            select.select([self._socket], [], [])
            try:
                data = self._socket.recv(_PIECE)
            except BlockingIOError:
                continue
            except OSError:
                data = b""
            if not data:  # the parent has ended
                os._exit(0)
            for kind, *arguments in decoder.add(data):
                if kind == CALL:
                    call(*arguments)
                elif kind == CANCEL:
                    cancel(*arguments)
                else:
                    stop()

    @property
    def is_behind(self) -> bool:
        """Whether the parent is behind in reading: postpone what can wait."""
        return self._outbox.is_behind

    def ready(self, info: Any = None) -> None:
        """Tell the parent that calls are answered from now on."""
        self._outbox.send(READY, info)

    def done(self, number: int, result: Any) -> None:
        self._outbox.send(DONE, number, result)

    def refuse(self, number: int, reason: Any) -> None:
        self._outbox.send(REFUSED, number, reason)

    def tell(self, *message: Any) -> None:
        """Send a message that answers no call."""
        self._outbox.send(TOLD, *message)

    def fail(self, message: str) -> None:
        """Tell the parent why the process ends, and give it a moment to read that."""
        self._outbox.send(FAILED, message)
        deadline = time.monotonic() + _CLOSE_SECONDS
        while self._outbox.is_behind and time.monotonic() < deadline:
            time.sleep(0.01)
