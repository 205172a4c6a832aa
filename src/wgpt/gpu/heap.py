"""Shared memory for intermediate results, planned by their lifetimes."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from typing import NamedTuple

from .buffer import Buffer, Tensor
from .core import Core
from .errors import ValidationError
from .launch import Launch
from .pool import size_class


class Planned(Buffer):
    """Stands for a buffer until the Program is finished and its memory is assigned."""

    def __init__(self, device: Core, size: int, label: str) -> None:
        self.device, self.label, self.handle = device, label, None
        self.size = max(16, (size + 15) // 16 * 16)

    @property
    def released(self) -> bool:
        return False


class Lifetime(NamedTuple):
    """The lifetime of a planned buffer: the first and last dispatch that use it."""

    buffer: Planned
    first: int
    last: int


class Heap:
    """Buffers shared by the intermediate results of several Programs.

    Programs of one heap run one after another on one queue, so each may overwrite the others' results. Record the
    largest first: the smaller ones then fit into its buffers.
    """

    def __init__(self, device: Core) -> None:
        self.device = device
        self._buffers: list[Buffer] = []

    @property
    def nbytes(self) -> int:
        return sum(b.size for b in self._buffers)

    def place(self, lives: Sequence[Lifetime]) -> dict[int, Buffer]:
        """Assign a buffer to each planned one (by id); those with disjoint lifetimes share.

        Large ones are placed first: in order of time, small long-lived ones would take large buffers.
        """
        spans: dict[int, list[tuple[int, int]]] = {id(buffer): [] for buffer in self._buffers}
        places: dict[int, Buffer] = {}
        for planned, first, last in sorted(lives, key=lambda life: (-life.buffer.size, life.first)):
            for buffer in self._buffers:  # the smallest first
                if buffer.size >= planned.size and _free(spans[id(buffer)], first, last):
                    break
            else:
                buffer = Buffer(self.device, size_class(planned.size), label="heap")
                insort(self._buffers, buffer, key=lambda b: b.size)
                spans[id(buffer)] = []
            insort(spans[id(buffer)], (first, last))
            places[id(planned)] = buffer
        return places

    def release(self) -> None:
        """Free all buffers. Programs placed here refuse to run afterwards."""
        for buffer in self._buffers:
            buffer.release()
        self._buffers = []


def _free(spans: Sequence[tuple[int, int]], first: int, last: int) -> bool:
    """Whether none of these sorted, disjoint spans overlaps [first, last]."""
    i = bisect_left(spans, (first, first))
    return (i == len(spans) or spans[i][0] > last) and (i == 0 or spans[i - 1][1] < first)


def needed(launches: Sequence[Launch], kept: Sequence[Tensor]) -> list[Launch]:
    """Drop dispatches whose results are never read, such as those after a prompt's last keys and values."""
    live = {id(tensor.buffer) for tensor in kept}
    remaining = []
    for launch in reversed(launches):
        outputs = [b.tensor.buffer for b in launch.bindings if b.access == "read_write"]
        if any(not isinstance(buffer, Planned) or id(buffer) in live for buffer in outputs):
            live |= {id(b.tensor.buffer) for b in launch.bindings}
            remaining.append(launch)
    return remaining[::-1]


def check_written(launches: Sequence[Launch]) -> None:
    """Refuse a dispatch that reads a planned buffer which nothing has written."""
    written = set[int]()
    for launch in launches:
        for bound in launch.bindings:
            buffer = bound.tensor.buffer
            if bound.access == "read" and isinstance(buffer, Planned) and id(buffer) not in written:
                raise ValidationError(
                    f"{launch.label} reads {bound.name}, {bound.tensor}, which no dispatch writes before"
                )
        written |= {id(bound.tensor.buffer) for bound in launch.bindings if bound.access == "read_write"}


def lifetimes_of(launches: Sequence[Launch], kept: Sequence[Tensor]) -> list[Lifetime]:
    """The lifetimes of planned buffers; those of `kept` tensors last to the end."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    planned: dict[int, Planned] = {}
    for i, launch in enumerate(launches):
        for bound in launch.bindings:
            buffer = bound.tensor.buffer
            if isinstance(buffer, Planned):
                planned[id(buffer)] = buffer
                first.setdefault(id(buffer), i)
                last[id(buffer)] = i
    for tensor in kept:
        if isinstance(tensor.buffer, Planned):
            if id(tensor.buffer) not in planned:
                raise ValidationError(f"{tensor} is an output, but no dispatch writes it")
            last[id(tensor.buffer)] = len(launches)
    return [Lifetime(planned[key], first[key], last[key]) for key in planned]


def placed(tensor: Tensor, places: dict[int, Buffer]) -> Tensor:
    """The tensor in the buffer it was assigned."""
    if not isinstance(tensor.buffer, Planned):
        return tensor
    return Tensor(places[id(tensor.buffer)], tensor.shape, tensor.dtype, tensor.offset)
