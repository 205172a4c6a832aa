"""Packs examples into batches: rows of several sequences that do not attend to each other.

Each example is a sequence with its own slot of the KV cache. Its rows are contiguous and begin at a multiple of TILE,
as attention requires; rows between and after them are padding, without position, target or weight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.errors import PreconditionError
from ..core.naming import argument
from ..engine.batch import TILE
from ..kernels.attention.attending import PADDING
from ..kernels.grid import ceil_div
from .data import order
from .tokens import Example

_COUNTED, _LEAST_COUNTED = 1_000_000, 3  # examples to pack for counting a run's steps, and the fewest epochs to count


@dataclass(frozen=True, eq=False)
class Batch:
    """A micro-batch. The loss is the sum over rows of weight * cross entropy: over all the micro-batches of an
    optimiser step it is the mean over the step's target tokens."""

    ids: NDArray[np.uint32]  # [M]
    places: NDArray[np.uint32]  # [M, 2]: (slot, position); padding has position 0xffffffff
    targets: NDArray[np.int32]  # [M]: the next token (or a class); -1 if there is none to learn
    weights: NDArray[np.float32]  # [M]: 1 / the step's target tokens, or 0
    runs: NDArray[np.uint32]  # [slots, 2]: first row and count of each sequence; (0, 0) for an empty slot
    tokens: int  # rows that are not padding
    count: int  # target tokens in this micro-batch
    examples: tuple[int, ...]  # the examples' numbers

    @property
    def m(self) -> int:
        return len(self.ids)

    @property
    def slots(self) -> int:
        return len(self.runs)


@dataclass(frozen=True)
class Position:
    """Progress in the data: `index` steps of `epoch` are done. Plain data, for checkpoints."""

    epoch: int = 0
    index: int = 0


def rows_of(length: int) -> int:
    """The rows of a sequence, padding included."""
    return ceil_div(length, TILE) * TILE


def make_batch(
    examples: Sequence[Example], numbers: Sequence[int], step_count: int, m: int | None = None, slots: int | None = None
) -> Batch:
    """The examples with these numbers, in order, padded to `m` rows and `slots` sequences."""
    chosen = [examples[i] for i in numbers]
    needed = sum(rows_of(len(example)) for example in chosen)
    m, slots = needed if m is None else m, len(chosen) if slots is None else slots
    if needed > m or len(chosen) > slots:
        raise PreconditionError(f"{len(chosen)} examples need {needed} rows; the batch has {m} rows and {slots} slots")
    ids = np.zeros(m, np.uint32)
    places = np.full((m, 2), PADDING, np.uint32)
    targets = np.full(m, -1, np.int32)
    runs = np.zeros((slots, 2), np.uint32)
    at = 0
    for slot, example in enumerate(chosen):
        here = slice(at, at + len(example))
        ids[here], targets[here] = example.ids, example.targets
        places[at : at + rows_of(len(example)), 0] = slot
        places[here, 1] = np.arange(len(example))
        runs[slot] = at, len(example)
        at += rows_of(len(example))
    weights = np.where(targets >= 0, np.float32(1 / step_count), np.float32(0)).astype(np.float32)
    tokens, count = sum(map(len, chosen)), int((targets >= 0).sum())
    return Batch(ids, places, targets, weights, runs, tokens, count, tuple(numbers))


