"""The LoRA adapters of a model in one pool: every row of a step may use another."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from ..gpu import AllocationError, WgptError
from ..models.network import Network
from ..ops.lora_pool import Factors, LoraPool, nbytes_of

_ROOM = 4  # times the memory of the first adapter: others join without a new pool
_RANK = 64  # ranks up to this one join without a new pool
_ids = itertools.count(1)


@dataclass(eq=False)
class Placed:
    """An adapter in the pool. `id` is never used again, unlike the index: what is cached for it is known by the id.

    Requests that wait hold it, too: a new pool may have another index for it.
    """

    id: int
    index: int
    factors: Factors  # a new pool needs them again


class Loras:
    """A pool that is replaced by a larger one when an adapter does not fit.

    Programs are recorded with a pool; those of the old one must not run any more (`pool` is another object then).
    """

    def __init__(self, network: Network) -> None:
        self._network = network
        self._placed: dict[int, Placed] = {}  # by id
        self._retired: set[int] = set()
        self.pool: LoraPool | None = None

    @property
    def nbytes(self) -> int:
        return 0 if self.pool is None else self.pool.nbytes

    def fits(self, factors: Factors) -> bool:
        """Whether it can join while Programs run."""
        return self.pool is not None and not self.pool.lacks(factors)

    def add(self, factors: Factors) -> int:
        """Upload an adapter; returns its id."""
        if self.pool is None or self.pool.lacks(factors):
            self._replace_pool(factors)
        assert self.pool is not None
        placed = Placed(next(_ids), self.pool.add(factors), factors)
        self._placed[placed.id] = placed
        return placed.id

    def placed(self, id: int) -> Placed:
        if id not in self._placed or id in self._retired:
            raise WgptError("the LoRA adapter was unloaded: attach it again")
        return self._placed[id]

    def retire(self, id: int) -> None:
        """Accept no more requests with an adapter that is about to be removed."""
        self._retired.add(id)

    def remove(self, id: int) -> None:
        """Free an adapter's memory, once no request uses it."""
        assert self.pool is not None
        self.pool.remove(self._placed.pop(id).index)
        self._retired.discard(id)
        if not self._placed:
            self.release()

    def _replace_pool(self, factors: Factors) -> None:
        """Make room for one more adapter; without the memory for it, those that are there stay."""
        kept = [placed.factors for placed in self._placed.values()]
        old, self.pool = self.pool, None
        if old is not None:
            old.release()
        try:
            self.pool = self._pool_for([*kept, factors])
        except AllocationError:
            if kept:
                self.pool = self._pool_for(kept)
            raise
        finally:
            if self.pool is not None:
                for placed in self._placed.values():
                    placed.index = self.pool.add(placed.factors)

    def _pool_for(self, adapters: Sequence[Factors]) -> LoraPool:
        names = {name for each in adapters for name in each}
        layers = [layer for layer in self._network.adaptable if any(s.name in names for s in layer.slices)]
        rank = max(_RANK, *(a.shape[0] for each in adapters for a, _, _ in each.values()))
        needed = sum(map(nbytes_of, adapters))
        try:
            return LoraPool(self._network.device, layers, _ROOM * needed, rank)
        except AllocationError:
            return LoraPool(self._network.device, layers, needed, rank)

    def release(self) -> None:
        if self.pool is not None:
            self.pool.release()
        self.pool = None
        self._placed, self._retired = {}, set()
