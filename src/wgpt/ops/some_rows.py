"""Some rows of a forward's result."""

from __future__ import annotations

from ..gpu import Tensor
from .engine import GpuEngine
from .lazy import Normed


def some_rows(engine: GpuEngine, x: Tensor | Normed, indices: Tensor) -> Tensor | Normed:
    """The rows of x with these indices (u32), in their order. A norm stays deferred."""
    if isinstance(x, Normed):
        return Normed(_picked(engine, x.x, indices), x.gain, x.eps)
    return _picked(engine, x, indices)


def _picked(engine: GpuEngine, x: Tensor, indices: Tensor) -> Tensor:
    """As rows of an embedding table."""
    m, width = x.shape
    problem = {"weight": "f32", "rows": indices.size, "n": m, "k": width, "first": 0, "stride": 1, "offset": 0}
    return engine.apply("embed", problem | {"add": False}, ids=indices, w=x)["y"]
