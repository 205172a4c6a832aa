"""The LoRA adapters of a model in one pool on each of its GPUs: every row of a step may use another."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..core.errors import WgptError
from ..gpu import AllocationError
from ..models.network import AnyNetwork, Network
from ..ops.lora_pool import Factors, LoraPool, nbytes_of

_ROOM = 4  # times the memory of the first adapter: others join without a new pool
_RANK = 16  # the pool's rank is a multiple of it: one that is larger than needed costs time
_ids = itertools.count(1)


@dataclass(eq=False)
class Placed:
    """An adapter in the pools. `id` is never used again, unlike the index: what is cached for it is known by the id.

    Requests that wait hold it, too: new pools may have another index for it.
    """

    id: int
    index: int
    factors: Factors  # new pools need them again


class Pools(Protocol):
    """What a runner needs of them: the newest pool of each part of the network, or None."""

    @property
    def pools(self) -> Sequence[LoraPool | None]: ...


class Loras:
    """Pools that are replaced by larger ones when an adapter does not fit.

    `pools`: one for each part of the network, in which every adapter has the same index; None where none changes any of
    the layers. Programs are recorded with a pool; those of an old one must not run any more (it is another object).
    """

    def __init__(self, network: AnyNetwork) -> None:
        self._parts = network.parts
        self._placed: dict[int, Placed] = {}  # by id
        self._retired: set[int] = set()
        self.pools: list[LoraPool | None] = [None] * len(self._parts)

    @property
    def pool(self) -> LoraPool | None:
        """That of a model on one GPU."""
        return self.pools[0]

    @property
    def nbytes(self) -> int:
        return sum(pool.nbytes for pool in self.pools if pool is not None)

    def fits(self, factors: Factors) -> bool:
        """Whether it can join while Programs run."""
        own = self._divided(factors)
        return any(self.pools) and all(
            not each if pool is None else not pool.lacks(each) for pool, each in zip(self.pools, own, strict=True)
        )

    def add(self, factors: Factors) -> int:
        """Upload an adapter; returns its id."""
        if not self.fits(factors):
            self._replace_pools(factors)
        placed = Placed(next(_ids), self._upload(factors), factors)
        self._placed[placed.id] = placed
        return placed.id

    def _divided(self, factors: Factors) -> list[Factors]:
        """The factors of each part's layers."""
        if len(self._parts) == 1:
            return [factors]
        names = [{s.name for layer in part.adaptable for s in layer.slices} for part in self._parts]
        assert set(factors) <= set().union(*names), "LoraAdapter.check has let an unknown layer through"
        return [{name: factors[name] for name in factors if name in own} for own in names]

    def _upload(self, factors: Factors) -> int:
        """The index, which is the same in all pools: what is added to one, or removed, is so in all."""
        own = self._divided(factors)
        (index,) = {pool.add(each) for pool, each in zip(self.pools, own, strict=True) if pool is not None}
        return index

    def placed(self, id: int) -> Placed:
        if id not in self._placed or id in self._retired:
            raise WgptError("the LoRA adapter was unloaded: attach it again")
        return self._placed[id]

    def retire(self, id: int) -> None:
        """Accept no more requests with an adapter that is about to be removed."""
        self._retired.add(id)

    def remove(self, id: int) -> None:
        """Free an adapter's memory, once no request uses it."""
        index = self._placed.pop(id).index
        for pool in self.pools:
            if pool is not None:
                pool.remove(index)
        self._retired.discard(id)
        if not self._placed:
            self.release()

    def _replace_pools(self, factors: Factors) -> None:
        """Make room for one more adapter; without the memory for it, those that are there stay."""
        kept = [placed.factors for placed in self._placed.values()]
        self._release_pools()
        try:
            self._make_pools([*kept, factors])
        except AllocationError:
            self._release_pools()
            if kept:
                self._make_pools(kept)
            raise
        finally:
            if any(self.pools):
                for placed in self._placed.values():
                    placed.index = self._upload(placed.factors)

    def _make_pools(self, adapters: Sequence[Factors]) -> None:
        divided = [self._divided(each) for each in adapters]
        for i, part in enumerate(self._parts):
            self.pools[i] = _pool_for(part, [own[i] for own in divided])

    def _release_pools(self) -> None:
        for i, pool in enumerate(self.pools):
            if pool is not None:
                pool.release()
            self.pools[i] = None

    def release(self) -> None:
        self._release_pools()
        self._placed, self._retired = {}, set()


def _pool_for(network: Network, adapters: Sequence[Factors]) -> LoraPool | None:
    names = {name for each in adapters for name in each}
    if not names:
        return None
    layers = [layer for layer in network.adaptable if any(s.name in names for s in layer.slices)]
    rank = -(-max(a.shape[0] for each in adapters for a, _, _ in each.values()) // _RANK) * _RANK
    needed = sum(map(nbytes_of, adapters))
    try:
        return LoraPool(network.device, layers, _ROOM * needed, rank)
    except AllocationError:
        return LoraPool(network.device, layers, needed, rank)
