"""Random weights, made on the GPU: for benchmarks that need no file."""

from __future__ import annotations

import numpy as np

from ..gpu import GpuDevice, Recorder, Tensor
from ..ops.engine import GpuEngine
from ..ops.linear import Weight
from ..ops.resident import Arena, Linear, Part, empty_weight, rows_per_part, slices_of
from ..quant.weights import pack, weight_type
from .source import TABLES, Kinds, Named

_UNIT = 2.0**-12  # weights of a deviation of 0.018


def table_of(dtype: str, table: str | None = None) -> str:
    """The type of random embeddings and heads beside layers of `dtype`."""
    return table or ("f16" if weight_type(dtype).layers_only else dtype)


def random_kinds(dtype: str, table: str | None = None) -> Kinds:
    """How random weights of `dtype` are kept."""
    layers, tables = weight_type(dtype), weight_type(table_of(dtype, table))
    return lambda name: tables if name in TABLES else layers


class RandomSource:
    """Every matrix in one weight type, those in TABLES in another if asked; norms near one, biases small."""

    def __init__(
        self, device: GpuDevice, dtype: str, seed: int = 0, table: str | None = None, expected: int = 0
    ) -> None:
        self.arena = Arena(device)
        self.arena.expect(expected)  # bytes of all of them
        self._device, self._kinds = device, random_kinds(dtype, table)
        self._rng = np.random.default_rng(seed)

    def linear(self, k: int, *layers: Named, bias: bool = False) -> Linear:
        kind = self._kinds(layers[0][0])
        n = sum(rows for _, rows in layers)
        step = rows_per_part(self._device, kind, n, k)
        parts = []
        for lo in range(0, n, step):
            rows = min(step, n - lo)
            weight = empty_weight(self.arena, kind, rows, k, layers[0][0])
            self._fill(weight)
            parts.append(Part(weight, self._small(rows) if bias else None))
        return Linear(tuple(parts), slices_of(layers))

    def _fill(self, weight: Weight) -> None:
        kind, recorder = weight.type, Recorder(self._device)
        engine, words = GpuEngine(recorder), weight.planes["w"]
        seed = int(self._rng.integers(1 << 32))
        form = kind.name if not kind.scale_bits else "bits"
        engine.apply("random_words", {"kind": form, "n": words.size, "seed": seed, "unit": _UNIT}, y=words)
        if kind.scale_bits:
            rows = min(kind.whole_rows, weight.n)  # their scales are made on the host and repeated
            matrix = self._rng.standard_normal((rows, weight.k)).astype(np.float32) * np.float32(74 * _UNIT)
            pattern, scales = pack(matrix, kind.name).s, weight.planes["s"]
            problem = {"n": scales.size, "period": pattern.size}
            engine.apply("repeat_words", problem, x=engine.array(pattern), y=scales)
        with recorder.finish() as program:
            program.run()

    def _small(self, n: int) -> Tensor:
        return self._upload(self._rng.standard_normal(n).astype(np.float32) * np.float32(0.02))

    def vector(self, *names: Named) -> Tensor:
        n = sum(rows for _, rows in names)
        if names[0][0].endswith(".bias"):
            return self._small(n)
        return self._upload(1 + self._rng.standard_normal(n).astype(np.float32) * np.float32(0.1))

    def _upload(self, array: np.ndarray) -> Tensor:
        tensor = self.arena.tensor(array.shape, "f32", "vector")
        self._device.write(tensor, array)
        return tensor
