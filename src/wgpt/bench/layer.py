"""The time of one layer of a decode step, on the GPU and in NumPy."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..gpu import Program
from ..gpu.profile import time_steps
from ..models.config import Config
from ..models.targets import linear_rows
from .timing import host_seconds, settle

_MATRIX_BYTES = 128 << 20  # bytes of all matrices that NumPy multiplies in turn: more than a CPU caches
_LEAST_ROUNDS, _MOST_ROUNDS, _SECONDS = 5, 20, 1.0


@dataclass(frozen=True)
class LayerTime:
    """On the GPU: all dispatches of the model's layers (norms and attention too) in one pass, divided by their number.

    In NumPy: only the layer's matrix-vector products (for a batch, matrix products), in f32, with the default threads
    of its BLAS; the fastest of several rounds.
    """

    layers: int
    gpu_seconds: float
    numpy_seconds: float

    @property
    def ratio(self) -> float:
        """NumPy's time as a multiple of the GPU's."""
        return self.numpy_seconds / self.gpu_seconds if self.gpu_seconds else 0.0

    def to_dict(self) -> dict[str, Any]:
        return {
            "layers": self.layers,
            "gpu_us": self.gpu_seconds * 1e6,
            "numpy_f32_us": self.numpy_seconds * 1e6,
            "numpy_over_gpu": self.ratio,
        }


def time_layer(program: Program, config: Config, batch: int) -> LayerTime:
    """The time of a layer of a decode step. The replays leave invalid values at the end of the cache."""
    dispatches = [s for launch, s in zip(program.launches, program.steps, strict=True) if launch.layer is not None]
    gpu_seconds = time_steps(program.device, dispatches) / config.layers
    products, copies = _products(config, batch)
    numpy_seconds = _fastest(products) / copies
    if program.device.software:
        settle()
    return LayerTime(config.layers, gpu_seconds, numpy_seconds)


def _fastest(work: Callable[[], object]) -> float:
    """The fastest time, not the median: with few or shared cores, BLAS threads often wait for each other."""
    best, began = math.inf, time.perf_counter()
    for rounds in range(_MOST_ROUNDS):
        if rounds >= _LEAST_ROUNDS and time.perf_counter() - began > _SECONDS:
            break
        best = min(best, host_seconds(work))
    return best


def _products(config: Config, batch: int) -> tuple[Callable[[], None], int]:
    """A function that multiplies the matrices of several layers, too large for the CPU's caches; and the number of
    layers.
    """
    shapes = layer_shapes(config)
    nbytes = 4 * sum(n * k for n, k in shapes)
    copies = min(config.layers, max(1, -(-_MATRIX_BYTES // nbytes)))
    rng = np.random.default_rng(0)
    inputs = {k: rng.standard_normal((k, batch) if batch > 1 else k, np.float32) for _, k in shapes}
    matrices = [rng.standard_normal(shape, np.float32) for _ in range(copies) for shape in shapes]

    def multiply() -> None:
        for matrix in matrices:
            matrix @ inputs[matrix.shape[1]]

    return multiply, copies


def layer_shapes(config: Config) -> list[tuple[int, int]]:
    """(N, K) of the matrices of the first layer."""
    return [(row.shape[0], row.shape[1]) for row in linear_rows(config) if row.layer == 0]
