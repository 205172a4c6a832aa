"""A forward that adds up the squares of the inputs of a model's matrices: what an importance matrix is made of."""

from __future__ import annotations

from ..gpu import Tensor
from ..ops.forward import Forward
from ..ops.lazy import Gated, Lazy, Normed
from ..ops.resident import Linear


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
            squared = self._backend.apply("mul", {"n": value.size}, a=value, b=value)["y"]
            problem = {"rows": rows, "hidden": width}
            self.squares[name] = self._backend.apply("column_sum", problem, x=squared.reshape(rows, width))["y"]
        return value
