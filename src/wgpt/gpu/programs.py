"""The cache of recorded Programs: those not used for the longest time are dropped; a thread can record more."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

from .program import Program

_MOST = 128  # Programs to keep: steps and chunks of all sizes
Record = Callable[[], Program]


class Programs:
    """Programs by key, at most `most`. One thread uses it.

    `seconds`: spent on recording and compiling while somebody waited for it, and `waited_for`: whether somebody does
    now; `recorded`: how many were recorded so far. `before` is called before that begins.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._programs: OrderedDict[Hashable, Program] = OrderedDict()
        self._recording = threading.Lock()  # one at a time: they share memory for intermediate results
        self._thread: threading.Thread | None = None
        self._recorded: list[tuple[Hashable, Program | None]] = []  # by the other thread
        self._failed: set[Hashable] = set()  # there; recorded here when needed, so that the error is raised here
        self.seconds, self.waited_for = 0.0, False
        self.recorded = 0
        self.before: Callable[[], None] = lambda: None

    def get(self, key: Hashable, record: Record) -> Program:
        """The Program, recorded now if it does not exist."""
        self._collect()
        program = self._programs.get(key)
        if program is None:
            self.before()
            began, self.waited_for = time.perf_counter(), True
            try:
                with self._recording:
                    program = record()
                    program.compile()  # or the time of its first replay would be the compiler's
                    self._add(key, program)
            finally:
                self.waited_for = False
            self.seconds += time.perf_counter() - began
        self._programs.move_to_end(key)
        return program

    def items(self) -> list[tuple[Hashable, Program]]:
        """All Programs and their keys, the one used last at the end."""
        self._collect()
        return list(self._programs.items())

    def has(self, key: Hashable) -> bool:
        self._collect()
        return key in self._programs

    def near(self, key: Hashable, record: Record, cost: Callable[[Any], Any | None]) -> Any:
        """The key; if its Program does not exist, that of the cheapest one that can do its work while another thread
        records it. `cost`: of the Program of a key; None if it cannot."""
        if self.has(key) or key in self._failed:  # recorded here, so that the error is raised here
            return key
        costs = {other: price for other in self._programs if (price := cost(other)) is not None}
        if not costs:
            return key
        self.record_beside(key, record)
        return min(costs, key=costs.__getitem__)

    def record_beside(self, key: Hashable, record: Record) -> None:
        """Have a Program recorded in another thread, one at a time."""
        if self._thread is not None or key in self._failed:
            return

        def work() -> None:
            program = None
            try:
                with self._recording:
                    program = record()
            except Exception:
                self._failed.add(key)
            self._recorded.append((key, program))

        self._thread = threading.Thread(target=work, name="wgpt-record", daemon=True)
        self._thread.start()

    def _collect(self) -> None:
        """Take what the other thread has recorded."""
        while self._recorded:
            key, program = self._recorded.pop()
            self._thread = None
            if program is not None:
                self._add(key, program)

    def _add(self, key: Hashable, program: Program) -> None:
        self._programs[key] = program
        self.recorded += 1
        while len(self._programs) > self._most:
            self._programs.popitem(last=False)[1].release()

    def remove(self, matches: Callable[[Any], bool]) -> None:
        """Release those whose key matches."""
        for key in [key for key, _ in self.items() if matches(key)]:
            self._programs.pop(key).release()

    def clear(self) -> None:
        """Release all of them."""
        if self._thread is not None:
            self._thread.join()
        self._collect()
        for program in self._programs.values():
            program.release()
        self._programs.clear()
        self._failed.clear()
