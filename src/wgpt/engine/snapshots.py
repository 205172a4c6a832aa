"""Which states of layers are kept on the GPU: a later prompt that begins the same way goes on from there.

Layers with a state (states.py) have it at one position of one sequence only, so a chain of shared pages is of use only
up to where a state was kept. Nothing here touches the GPU: copies are submitted in order with the work around them, so
a place that is given back may be used at once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from ..core.sizes import PAGE

INTERVAL = 16 * PAGE  # positions between the states that are kept of a long prompt


@dataclass(frozen=True)
class Saved:
    """A state that was kept of a sequence, but whose chain is not known yet: its first `pages` full pages.

    `rolling`: the next one takes its place in the end.
    """

    pages: int
    place: int
    rolling: bool


class Snapshots:
    """`count` places for the states of a sequence, by the id of the chain that ends there.

    >>> snapshots = Snapshots(2)
    >>> snapshots.keep(7, snapshots.take())
    True
    >>> snapshots.find([3, 7, 8])
    (2, 0)
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._unused = list(range(count - 1, -1, -1))
        self._places: OrderedDict[int, int] = OrderedDict()  # by chain, least recently used first

    @property
    def kept(self) -> int:
        return len(self._places)

    def find(self, chains: Sequence[int]) -> tuple[int, int | None]:
        """How many of these chains, each a page longer than the one before, can be used, and the place of the state."""
        for count in range(len(chains), 0, -1):
            place = self._places.get(chains[count - 1])
            if place is not None:
                self._places.move_to_end(chains[count - 1])
                return count, place
        return 0, None

    @property
    def full(self) -> bool:
        """Whether a new state takes the place of another."""
        return not self._unused

    def take(self) -> int | None:
        """A place for a new state; None if all are taken by sequences that run. Of those that are kept, the one that
        was used least recently is forgotten."""
        if self._unused:
            return self._unused.pop()
        return self._places.popitem(last=False)[1] if self._places else None

    def keep(self, chain: int, place: int) -> bool:
        """The place has the state at the end of this chain. False: one that was kept there before is as good."""
        if chain in self._places:
            self._places.move_to_end(chain)
            self.give_back(place)
            return False
        self._places[chain] = place
        return True

    def drop(self, chain: int) -> None:
        """Forget the state at the end of a chain, if there is one."""
        place = self._places.pop(chain, None)
        if place is not None:
            self.give_back(place)

    def give_back(self, place: int) -> None:
        self._unused.append(place)

    def forget(self) -> None:
        for chain in list(self._places):
            self.drop(chain)
