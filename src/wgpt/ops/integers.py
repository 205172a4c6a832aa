"""Products of many rows as integers, where there are no matrix units, and their rows as integers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..gpu import Tensor
from ..kernels.products import gemm_integers, row_integers
from .backend import GpuBackend
from .lazy import Gated, Normed
from .resident import Part


@dataclass(frozen=True, eq=False)
class Integers:
    """Rows of integers of 16 bits; `info`: the step of each 32 of them, and their sums."""

    h: Tensor
    info: Tensor


def left(backend: GpuBackend, x: Tensor | Normed | Gated) -> Integers:
    """Rows as integers; what was deferred is computed with them."""
    tensors, options = dict[str, Tensor](), dict[str, Any]()
    if isinstance(x, Normed):
        tensors, options = {"x": x.x, "g": x.gain}, {"act": "norm", "eps": x.eps}
    elif isinstance(x, Gated):
        tensors, options = {"x": x.both}, {"act": "swiglu"}
    else:
        tensors = {"x": x}
    m, width = tensors["x"].shape
    problem = row_integers.problem_of(m, width // 2 if isinstance(x, Gated) else width, **options)
    return Integers(**backend.apply("row_integers", problem, **tensors))


def multiply(
    backend: GpuBackend, x: Integers, part: Part, residual: Tensor | None, width: int, at: int, y: Tensor | None
) -> Tensor:
    """residual + x . W^T + bias, into columns of wider rows."""
    weight, m = part.weight, x.h.shape[0]
    around = {name: t for name, t in (("b", part.bias), ("r", residual), ("y", y)) if t is not None}
    fused = {"bias": part.bias is not None, "add": residual is not None}
    problem = gemm_integers.problem_of(weight.type.name, m, weight.n, weight.k, width=width, at=at, **fused)
    return backend.apply("gemm_integers", problem, x=x.h, info=x.info, **weight.planes, **around)["y"]
