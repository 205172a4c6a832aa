"""Keeps Ctrl-C from getting lost: Python prints and drops exceptions raised in C callbacks and destructors."""

from __future__ import annotations

import functools
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_kept: list[BaseException] = []  # exceptions raised where they cannot propagate, until the next poll


def keep(error: BaseException) -> None:
    """Have the next poll raise it."""
    _kept.append(error)


def raise_kept() -> None:
    """Raise the kept exception, if in the main thread: signals belong to it, whichever thread polls."""
    if _kept and threading.current_thread() is threading.main_thread():
        error = _kept.pop()
        _kept.clear()
        raise error


@contextmanager
def interrupt_held_back() -> Iterator[None]:
    """Defer Ctrl-C until the block ends. For short calls into wgpu-py that call back into Python."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield  # signals are handled in the main thread only, and may be ignored
        return
    pressed: list[FrameType | None] = []
    signal.signal(signal.SIGINT, lambda _, frame: pressed.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if pressed:
            handler(signal.SIGINT, pressed[0])


def interruptible(destructor: Callable[[Any], None]) -> Callable[[Any], None]:
    """A `__del__` that runs to its end if Ctrl-C comes within it; the next poll raises KeyboardInterrupt."""

    @functools.wraps(destructor)
    def guarded(self: Any) -> None:
        if sys.is_finalizing():
            destructor(self)
            return
        try:
            with interrupt_held_back():
                destructor(self)
        except KeyboardInterrupt as e:
            keep(e)

    return guarded
