"""Results of a forward that are not computed yet: the projection that follows can often do it itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..gpu import Tensor
from .backend import GpuBackend


@dataclass(eq=False)
class Normed:
    """RMSNorm of x, not computed yet: the projection that follows does it for few rows, and in halves or integers."""

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
    """SwiGLU of [rows, 2n], gates first, not computed yet: a projection in halves or integers does it."""

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


class Values:
    """Computes what was deferred, when it is needed after all."""

    def __init__(self, backend: GpuBackend) -> None:
        self._backend = backend

    def value(self, x: Tensor | Lazy) -> Tensor:
        """x as a tensor, computed now if it was deferred."""
        if isinstance(x, Tensor):
            return x
        if x.done is None:
            kinds = {Sliced: self._joined, Normed: self._normed, Gated: self._gated_now, Attended: self._attended_now}
            compute: Any = kinds[type(x)]
            x.done = compute(x)
        return x.done

    def _normed(self, x: Normed) -> Tensor:
        m, hidden = x.x.shape
        return self._backend.apply("rmsnorm", {"rows": m, "hidden": hidden, "eps": x.eps}, x=x.x, g=x.gain)["y"]

    def _gated_now(self, x: Gated) -> Tensor:
        rows, width = x.both.shape
        return self._backend.apply("swiglu", {"rows": rows, "n": width // 2}, x=x.both)["y"]

    def _joined(self, x: Sliced) -> Tensor:
        problem = {"rows": x.rows, "heads": x.heads, "head_dim": x.head_dim, "splits": x.splits}
        return self._backend.apply("attention_combine", problem, part=x.part)["out"]

    def _attended_now(self, x: Attended) -> Tensor:
        return self._backend.apply(x.kernel, x.problem, **x.tensors)["out"]
