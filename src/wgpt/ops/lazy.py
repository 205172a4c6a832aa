"""Results of a forward that are not computed yet: the projection that follows can often do it itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..gpu import Tensor


@dataclass(eq=False)
class Normed:
    """RMSNorm of x, not computed yet: for few rows, or on matrix units, the projection that follows computes it."""

    x: Tensor
    gain: Tensor
    eps: float
    done: Tensor | None = None


@dataclass(eq=False)
class Sliced:
    """Attention in slices of the context, not combined yet: for one row, the projection that follows can do it."""

    part: Tensor
    rows: int
    heads: int
    head_dim: int
    splits: int
    done: Tensor | None = None


@dataclass(eq=False)
class Gated:
    """SwiGLU of [rows, 2n], gates first, not computed yet: on matrix units, the projection that follows does it.

    Nothing else may read `both`: blocks of a product may take its place.
    """

    both: Tensor
    done: Tensor | None = None


@dataclass(eq=False)
class Attended:
    """Attention of decoding rows, its kernel not recorded yet: for matrix units, it writes halves.

    It is recorded once, as the one or as the other: it also adds to the cache.
    """

    kernel: str
    problem: dict[str, Any]
    tensors: dict[str, Tensor]
    done: Tensor | None = None


Lazy = Normed | Sliced | Gated | Attended


def row_count(x: Tensor | Lazy) -> int:
    if isinstance(x, Sliced):
        return x.rows
    if isinstance(x, Attended):
        return int(x.problem["rows"])
    return (x.x if isinstance(x, Normed) else x.both if isinstance(x, Gated) else x).shape[0]
