"""Operations of a forward on the rows of its tensors: embeddings, sums, scales, LayerNorm, the finish of logits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..gpu import Tensor
from .engine import GpuEngine
from .resident import Linear


@dataclass(frozen=True, eq=False)
class Rows:
    """The tokens that a forward runs over, in any mixture of sequences.

    `ids` are their token ids, `places` the (slot, position) of each. `decoding`: every row is the next token of a
    different sequence. Otherwise aligned runs of `tile` rows belong to one sequence.
    """

    m: int
    ids: Tensor  # u32 [M]
    places: Tensor  # u32 [M, 2]
    decoding: bool = False
    tile: int = 16


def slice_problem(x: Tensor, gain: Tensor, at: int, eps: float) -> dict[str, Any]:
    """The problem of norm_slice and of its gradient."""
    return {"rows": x.shape[0], "width": x.shape[1], "at": at, "hidden": gain.size, "eps": eps}


class Rowwise:
    """The part of Forward (forward.py) without projections and attention."""

    _engine: GpuEngine
    rows: Rows

    def embed(self, table: Linear, scale: float = 1.0) -> Tensor:
        """Rows of the table, by token id, times `scale`."""
        return self.scaled(self._gather(table, self.rows.ids, self.rows.m), scale)

    def add_positions(self, x: Tensor, table: Linear) -> Tensor:
        """x + the table's rows by position (GPT-2); in place."""
        return self._gather(table, self.rows.places, self.rows.m, stride=2, offset=1, onto=x)

    def _gather(
        self, table: Linear, ids: Tensor, m: int, stride: int = 1, offset: int = 0, onto: Tensor | None = None
    ) -> Tensor:
        y, first = onto, 0
        for part in table.parts:
            weight = part.weight
            problem = {"weight": weight.type.name, "rows": m, "n": weight.n, "k": weight.k, "first": first}
            problem |= {"stride": stride, "offset": offset, "add": onto is not None}
            output = {} if y is None else {"y": y}
            y = self._engine.apply("embed", problem, ids=ids, **weight.planes, **output)["y"]
            first += weight.n
        assert y is not None
        return y

    def layernorm(self, x: Tensor, gamma: Tensor, beta: Tensor | None, eps: float) -> Tensor:
        """LayerNorm with a gain and, if there is one, a shift."""
        m, hidden = x.shape
        problem: dict[str, Any] = {"rows": m, "hidden": hidden, "eps": eps}
        if beta is None:
            return self._engine.apply("layernorm", problem | {"shift": False}, x=x, gamma=gamma)["y"]
        return self._engine.apply("layernorm", problem, x=x, gamma=gamma, beta=beta)["y"]

    def norm_slices(self, x: Tensor, slices: Sequence[tuple[Tensor, int]], eps: float) -> Tensor:
        """RMSNorm of slices of each row, each (gain, first column); in place."""
        for gain, at in slices:
            self._engine.apply("norm_slice", slice_problem(x, gain, at, eps), g=gain, y=x)
        return x

    def add(self, x: Tensor, y: Tensor, scale: float = 1.0) -> Tensor:
        """x + scale * y."""
        return self._engine.apply("add", {"n": x.size}, a=x, b=self.scaled(y, scale))["y"].reshape(*x.shape)

    def add_times(self, x: Tensor, y: Tensor, factor: Tensor) -> Tensor:
        """(x + y) * factor, which is a tensor of one element."""
        return self._engine.apply("add_times", {"n": x.size}, a=x, b=y, s=factor)["y"].reshape(*x.shape)

    def gate_slice(self, x: Tensor, z: Tensor, at: int) -> Tensor:
        """gelu(x) times as many columns of z, from `at` on."""
        problem = {"rows": x.shape[0], "n": x.shape[1], "width": z.shape[1], "at": at}
        return self._engine.apply("gate_slice", problem, x=x, z=z)["y"]

    def scaled(self, x: Tensor, scale: float) -> Tensor:
        """scale * x."""
        if scale == 1.0:
            return x
        return self._engine.apply("scale", {"n": x.size, "alpha": scale}, x=x)["y"].reshape(*x.shape)

    def finished(self, logits: Tensor, head: Linear) -> Tensor:
        """The head's scale and soft cap of its products."""
        logits = self.scaled(logits, head.scale)
        if not head.cap:
            return logits
        problem = {"n": logits.size, "cap": head.cap}
        return self._engine.apply("softcap", problem, x=logits)["y"].reshape(*logits.shape)

    def sum_rows(self, x: Tensor, spans: Tensor) -> Tensor:
        """The sum of each span of rows: (first, how many)."""
        problem = {"rows": x.shape[0], "n": x.shape[1], "spans": spans.shape[0]}
        return self._engine.apply("sum_rows", problem, x=x, spans=spans)["y"]
