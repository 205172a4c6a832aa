"""The LoRA adapters of a model in one pool: every row of a step may use another."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from ..gpu import AllocationError
from ..models.network import Network
from ..ops.lora_pool import Factors, LoraPool, nbytes_of

_ROOM = 4  # times the memory of the first adapter: others join without a new pool
_RANK = 64  # ranks up to this one join without a new pool
_ids = itertools.count(1)


@dataclass(frozen=True, eq=False)
class Placed:
    """An adapter in the pool. `id` is never used again, unlike the index: what is cached for it is known by the id."""

    id: int
    index: int


class Loras:
    """A pool that is replaced by a larger one when an adapter does not fit.

    Programs are recorded with a pool; those of the old one must not run any more (`pool` is another object then).
    """

    def __init__(self, network: Network) -> None:
        self._network = network
        self._factors: dict[int, Factors] = {}  # by id: a new pool needs them again
        self._indices: dict[int, int] = {}
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
        id = next(_ids)
        self._indices[id], self._factors[id] = self.pool.add(factors), factors
        return id

    def placed(self, id: int) -> Placed:
        return Placed(id, self._indices[id])

    def remove(self, id: int) -> None:
        """Free an adapter's memory, once no request uses it."""
        assert self.pool is not None
        self.pool.remove(self._indices.pop(id))
        del self._factors[id]
        if not self._factors:
            self.release()

    def _replace_pool(self, factors: Factors) -> None:
        everything = [*self._factors.values(), factors]
        names = {name for each in everything for name in each}
        layers = [layer for layer in self._network.adaptable if any(s.name in names for s in layer.slices)]
        rank = max(_RANK, *(a.shape[0] for each in everything for a, _, _ in each.values()))
        needed = sum(map(nbytes_of, everything))
        old, self.pool = self.pool, None
        if old is not None:
            old.release()
        try:
            self.pool = LoraPool(self._network.device, layers, _ROOM * needed, rank)
        except AllocationError:
            self.pool = LoraPool(self._network.device, layers, needed, rank)
        self._indices = {id: self.pool.add(each) for id, each in self._factors.items()}

    def release(self) -> None:
        if self.pool is not None:
            self.pool.release()
        self.pool = None
        self._factors, self._indices = {}, {}
