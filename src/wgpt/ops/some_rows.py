"""Some rows of a forward's result."""

from __future__ import annotations

from ..gpu import Tensor
from .backend import GpuBackend
from .lazy import Normed


def some_rows(backend: GpuBackend, x: Tensor | Normed, indices: Tensor) -> Tensor | Normed:
    """The rows of x with these indices (u32), in their order. A norm stays deferred."""
    if isinstance(x, Normed):
        return Normed(_taken(backend, x.x, indices), x.gain, x.eps)
    return _taken(backend, x, indices)


def _taken(backend: GpuBackend, x: Tensor, indices: Tensor) -> Tensor:
    m, width = x.shape
    return backend.apply("take_rows", {"rows": indices.size, "of": m, "n": width}, ids=indices, x=x)["y"]
