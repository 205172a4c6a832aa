"""Dawn's objects, counted, and released when nothing refers to them."""

from __future__ import annotations

import itertools
import sys
from collections import defaultdict
from typing import Any

from ..interrupts import interruptible

_made: dict[str, itertools.count[int]] = defaultdict(itertools.count)  # thread-safe counters
_gone: dict[str, itertools.count[int]] = defaultdict(itertools.count)
_abandoned = False


class Handle:
    """A reference to an object. Like wgpu-py's objects, it has `_internal`, so encoding.py accepts both."""

    __slots__ = ("__weakref__", "_internal", "_kind", "_lib")

    def __init__(self, lib: Any, kind: str, internal: Any) -> None:
        self._lib, self._kind, self._internal = lib, kind, internal
        next(_made[kind])

    def destroy(self) -> None:
        """Free a buffer's memory now. Safe to repeat: in a garbage cycle, a buffer's owner may be finalised after its
        handle."""
        if self._internal is not None:
            self._lib.wgpuBufferDestroy(self._internal)

    @interruptible
    def __del__(self) -> None:
        if not (_abandoned or sys.is_finalizing() or self._internal is None):
            next(_gone[self._kind])
            internal, self._internal = self._internal, None
            getattr(self._lib, f"wgpu{self._kind}Release")(internal)


def live_objects() -> dict[str, int]:
    """How many buffers, bindGroups, ... are alive: Dawn itself does not count them."""
    return {f"{kind[0].lower()}{kind[1:]}s": _value(made) - _value(_gone[kind]) for kind, made in list(_made.items())}


def _value(counter: itertools.count[int]) -> int:
    return int(repr(counter)[6:-1])  # reads the next value, as count(3)


def abandon() -> None:
    """Stop releasing objects: for a forked child."""
    global _abandoned
    _abandoned = True
