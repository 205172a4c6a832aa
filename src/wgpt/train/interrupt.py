"""Ctrl-C (or a polite kill) between two steps instead of in the middle of one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def deferred() -> Iterator[Callable[[], bool]]:
    """Gives a function that says whether somebody wants to stop. A second Ctrl-C is not waited with."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked.is_set  # signals reach the main thread only
        return

    def ask(number: int, frame: FrameType | None) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()

    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    # What is ignored (a job in the background) stays ignored; a handler that is not Python's cannot be put back.
    before = {number: held for number, held in handlers.items() if held not in (signal.SIG_IGN, None)}
    for number in before:
        signal.signal(number, ask)
    try:
        yield asked.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
