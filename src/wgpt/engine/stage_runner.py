"""The Programs of one stage of a model that is split over several GPUs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..gpu import Program, Recorder, Tensor
from ..models.stages import Stage
from ..ops.forward import Forward, Heads, Rows
from ..ops.lazy import Sliced
from ..ops.resident import Linear
from .read_outputs import Outputs
from .runner import Runner, Shape
from .sampling import Mode
from .slots import ALIGN

HIDDEN = "hidden"  # the input and output of stages: the hidden states of all rows
ROWS = "rows"  # the input of stages before the last


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

    def attention(self, layer: int, qkv: Tensor, heads: Heads) -> Tensor | Sliced:
        return super().attention(layer - self._stage.first, qkv, heads)  # the cache has the stage's layers only

    def layernorm(self, x: Tensor, gamma: Tensor, beta: Tensor | None, eps: float) -> Tensor:
        if self.leaving is not None and not self._stage.is_last:  # the final norm, which the last stage has
            return x
        return super().layernorm(x, gamma, beta, eps)  # RMSNorm is computed by what follows it


class PackedRows:
    """What a stage before the last gets of its rows, in one array: one write takes less time than three."""

    def __init__(self, rows: int) -> None:
        (ids, places, loras), size = _offsets(rows)
        self.words = np.zeros(size, np.uint32)
        self.ids, self.loras = self.words[ids : ids + rows], self.words[loras:]
        self.places = self.words[places : places + 2 * rows].reshape(rows, 2)

    @staticmethod
    def record(recorder: Recorder, rows: int) -> tuple[Tensor, Tensor, Tensor]:
        """(ids, places, indices of LoRA adapters) of the input."""
        (ids, places, loras), size = _offsets(rows)
        packed = recorder.upload(np.zeros(size, np.uint32), ROWS)
        return packed.window(ids, rows), packed.window(places, rows, 2), packed.window(loras, rows)


@functools.cache
def _offsets(rows: int) -> tuple[tuple[int, int, int], int]:
    """Where ids, places and LoRA indices begin, in words, and how many words there are."""
    places = -(-rows // ALIGN) * ALIGN
    loras = places + -(-2 * rows // ALIGN) * ALIGN
    return (0, places, loras), loras + rows


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
        engine, loras = self._engine(recorder, exact=exact), self._loras_of(indices)
        return StageForward(stage, entering, engine, rows, self.cache, splits, context, loras)

    def shape(self, rows: int, length: int, mode: Mode) -> Shape:
        """That of a step of so many rows."""
        return self._shape(rows, length, mode, 0)

    def bucket(self, rows: int) -> int:
        return self._bucket(rows)

    def step_program(self, shape: Shape) -> Program:
        """Of the last stage."""
        return self._programs.get(shape, partial(self._record_step, shape))

    def chunk_program(self, m: int, tile: int, outputs: Outputs) -> Program:
        """Of the last stage."""
        return self._programs.get((m, tile, outputs), partial(self._record_prefill, m, tile, outputs))

    def part_program(self, shape: PartShape) -> Program:
        """Of a stage before the last."""
        return self._programs.get(shape, partial(self._record_part, shape))

    def _record_part(self, shape: PartShape) -> Program:
        with Recorder(self.device, self.heap) as recorder:
            self._begin(recorder, 0)
            ids, places, loras = PackedRows.record(recorder, shape.rows)
            rows = Rows(shape.rows, ids, places, shape.decoding, shape.tile)
            f = self._forward(recorder, rows, loras, shape.splits, shape.context, exact=shape.exact)
            self.network.family.forward(f)
            assert f.leaving is not None
            return self.fallbacks.note(recorder.finish(**{HIDDEN: f.leaving}))
