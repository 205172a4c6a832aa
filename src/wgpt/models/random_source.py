"""Random weights, generated on the GPU, for benchmarks without files."""

from __future__ import annotations

from contextlib import AbstractContextManager

import numpy as np

from ..gpu import GpuDevice, Recorder, Tensor
from ..ops.backend import GpuBackend
from ..ops.resident import Arena, Linear, Part, empty_weight, slices_of
from ..ops.weight import Weight
from ..quant.weights import pack, weight_type
from .config import Config
from .source import Kinds, cuts
from .weight_recipe import WeightRecipe
from .weight_source import Named

DEFAULT = "f16"  # type of parts that a recipe does not name
_UNIT = 2.0**-12  # for weights with a standard deviation of 0.018


def random_kinds(config: Config, dtype: str = DEFAULT, table: str | None = None) -> Kinds:
    """The types of random weights: by the recipe `dtype`, and `table` for the embedding and the head."""
    type_of = WeightRecipe.parse(dtype, table).types(config)
    return lambda name: type_of(name) or weight_type(DEFAULT)


class RandomSource:
    """Every matrix has the type from `kinds`; norms are near 1, biases small."""

    def __init__(
        self, device: GpuDevice, kinds: Kinds, seed: int = 0, expected: int = 0, arena: Arena | None = None
    ) -> None:
        self.arena = arena or Arena(device)
        self.arena.expect(expected)  # size of all weights in bytes
        self._device, self._kinds = device, kinds
        self._rng = np.random.default_rng(seed)

    def block(self, i: int) -> AbstractContextManager[None]:
        return self.arena.block(i)

    def linear(self, k: int, *layers: Named, bias: bool = False) -> Linear:
        parts = []
        for kind, group, lo, hi in cuts(self._device, k, layers, self._kinds):
            weight = empty_weight(self.arena, kind, hi - lo, k, group[0][0])
            self._fill(weight)
            parts.append(Part(weight, self._small(hi - lo) if bias else None))
        return Linear(tuple(parts), slices_of(layers))

    def _fill(self, weight: Weight) -> None:
        kind, recorder = weight.type, Recorder(self._device)
        backend, words = GpuBackend(recorder), self.arena.home(weight.planes["w"])
        seed = int(self._rng.integers(1 << 32))
        form = kind.name if not kind.scale_bits else "bits"
        backend.apply("random_words", {"kind": form, "n": words.size, "seed": seed, "unit": _UNIT}, y=words)
        if kind.scale_bits:
            rows = min(kind.whole_rows, weight.n)  # scales are generated on the host and repeated
            matrix = self._rng.standard_normal((rows, weight.k)).astype(np.float32) * np.float32(74 * _UNIT)
            pattern, scales = pack(matrix, kind.name).s, self.arena.home(weight.planes["s"])
            if head := kind.head.size:
                self._device.write(scales.window(0, head), kind.head)
                scales = scales.window(head, scales.size - head)
            problem = {"n": scales.size, "period": pattern.size}
            backend.apply("repeat_words", problem, x=backend.array(pattern), y=scales)
        with recorder.finish() as program:
            program.run()

    def _small(self, n: int) -> Tensor:
        return self._upload(self._rng.standard_normal(n).astype(np.float32) * np.float32(0.02))

    def vector(self, *names: Named) -> Tensor:
        n = sum(rows for _, rows in names)
        if names[0][0].endswith(".bias"):
            return self._small(n)
        if names[0][0].endswith("_log"):  # decay rates, and their biases
            return self._upload(-self._rng.uniform(0.01, 1.0, n).astype(np.float32))
        return self._upload(1 + self._rng.standard_normal(n).astype(np.float32) * np.float32(0.1))

    def _upload(self, array: np.ndarray) -> Tensor:
        tensor = self.arena.tensor(array.shape, "f32", "vector")
        self._device.write(self.arena.home(tensor), array)
        return tensor
