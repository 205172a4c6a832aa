"""Weights without contents, to compute the size of a model before it is read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from ..gpu import GpuDevice, Tensor
from ..ops.resident import Arena, Linear, Part, empty_weight, slices_of
from .source import Kinds, cuts
from .weight_source import Named


class EmptySource:
    """Every matrix has the type from `kinds`. `sizes` counts the bytes by type, norms and biases as "vectors"."""

    def __init__(self, device: GpuDevice, kinds: Kinds, expected: int = 0) -> None:
        self.arena = Arena(device)
        self.arena.expect(expected)
        self.sizes: dict[str, int] = defaultdict(int)
        self._device, self._kinds = device, kinds
        self.blocks: list[int] = []  # bytes per block
        self.embedding = 0  # bytes before the first block

    @property
    def total(self) -> int:
        return sum(self.sizes.values())

    @contextmanager
    def block(self, i: int) -> Iterator[None]:
        before = self.total
        if not self.blocks:
            self.embedding = before
        yield
        self.blocks.append(self.total - before)

    def linear(self, k: int, *layers: Named, bias: bool = False) -> Linear:
        parts = []
        for kind, group, lo, hi in cuts(self._device, k, layers, self._kinds):
            weight = empty_weight(self.arena, kind, hi - lo, k, group[0][0])
            self.sizes[kind.name] += sum(self.arena.aligned(plane.nbytes) for plane in weight.planes.values())
            parts.append(Part(weight, self._vector(hi - lo) if bias else None))
        return Linear(tuple(parts), slices_of(layers))

    def vector(self, *names: Named) -> Tensor:
        return self._vector(sum(rows for _, rows in names))

    def _vector(self, n: int) -> Tensor:
        tensor = self.arena.tensor((n,), "f32", "vector")
        self.sizes["vectors"] += self.arena.aligned(tensor.nbytes)
        return tensor
