"""Weights without contents: what a model takes, before any of it is read."""

from __future__ import annotations

from collections import defaultdict

from ..gpu import GpuDevice, Tensor
from ..ops.resident import Arena, Linear, Part, empty_weight, rows_per_part, slices_of
from .source import Kinds, Named, alike


class EmptySource:
    """Every matrix as `kinds` has it. `sizes` counts the bytes of each type, norms and biases as "vectors"."""

    def __init__(self, device: GpuDevice, kinds: Kinds, expected: int = 0) -> None:
        self.arena = Arena(device)
        self.arena.expect(expected)
        self.sizes: dict[str, int] = defaultdict(int)
        self._device, self._kinds = device, kinds

    @property
    def total(self) -> int:
        return sum(self.sizes.values())

    def linear(self, k: int, *layers: Named, bias: bool = False) -> Linear:
        parts = []
        for kind, group in alike(layers, self._kinds):
            n = sum(rows for _, rows in group)
            step = rows_per_part(self._device, kind, n, k)
            for lo in range(0, n, step):
                rows = min(step, n - lo)
                weight = empty_weight(self.arena, kind, rows, k, group[0][0])
                self.sizes[kind.name] += sum(self.arena.aligned(plane.nbytes) for plane in weight.planes.values())
                parts.append(Part(weight, self._vector(rows) if bias else None))
        return Linear(tuple(parts), slices_of(layers))

    def vector(self, *names: Named) -> Tensor:
        return self._vector(sum(rows for _, rows in names))

    def _vector(self, n: int) -> Tensor:
        found = self.arena.tensor((n,), "f32", "vector")
        self.sizes["vectors"] += self.arena.aligned(found.nbytes)
        return found
