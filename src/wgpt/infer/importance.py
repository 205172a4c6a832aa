"""Sums of squares of the inputs of a model's matrices over a text: what an importance matrix is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..engine.batch import Chunk
from ..gpu import PreconditionError, Program, Recorder, Tensor
from ..models.network import Network
from ..ops.forward import Forward, Rows
from ..ops.lazy import Gated, Lazy, Normed
from ..ops.resident import Linear
from .session import Session

F64 = NDArray[np.float64]
CHUNK = 512  # tokens of a piece, by default
MULTIPLE = 64  # pieces of so many tokens have no padding, which would be counted
_SQUARES = "squares"


class MeasuredForward(Forward):
    """A forward that also sums the squares of each projection's input, [K], by the name of its first matrix."""

    def __init__(self, forward: Forward) -> None:
        self.__dict__ |= forward.__dict__
        self.squares: dict[str, Tensor] = {}

    def linear(self, x: Tensor | Lazy, layer: Linear, residual: Tensor | None = None) -> Tensor:
        return super().linear(self._measured(x, layer), layer, residual)

    def swiglu(self, x: Tensor | Normed, gate_up: Linear) -> Tensor | Gated:
        return super().swiglu(self._measured(x, gate_up), gate_up)

    def geglu(self, x: Tensor | Normed, gate_up: Linear, approximate: str = "tanh") -> Tensor:
        return super().geglu(self._measured(x, gate_up), gate_up, approximate)

    def gelu(self, x: Tensor | Normed, layer: Linear, approximate: str = "tanh") -> Tensor:
        return super().gelu(self._measured(x, layer), layer, approximate)

    def _measured(self, x: Tensor | Lazy, layer: Linear) -> Tensor:
        """x, computed; its squares are added up once, by whichever of these operations comes first."""
        value, name = self.value(x), layer.slices[0].name
        if name not in self.squares:
            rows, width = value.shape
            squared = self._engine.apply("mul", {"n": value.size}, a=value, b=value)["y"]
            problem = {"rows": rows, "hidden": width}
            self.squares[name] = self._engine.apply("column_sum", problem, x=squared.reshape(rows, width))["y"]
        return value


class _MeasuringSession(Session):
    def _record_forward(self, chunk: Chunk, want: str) -> Program:
        assert want == _SQUARES
        with Recorder(self.device, self.heap) as recorder:
            ids = recorder.upload(np.zeros(chunk.m, np.uint32), "ids")
            places = recorder.upload(np.zeros((chunk.m, 2), np.uint32), "places")
            f = MeasuredForward(self._forward(recorder, Rows(chunk.m, ids, places, chunk.decoding, chunk.tile)))
            self.network.family.forward(f)
            return self.fallbacks.note(recorder.finish(**f.squares))

    def squares(self, ids: Sequence[int]) -> dict[str, NDArray[np.float32]]:
        """Of one piece, which is one chunk without padding."""
        self.forget(0)
        ((chunk, sums),) = self._forwards({0: ids}, _SQUARES, len(ids), None)
        assert chunk.m == len(ids)
        return sums


def sums_of_squares(
    network: Network, pieces: Sequence[Sequence[int]], progress: Callable[[int, int, str], None] | None = None
) -> dict[str, F64]:
    """Over pieces of equal length, a multiple of MULTIPLE: [K] by the names of the matrices in the model's blocks."""
    network.check_generates()
    if any(network.config.layer(i).mixture is not None for i in range(network.config.layers)):
        raise PreconditionError(f"{network.config.family}: importance matrices of experts are unsupported")
    joined = {linear.slices[0].name: [each.name for each in linear.slices] for linear in network.inventory.linears}
    totals: dict[str, F64] = {}
    session = _MeasuringSession(network, len(pieces[0]), cache="f32")
    try:
        for i, piece in enumerate(pieces):
            if progress is not None:
                progress(i, len(pieces), "")
            for first, sums in session.squares(piece).items():
                for name in joined[first]:
                    totals[name] = totals.get(name, np.zeros(1)) + sums.astype(np.float64)
    finally:
        session.release()
    return totals
