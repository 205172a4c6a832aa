"""The order of a program's accesses to memory: what is outstanding since the last barrier."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Hazards:
    """What was read and written since the last barrier: a program's block operations happen in order.

    Two accesses through the same pointer in the same layout are the same thread's, if there are no copies.
    """

    reads: dict[int, set[object]] = field(default_factory=dict)
    writes: dict[int, set[object]] = field(default_factory=dict)

    def copy(self) -> Hazards:
        return Hazards({k: set(v) for k, v in self.reads.items()}, {k: set(v) for k, v in self.writes.items()})

    def merge(self, other: Hazards) -> None:
        for mine, theirs in ((self.reads, other.reads), (self.writes, other.writes)):
            for key, accesses in theirs.items():
                mine.setdefault(key, set()).update(accesses)
