"""Ctrl-C or SIGTERM takes effect between two steps instead of within one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def deferred() -> Iterator[Callable[[], bool]]:
    """Yields a function that returns whether to stop. A second signal takes effect at once.

    After Ctrl-C the caller decides how to go on. SIGTERM ends the process: what must be saved or printed before that
    belongs into the block. A handler of SIGTERM that the program has set stays in place.
    """
    received: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False  # signals reach the main thread only
        return

    def request_stop(number: int, frame: FrameType | None) -> None:
        if received and number == signal.SIGINT:
            raise KeyboardInterrupt
        if received:
            _terminate()
        received.append(number)

    before = {}
    # Ignored signals (of a background job) stay ignored; a handler that was not set by Python cannot be restored.
    if (on_interrupt := signal.getsignal(signal.SIGINT)) not in (signal.SIG_IGN, None):
        before[signal.SIGINT] = on_interrupt
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        before[signal.SIGTERM] = signal.SIG_DFL
    for number in before:
        signal.signal(number, request_stop)
    try:
        yield lambda: bool(received)
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is request_stop:
                signal.signal(number, handler)
        if signal.SIGTERM in received:
            _terminate()


def _terminate() -> None:
    """End the process as SIGTERM does by default, so that its parent sees the reason."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.raise_signal(signal.SIGTERM)
