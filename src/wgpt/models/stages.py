"""A model's layers in stages, one on each GPU: which layers go where, and a stage's share of the weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise

from ..core.errors import PreconditionError
from ..core.sizes import readable_bytes
from ..gpu import AllocationError, GpuDevice, Tensor
from ..ops.resident import Linear
from .residency import Sizes
from .weight_source import Named, Source


@dataclass(frozen=True)
class Stage:
    """Layers `first` to `end` - 1 of a model with `count` layers. The first stage has the embedding, the last one the
    head; if those are the same matrix (`tied`), both have it."""

    first: int
    end: int
    count: int
    tied: bool = False

    @property
    def layers(self) -> range:
        return range(self.first, self.end)

    @property
    def is_first(self) -> bool:
        return self.first == 0

    @property
    def is_last(self) -> bool:
        return self.end == self.count

    def __str__(self) -> str:
        return f"layers {self.first} to {self.end - 1}" if len(self.layers) > 1 else f"layer {self.first}"


class StageSource:
    """The weights of a stage. Those of the other stages come from `absent`, which gives them no memory."""

    def __init__(self, source: Source, absent: Source, stage: Stage) -> None:
        self._source, self._absent, self._stage = source, absent, stage
        self._layer: int | None = None
        self._embedded = False  # whether layers were requested before: the rest then belongs to the head

    @contextmanager
    def block(self, i: int) -> Iterator[None]:
        self._layer, self._embedded = i, True
        try:
            with self._chosen().block(i):
                yield
        finally:
            self._layer = None

    def _chosen(self) -> Source:
        stage = self._stage
        if self._layer is not None:
            present = self._layer in stage.layers
        elif self._embedded:
            present = stage.is_last
        else:
            present = stage.is_first or (stage.is_last and stage.tied)
        return self._source if present else self._absent

    def linear(self, k: int, *layers: Named, bias: bool = False) -> Linear:
        return self._chosen().linear(k, *layers, bias=bias)

    def vector(self, *names: Named) -> Tensor:
        return self._chosen().vector(*names)


def stage_sizes(sizes: Sizes, stage: Stage) -> Sizes:
    """Bytes of a stage's weights."""
    rest = 0
    if stage.is_first or (stage.is_last and stage.tied):
        rest += sizes.embedding
    if stage.is_last:
        rest += sizes.rest - sizes.embedding
    return Sizes(sizes.blocks[stage.first : stage.end], rest, sizes.embedding)


def plan_stages(sizes: Sizes, devices: Sequence[GpuDevice], tied: bool, reserve: int = 0) -> list[Stage]:
    """A stage for each device, in order, so that the fullest one is as empty as possible.

    `reserve`: bytes of the KV cache and of intermediate results, which layers share alike.
    """
    layers, count = len(sizes.blocks), len(devices)
    if layers < count:
        raise PreconditionError(f"the model has {layers} layers, too few for {count} GPUs: use at most {layers}")
    wanted = sizes.total + (sizes.embedding if tied else 0) + reserve
    rooms = [max(1, device.room(wanted)) for device in devices]

    def load(device: int, first: int, end: int) -> float:
        stage = Stage(first, end, layers, tied)
        return (stage_sizes(sizes, stage).total + reserve * (end - first) / layers) / rooms[device]

    # The best assignment of the layers before `end` to the devices so far: (largest load, where stages end).
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, (0,))}
    for device in range(count):
        left = count - device - 1  # remaining devices, which need a layer each
        ends = range(device + 1, layers - left + 1) if left else [layers]
        best = {
            end: min(
                (max(fullest, load(device, first, end)), (*bounds, end))
                for first, (fullest, bounds) in best.items()
                if first < end
            )
            for end in ends
        }
    _, bounds = best[layers]
    stages = [Stage(first, end, layers, tied) for first, end in pairwise(bounds)]
    for stage, room in zip(stages, rooms, strict=True):
        if stage_sizes(sizes, stage).total > room:
            each = ", ".join(readable_bytes(room) for room in rooms)
            raise AllocationError(
                f"the model's weights, {readable_bytes(sizes.total)}, do not fit on {count} GPUs with {each} free: use "
                "more GPUs, convert the weights to a smaller type, such as q4_1, or use a smaller model"
            )
    return stages
