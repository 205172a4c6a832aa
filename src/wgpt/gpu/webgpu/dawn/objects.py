"""Dawn's objects: each is released when nothing refers to it any more, and counted."""

from __future__ import annotations

import itertools
import sys
from collections import defaultdict
from typing import Any

from ..interrupts import interruptible

_made: dict[str, itertools.count[int]] = defaultdict(itertools.count)  # counters that no thread can disturb
_gone: dict[str, itertools.count[int]] = defaultdict(itertools.count)
_abandoned = False


class Handle:
    """A reference to an object. wgpu-py calls the same thing `_internal`, too: encoding.py takes both."""

    __slots__ = ("__weakref__", "_internal", "_kind", "_lib")

    def __init__(self, lib: Any, kind: str, internal: Any) -> None:
        self._lib, self._kind, self._internal = lib, kind, internal
        next(_made[kind])

    def destroy(self) -> None:
        """Free a buffer's memory at once, unless that is done: in a cycle of garbage, whatever destroys a buffer may be
        finalised after its handle."""
        if self._internal is not None:
            self._lib.wgpuBufferDestroy(self._internal)

    @interruptible
    def __del__(self) -> None:
        if not (_abandoned or sys.is_finalizing() or self._internal is None):
            next(_gone[self._kind])
            internal, self._internal = self._internal, None
            getattr(self._lib, f"wgpu{self._kind}Release")(internal)


def live_objects() -> dict[str, int]:
    """How many buffers, bindGroups, ... are referred to: Dawn itself does not count them."""
    return {f"{kind[0].lower()}{kind[1:]}s": _value(made) - _value(_gone[kind]) for kind, made in list(_made.items())}


def _value(counter: itertools.count[int]) -> int:
    return int(repr(counter)[6:-1])  # count(3)


def abandon() -> None:
    """Release nothing from now on: for a forked child."""
    global _abandoned
    _abandoned = True
