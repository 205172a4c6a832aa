"""When the states of a sequence's layers are kept, and for whom: what the scheduler does about snapshots.py."""

from __future__ import annotations

from ..core.sizes import PAGE
from .sequence import Sequence
from .snapshots import INTERVAL, Saved, Snapshots


class StateSaves:
    """`restores` and `saves`: copies before the next work, from a place, and after it, to a place; (slot, place).

    Where layers have no states, there are no `snapshots`, and nothing is done.
    """

    def __init__(self, snapshots: Snapshots | None) -> None:
        self.snapshots = snapshots
        self.restores: list[tuple[int, int]] = []
        self.saves: list[tuple[int, int]] = []

    def _stops(self, sequence: Sequence) -> list[int]:
        """Where a prompt's chunks end, because states are saved there: at its last full page, after the pages that
        others have in common with it, and every so often."""
        if self.snapshots is None or sequence.reads:
            return []
        regular = -(-sequence.filled // INTERVAL) * INTERVAL
        last = sequence.to_fill // PAGE * PAGE
        stops = regular, sequence.filled // INTERVAL * INTERVAL + INTERVAL, PAGE * sequence.known_pages, last
        return [at for at in stops if 0 < at <= last]

    def next_stop(self, sequence: Sequence) -> int:
        """Where its next chunk ends at the latest."""
        return min((at for at in self._stops(sequence) if at > sequence.filled), default=sequence.to_fill)

    def after_chunk(self, sequence: Sequence) -> None:
        if sequence.filled in self._stops(sequence):
            self._save(sequence, rolling=False)

    def after_step(self, sequence: Sequence) -> None:
        """At the end of each page. The next one takes its place: a conversation goes on from where it ended."""
        if self.snapshots is not None and not sequence.filled % PAGE:
            self._save(sequence, rolling=True)

    def _save(self, sequence: Sequence, *, rolling: bool) -> None:
        """Keep the states that it has when what is decided now has run."""
        assert self.snapshots is not None and sequence.slot is not None
        if rolling and self.snapshots.full and sequence.rolling is not None:  # rather its own than those of others
            self.snapshots.drop(sequence.rolling)
            sequence.rolling = None
        place = self.snapshots.take()
        if place is not None:
            self.saves.append((sequence.slot, place))
            sequence.saved.append(Saved(sequence.filled // PAGE, place, rolling))

    def linked(self, sequence: Sequence) -> None:
        """Another page of it is known: the states that were saved at its end can be found now."""
        chain = sequence.chain
        if self.snapshots is None or not isinstance(chain, int):
            return
        for saved in [s for s in sequence.saved if s.pages == sequence.linked]:
            sequence.saved.remove(saved)
            if self.snapshots.keep(chain, saved.place) and saved.rolling:
                if sequence.rolling is not None:
                    self.snapshots.drop(sequence.rolling)
                sequence.rolling = chain

    def forget(self, sequence: Sequence) -> None:
        """It leaves its slot: what was saved of it, but cannot be found, never will be."""
        for saved in sequence.saved:
            assert self.snapshots is not None
            self.snapshots.give_back(saved.place)
        sequence.saved, sequence.rolling = [], None