class Batches:
    """The steps of a run: which examples are in each; deterministic for a seed.

    `size`: examples in a micro-batch; or `rows`: as many examples as fit into this number of rows (at most `slots`).
    An optimiser step is `accumulate` micro-batches. All batches have `m` rows and `slots` slots, so that one recorded
    step runs them all. The last step of an epoch has the rest. `least`: the fewest rows that a step must have.
    """

    def __init__(
        self,
        examples: Sequence[Example],
        *,
        size: int | None = None,
        rows: int | None = None,
        slots: int | None = None,
        accumulate: int = 1,
        seed: int = 0,
        shuffle: bool = True,
        least: int = 0,
    ) -> None:
        if (size is None) == (rows is None):
            raise PreconditionError("a batch has a number of examples (size) or of rows (rows): set one of them")
        if any(number is not None and number < 1 for number in (size, slots, accumulate)):
            raise PreconditionError(f"size {size}, slots {slots} and accumulate {accumulate} must be at least 1")
        if not examples:
            raise PreconditionError("there are no examples to batch")
        self._packed = rows is not None
        self._examples, self._accumulate, self._seed, self._shuffle = examples, accumulate, seed, shuffle
        self._lengths = [rows_of(len(example)) for example in examples]
        longest = max(self._lengths)
        if rows is not None and rows_of(rows) < longest:
            tokens = max(map(len, examples))
            raise PreconditionError(
                f"the longest example needs {longest} rows ({tokens} tokens, rounded up to a multiple of {TILE}), but "
                f"a batch has {rows_of(rows)}: use {argument('pack', longest)} or more, or a smaller "
                f"{argument('max_tokens')}"
            )
        if size is not None:
            size = min(size, len(examples))
            fitting = sum(sorted(self._lengths)[-size:])  # so that any selection of examples fits
            self.slots, self.m = size, max(fitting, rows_of(least))
        else:
            self.m = rows_of(rows or 0)
            self.slots = min(slots or self.m // TILE, len(examples), self.m // min(self._lengths))

    @property
    def capacity(self) -> int:
        """Cache positions per slot."""
        return max(len(example) for example in self._examples)

    def groups(self, epoch: int | None) -> list[list[int]]:
        """The numbers of the examples in each micro-batch of an epoch; None: in the order of the data."""
        groups: list[list[int]] = [[]]
        free, numbers = self.m, np.arange(len(self._examples))
        if epoch is not None and self._shuffle:
            numbers = order(len(numbers), self._seed, epoch)
        for i in numbers.tolist():
            if len(groups[-1]) == self.slots or self._lengths[i] > free:
                groups.append([])
                free = self.m
            groups[-1].append(i)
            free -= self._lengths[i]
        return groups

    def steps_in(self, epoch: int) -> int:
        """Optimiser steps of an epoch; with `rows`, epochs may differ."""
        return ceil_div(len(self.groups(epoch)), self._accumulate)

    def steps_of(self, epochs: int) -> int:
        """Optimiser steps of `epochs` epochs. Of a long packed run only the first epochs are counted; the others are
        assumed to have their average."""
        if not self._packed:
            return epochs * self.steps_in(0)
        counted = min(epochs, max(_LEAST_COUNTED, _COUNTED // len(self._examples)))
        steps = sum(self.steps_in(epoch) for epoch in range(counted))
        return steps + (epochs - counted) * steps // counted

    def steps(self, start: Position | None = None) -> Iterator[tuple[list[Batch], Position]]:
        """The micro-batches of every step from `start` on, endlessly, and the position after each."""
        start = start or Position()
        epoch, index = start.epoch, start.index
        while True:
            groups = self.groups(epoch)
            while index * self._accumulate < len(groups):
                members = groups[index * self._accumulate : (index + 1) * self._accumulate]
                index += 1
                yield self._step(members), Position(epoch, index)
            epoch, index = epoch + 1, 0

    def once(self, slots: int | None = None) -> Iterator[Batch]:
        """Every example once, in order, for evaluation: the losses of all batches add up to the mean.

        `slots`: the slots of the recorded step, if it has more than these examples need.
        """
        total = sum(example.count for example in self._examples)
        for members in self.groups(None):
            yield make_batch(self._examples, members, total, self.m, slots or self.slots)

    def _step(self, members: list[list[int]]) -> list[Batch]:
        count = sum(self._examples[i].count for group in members for i in group)
        return [make_batch(self._examples, group, count, self.m, self.slots) for group in members]
