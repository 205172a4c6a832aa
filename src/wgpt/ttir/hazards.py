"""Tracks a program's memory accesses since the last barrier, to decide where barriers are needed."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Hazards:
    """Buffers that were read and written since the last barrier: block operations of a program happen in order.

    Two accesses through the same pointer in the same layout are made by the same thread, unless elements are
    replicated.
    """

    reads: dict[int, set[object]] = field(default_factory=dict)
    writes: dict[int, set[object]] = field(default_factory=dict)

    def copy(self) -> Hazards:
        return Hazards({k: set(v) for k, v in self.reads.items()}, {k: set(v) for k, v in self.writes.items()})

    def merge(self, other: Hazards) -> None:
        for mine, theirs in ((self.reads, other.reads), (self.writes, other.writes)):
            for key, accesses in theirs.items():
                mine.setdefault(key, set()).update(accesses)
