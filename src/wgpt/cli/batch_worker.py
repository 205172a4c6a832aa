"""The process of a replica of `wgpt batch`: it takes lines from a pipe and sends their answers back."""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
import traceback
from multiprocessing.connection import Connection
from typing import Any

from ..gpu import WgptError
from ..gpu.naming import as_options
from .batch_flight import EngineCrew
from .batch_job import Job
from .batch_lines import Form

READY, FAILED, ANSWERED = range(3)  # what it sends: (READY,), (FAILED, message), (ANSWERED, [Answered])
_POLL_SECONDS = 0.005
_Line = tuple[int, int, Form]  # place, number, form


def run(job: Job, gpu: str, connection: Connection) -> None:
    """The main function of the process. It ends when the other end of the pipe is closed, whatever happens."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # sent to all processes of a terminal: the first one decides
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    lines: queue.SimpleQueue[_Line] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(connection, lines), name="wgpt-lines", daemon=True).start()
    try:
        with as_options(), job.opened(gpu) as engine:
            connection.send((READY,))
            _answer(EngineCrew(engine, job.defaults, job.max_batch), lines, connection)
    except OSError:  # nobody reads the answers
        os._exit(1)
    except WgptError as e:
        _fail(connection, " ".join(str(e).split()) or type(e).__name__)
    except BaseException as e:
        traceback.print_exc()
        _fail(connection, f"{type(e).__name__}: {e}")


def _fail(connection: Connection, message: str) -> None:
    try:
        connection.send((FAILED, message))
    finally:
        os._exit(1)  # drivers may have threads that do not end


def _read(connection: Connection, lines: queue.SimpleQueue[_Line]) -> None:
    """In a thread of its own, so that whoever sends lines never waits for an answer to be read."""
    try:
        while True:
            lines.put(connection.recv())
    except (EOFError, OSError):
        os._exit(0)


def _answer(crew: EngineCrew, lines: queue.SimpleQueue[Any], connection: Connection) -> None:
    while True:
        while crew.has_room():
            try:
                crew.start(*lines.get(block=not crew.is_busy))
            except queue.Empty:
                break
        finished = crew.finished()
        if finished:
            connection.send((ANSWERED, finished))
        else:
            time.sleep(_POLL_SECONDS)
