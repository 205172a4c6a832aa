"""The Programs of one stage of a model that is split over several GPUs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..gpu import Program, Recorder, Tensor
from ..models.stages import Stage
from ..ops.forward import Forward, Heads, Rows
from ..ops.lazy import Attended, Sliced
from ..ops.resident import Linear
from .packed_rows import PackedRows
from .runner import Runner, Shape

HIDDEN = "hidden"  # the input and output of stages: the hidden states of all rows


class StageForward(Forward):
    """A forward through the layers of a stage. `entering`: what the stage before gave; `leaving`: what this one gives,
    before the final norm."""

    def __init__(self, stage: Stage, entering: Tensor | None, *forward: Any) -> None:
        super().__init__(*forward)
        self._stage, self._entering = stage, entering
        self.leaving: Tensor | None = None

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

    def _forward(
        self,
        recorder: Recorder,
        rows: Rows,
        indices: Tensor | None,
        splits: int = 1,
        context: int | None = None,
        *,
        exact: bool = False,
    ) -> StageForward:
        stage, entering = self.network.stage, None
        assert stage is not None
        if not stage.is_first:
            entering = recorder.upload(np.zeros((rows.m, self.network.config.hidden), np.float32), HIDDEN)
        backend, loras = self._backend(recorder, exact=exact), self._loras_of(indices)
        return StageForward(stage, entering, backend, rows, self.cache, splits, context, loras)

    def step_program(self, shape: Shape) -> Program:
        """Of the last stage."""
        return self._programs.get(shape, partial(self._record_step, shape))

    def part_program(self, shape: PartShape) -> Program:
        """Of a stage before the last."""
        return self._programs.get(shape, partial(self._record_part, shape))

    def _record_part(self, shape: PartShape) -> Program:
        with Recorder(self.device, self.heap) as recorder:
            self._begin(recorder, 0)
            packed = PackedRows.record(recorder, shape.rows)
            rows = Rows(shape.rows, packed.ids, packed.places, shape.decoding, shape.tile)
            f = self._forward(recorder, rows, packed.loras, shape.splits, shape.context, exact=shape.exact)
            self.network.family.forward(f)
            assert f.leaving is not None
            return recorder.finish(**{HIDDEN: f.leaving})
