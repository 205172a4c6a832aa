"""Work that a low layer needs and a higher layer does, run when it is first needed.

at_first_use("families", load_them)     # called by the package itself, which may import every layer
first_use("families")                   # called by a low layer, which may not import a higher one
"""

from __future__ import annotations

import threading
from collections.abc import Callable

_lock = threading.RLock()  # another thread waits until the work is done
_waiting: dict[str, Callable[[], object]] = {}


def at_first_use(subject: str, work: Callable[[], object]) -> None:
    """Register `work`, to run when `subject` is first needed."""
    _waiting[subject] = work


def first_use(subject: str) -> None:
    """Run the registered work: once, or again if it failed."""
    with _lock:
        work = _waiting.pop(subject, None)
        if work is None:
            return
        try:
            work()
        except BaseException:
            _waiting[subject] = work
            raise
