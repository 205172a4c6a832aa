"""The Programs of one stage of a model that is split over several GPUs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..gpu import Program, Recorder, Tensor
from ..models.network import Network
from ..ops.backend import GpuBackend
from ..ops.forward import Forward, Heads, Rows
from ..ops.lazy import Attended, Sliced
from ..ops.resident import Linear
from .forward_recorder import Shape
from .packed_rows import PackedRows
from .runner import Runner

HIDDEN = "hidden"  # the input and output of stages: the hidden states of all rows


class StageForward(Forward):
    """A forward through the layers of a stage. `_entering`: what the stage before gave; `leaving`: what this one gives,
    before the final norm."""

    def __init__(self, network: Network, backend: GpuBackend, rows: Rows, *forward: Any) -> None:
        super().__init__(backend, rows, *forward)
        assert network.stage is not None
        self._stage = network.stage
        self._entering: Tensor | None = None
        self.leaving: Tensor | None = None
        if not self._stage.is_first:
            hidden = np.zeros((rows.m, network.config.hidden), np.float32)
            self._entering = backend.recorder.upload(hidden, HIDDEN)

    def embed(self, table: Linear, scale: float = 1.0) -> Tensor:
        return super().embed(table, scale) if self._entering is None else self._entering

    def add_positions(self, x: Tensor, table: Linear) -> Tensor:
        return super().add_positions(x, table) if self._entering is None else x

    def block(self, run: Callable[[Forward, int, Tensor], Tensor], i: int, x: Tensor) -> Tensor:
        if i not in self._stage.layers:
            return x
        x = super().block(run, i, x)
        if i == self._stage.layers[-1]:
            self.leaving = x
        return x

    def attention(self, layer: int, qkv: Tensor, heads: Heads) -> Tensor | Sliced | Attended:
        return super().attention(layer - self._stage.first, qkv, heads)  # the cache has the stage's layers only

    def layernorm(self, x: Tensor, gamma: Tensor, beta: Tensor | None, eps: float) -> Tensor:
        if self.leaving is not None and not self._stage.is_last:  # the final norm, which the last stage has
            return x
        return super().layernorm(x, gamma, beta, eps)  # RMSNorm is computed by what follows it


@dataclass(frozen=True)
class PartShape:
    """What is fixed when the Program of a stage before the last is recorded."""

    rows: int
    decoding: bool
    tile: int = 16
    splits: int = 1
    context: int | None = None
    exact: bool = False


class StageRunner(Runner):
    """A Runner whose network is a stage. Of the last stage, the Programs are those of a Runner, with the hidden states
    as an input; the others have one kind of Program."""

    def __init__(self, network: Network, **settings: Any) -> None:
        super().__init__(network, **settings)
        self.record.forward_type = partial(StageForward, network)

    def step_program(self, shape: Shape) -> Program:
        """Of the last stage."""
        return self._programs.get(shape, partial(self.record.step, shape))

    def part_program(self, shape: PartShape) -> Program:
        """Of a stage before the last."""
        return self._programs.get(shape, partial(self._record_part, shape))

    def _record_part(self, shape: PartShape) -> Program:
        with Recorder(self.device, self.heap) as recorder:
            self.record.begin(recorder, 0)
            packed = PackedRows.record(recorder, shape.rows)
            rows = Rows(shape.rows, packed.ids, packed.places, shape.decoding, shape.tile)
            backend = self.record.backend(recorder, exact=shape.exact)
            f = self.record.forward(backend, rows, packed.loras, shape.splits, shape.context)
            self.network.family.forward(f)
            assert isinstance(f, StageForward) and f.leaving is not None
            return recorder.finish(**{HIDDEN: f.leaving})
