"""Projections: products with a layer's weights, in the kernels that fit the number of rows, with what they can take
along: the norm before, bias, residual, LoRA, SwiGLU or GELU after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..gpu import Tensor
from ..kernels.kernel import MOST_BINDINGS
from ..kernels.products import gemm_fused, gemv_fused, lora_down, lora_up, panels
from . import by_rows, integers, matrices
from .backend import GpuBackend, in_integers
from .lazy import Attended, Gated, Lazy, Normed, Sliced, Values
from .lazy import row_count as _rows
from .lora_pool import LoraGroup, LoraPool
from .resident import Linear, Part
from .weight import Weight

_INNER_BYTES = 100 << 10  # of A: more than this is faster to multiply once than in every workgroup
# Of attention slices: more than this is cheaper to combine once than in every workgroup, whose teams read it again and
# again, or which stages it once, as integers.
_JOINT_BYTES, _STAGED_JOINT_BYTES = 48 << 10, 160 << 10


@dataclass(frozen=True, eq=False)
class LowRank:
    """What a projection needs to add LoRA's second product (kernels/products/lora_layout.py): `low`, the first product
    of all rows; or, if it computes that itself (`inner`), `rows`."""

    group: LoraGroup
    tensors: dict[str, Tensor]

    @property
    def inner(self) -> bool:
        return "low" not in self.tensors


class Projections:
    """Those of one forward. `loras`: LoRA adapters, and the index of each row's.

    `fuses`: whether products of few rows compute the norm before them and SwiGLU after them.
    """

    def __init__(
        self, backend: GpuBackend, values: Values, m: int, loras: tuple[LoraPool, Tensor] | None, fuses: bool
    ) -> None:
        self._backend, self._values, self._m, self._loras = backend, values, m, loras
        self._fuses = fuses and m <= gemm_fused.MOST_FEW and backend.fuses
        self._lora_rows: Tensor | None = None
        # Of the rows of the layer that is being computed:
        self._halves: tuple[object, matrices.Halves] | None = None
        self._integers: tuple[object, integers.Integers] | None = None
        self._unscaled: Tensor | None = None  # ones, for halves that need no scale

    def rounds(self, weight: Weight) -> bool:
        """Whether the product of one row with these weights may round it to 16 bits."""
        return self._backend.rounds_activations and weight.type.whole_codes

    def linear(self, x: Tensor | Lazy, layer: Linear, residual: Tensor | None) -> Tensor:
        """residual + x . W^T + bias."""
        project, group = self._one if self._one_by_one(_rows(x), layer) else self._many, self._group(layer)
        if (isinstance(x, Sliced) and not self._joins(x, layer)) or (isinstance(x, Gated) and group is not None):
            x = self._values.value(x)
        apart = self.apart(_rows(x), layer)
        if isinstance(x, Attended) and not (group is None and apart):
            x = self._values.value(x)
        if group is None:
            return self._in_parts(project, x, layer, residual)
        around = (isinstance(x, Normed), layer.biased, residual is not None)
        if self._adapts(x, group) and not apart and not all(around):
            low = self._inner(x, layer, group, sum(around)) or self._low_rank(x, group)
            return self._in_parts(project, x, layer, residual, low)
        x = self._values.value(x)
        y, low = self._in_parts(project, x, layer, residual), self._low_rank(x, group)
        problem = lora_up.problem_of(_rows(x), group.sizes, group.quads)
        self._backend.apply("lora_up", problem, y=y, **low.tensors)
        return y

    def unfused(self, x: Tensor, layer: Linear, residual: Tensor | None) -> Tensor:
        """The same without LoRA, by the kernels for many rows; without matrix units in f32, as training is."""
        return self._in_parts(partial(self._many, rounds=False), x, layer, residual)

    def _in_parts(
        self,
        project: Callable[..., Tensor],
        x: Tensor | Lazy,
        layer: Linear,
        residual: Tensor | None,
        lora: LowRank | None = None,
    ) -> Tensor:
        """Compute a layer's parts into the columns of one result."""
        y, at = None, 0
        for part in layer.parts:
            y = project(x, part, residual, layer.n, at, y, lora=lora)
            at += part.weight.n
        self._halves = self._integers = None
        assert y is not None
        return y.reshape(_rows(x), layer.n)

    def gelu(self, x: Tensor | Normed, layer: Linear) -> Tensor | None:
        """GELU in its tanh form of the projection; None if that takes a dispatch of its own."""
        group, m = self._group(layer), _rows(x)
        one = isinstance(x, Tensor) and self._one_by_one(m, layer) and len(layer.parts) == 1
        if not (one and self._adapts(x, group)):
            return None
        lora = None if group is None else self._inner(x, layer, group, int(layer.biased)) or self._low_rank(x, group)
        return self._one(x, layer.parts[0], None, layer.n, 0, None, "gelu", lora).reshape(m, layer.n)

    def swiglu(self, x: Tensor | Normed, gate_up: Linear) -> Tensor | None:
        """silu(gate) * up; None if that takes a dispatch of its own."""
        m, n, group = _rows(x), gate_up.n // 2, self._group(gate_up)
        one = len(gate_up.parts) == 1 and not gate_up.biased
        if group is not None and len(gate_up.slices) != 2:  # one matrix of both in the file: its LoRA spans both
            one = False
        alone = self._one_by_one(m, gate_up)
        fuses = alone or self._fuses_product(m, gate_up.n) or self._blocks(m, gate_up.n, gate_up.k) > 1
        if not (fuses and one and self._adapts(x, group)):
            return None
        around = int(isinstance(x, Normed))
        lora = None if group is None else self._inner(x, gate_up, group, around, 2) or self._low_rank(x, group)
        project = self._one if alone else self._many
        return project(x, gate_up.parts[0], None, n, 0, None, "swiglu", lora).reshape(m, n)

    # LoRA adapters ------------------------------------------------------------------------------------------

    def _group(self, layer: Linear) -> LoraGroup | None:
        return None if self._loras is None else self._loras[0].group(layer)

    def _adapts(self, x: Tensor | Lazy, group: LoraGroup | None) -> bool:
        """Whether the projection itself can add LoRA's second product, if there is one."""
        few = _rows(x) == 1 or (_rows(x) <= panels.MOST_ROWS and self._fuses)
        return group is None or (self._backend.adapts and few)

    def _joins(self, x: Sliced, layer: Linear) -> bool:
        """Whether the slices are so few that each workgroup of the projection can combine them itself."""
        types = [part.weight.type for part in layer.parts]
        whole = all(x.head_dim % t.chunk == 0 and layer.k % t.row_multiple == 0 for t in types)
        staged = in_integers(self._backend.recorder.device) and all(t.whole_codes for t in types)
        return x.rows == 1 and whole and x.part.nbytes <= (_STAGED_JOINT_BYTES if staged else _JOINT_BYTES)

    def _low_rank(self, x: Tensor | Lazy, group: LoraGroup) -> LowRank:
        """LoRA's first product. Of a norm that is deferred, only the gains: the projection applies the root to both."""
        assert self._loras is not None
        pool, options = self._loras[0], dict[str, Any]()
        tensors = {"rows": self._entries(group), "pool": pool.flat}
        if isinstance(x, Normed):
            tensors |= {"x": x.x, "g": x.gain}
            options["gain"] = True
        elif isinstance(x, Sliced):
            tensors["part"] = x.part
            options = {"splits": x.splits, "head_dim": x.head_dim}
        else:
            tensors["x"] = self._values.value(x)
        options["stride"] = pool.table.shape[1]
        problem = lora_down.problem_of(_rows(x), group.k, group.quads, **options)
        return LowRank(group, {"low": self._backend.apply("lora_down", problem, **tensors)["low"], "pool": pool.flat})

    def _inner(
        self, x: Tensor | Lazy, layer: Linear, group: LoraGroup, around: int, at_once: int = 1
    ) -> LowRank | None:
        """For one row, the projection can compute the first product, too: in every workgroup, which saves a dispatch.

        `around`: how many of gains, bias and residual it binds; `at_once`: slices whose A a workgroup needs.
        """
        assert self._loras is not None
        bindings = max(len(part.weight.planes) for part in layer.parts) + 4 + around
        small = 16 * at_once * group.quads // len(group.slices) * group.k <= _INNER_BYTES
        subgroups = self._backend.recorder.device.traits.subgroups
        if _rows(x) > 1 or isinstance(x, Sliced) or not (small and subgroups and self._backend.fuses):
            return None
        if bindings > MOST_BINDINGS:
            return None
        return LowRank(group, {"rows": self._entries(group), "pool": self._loras[0].flat})

    def _entries(self, group: LoraGroup) -> Tensor:
        """Each row's entry of this group; those of all groups are looked up once."""
        assert self._loras is not None
        pool, indices = self._loras
        adapters, width = pool.table.shape[:2]
        if self._lora_rows is None:
            problem = {"m": self._m, "width": width, "adapters": adapters}
            self._lora_rows = self._backend.apply("lora_rows", problem, loras=indices, table=pool.table)["rows"]
        count = self._m * width - group.at
        return Tensor(self._lora_rows.buffer, (count, 4), "u32", self._lora_rows.offset + 16 * group.at)

    # Kernels, by the number of rows ----------------------------------------------------------------------------

    def _one_by_one(self, m: int, layer: Linear) -> bool:
        """Whether each row's product with a layer is computed as if it were alone."""
        few = m == 1 or (self._fuses and self._group(layer) is None)
        return few and all(by_rows.one_by_one(self._backend, part.weight, m) for part in layer.parts)

    def _one(
        self,
        x: Tensor | Lazy,
        part: Part,
        residual: Tensor | None,
        width: int,
        at: int,
        y: Tensor | None,
        act: str = "none",
        lora: LowRank | None = None,
    ) -> Tensor:
        weight = part.weight
        tensors = dict(weight.planes)
        fused = {"norm": isinstance(x, Normed), "bias": part.bias is not None, "add": residual is not None, "act": act}
        fused["m"] = _rows(x)
        if isinstance(x, Normed):
            tensors |= {"x": x.x, "g": x.gain}
            fused["eps"] = x.eps
        elif isinstance(x, Sliced):
            tensors["part"] = x.part
            fused |= {"splits": x.splits, "head_dim": x.head_dim}
        else:
            tensors["x"] = self._values.value(x)
        if lora is not None:
            tensors |= lora.tensors
            fused |= {"lora": lora.group.sizes, "inner": lora.inner}
            if lora.inner:
                assert self._loras is not None
                fused |= {"low_quads": lora.group.quads, "apart": self._loras[0].apart}
        tensors |= {name: t for name, t in (("b", part.bias), ("r", residual), ("y", y)) if t is not None}
        fused["short"] = self.rounds(weight)
        n = weight.n // 2 if act == "swiglu" else weight.n
        problem = gemv_fused.problem_of(weight.type.name, n, weight.k, width=width, at=at, **fused)
        return self._backend.apply("gemv_fused", problem, **tensors)["y"]

    def _many(
        self,
        x: Tensor | Lazy,
        part: Part,
        residual: Tensor | None,
        width: int,
        at: int,
        y: Tensor | None,
        act: str = "none",
        lora: LowRank | None = None,
        rounds: bool = True,
    ) -> Tensor:
        weight, plain = part.weight, lora is None and act == "none"
        if plain and by_rows.takes_units(self._backend, weight, _rows(x)):
            blocks = matrices.blocks_of(self._backend, part, _rows(x), width)
            return matrices.multiply(self._backend, self._as_halves(x, blocks), part, residual, width, at, y)
        if plain and rounds and by_rows.takes_integers(self._backend, weight, _rows(x)):
            return integers.multiply(self._backend, self._as_integers(x), part, residual, width, at, y)
        tensors = dict(weight.planes)
        fused = {"bias": part.bias is not None, "add": residual is not None, "act": act}
        if isinstance(x, Normed) and self._fuses_product(_rows(x), weight.n):
            tensors |= {"x": x.x, "g": x.gain}
            fused |= {"norm": True, "eps": x.eps}
        else:
            tensors["x"] = self._values.value(x)
        if lora is not None:
            tensors |= lora.tensors
            fused |= {"lora": lora.group.sizes, "low_quads": lora.group.quads}
        tensors |= {name: t for name, t in (("b", part.bias), ("r", residual), ("y", y)) if t is not None}
        m, k = _rows(x), weight.k
        n = weight.n // 2 if act == "swiglu" else weight.n
        blocks = self._blocks(m, weight.n, k) if width == n and "g" not in tensors and lora is None else 1
        if blocks == 1:
            problem = gemm_fused.problem_of(weight.type.name, m, n, k, width=width, at=at, **fused)
            return self._backend.apply("gemm_fused", problem, **tensors)["y"]
        around = {name: tensors.pop(name) for name in ("b", "r") if name in tensors}
        problem = gemm_fused.problem_of(weight.type.name, m, weight.n, k, blocks=blocks)
        parts = self._backend.apply("gemm_fused", problem, **tensors)["y"]
        return self._backend.apply("sum_blocks", {"m": m, "n": n, "blocks": blocks, **fused}, part=parts, **around)["y"]

    def _as_halves(self, x: Tensor | Lazy, blocks: int) -> matrices.Halves:
        """The rows for matrix units, for a product in blocks of k; the parts of a layer share them."""
        if self._halves is None or self._halves[0] is not x:
            if isinstance(x, Attended):
                self._halves = (x, self._attended_halves(x))
                return self._halves[1]
            self._halves = (x, self.in_halves(x, blocks))
        return self._halves[1]

    def in_halves(self, x: Tensor | Lazy, blocks: int = 1) -> matrices.Halves:
        """Rows for matrix units; what was deferred is computed with them where that is possible."""
        rows: Any = x if matrices.fuses(self._backend, x) else self._values.value(x)
        return matrices.left(self._backend, rows, blocks=blocks)

    def _as_integers(self, x: Tensor | Lazy) -> integers.Integers:
        """The rows as integers; the parts of a layer share them."""
        if self._integers is None or self._integers[0] is not x:
            rows = x if isinstance(x, Normed | Gated) and x.done is None else self._values.value(x)
            self._integers = (x, integers.left(self._backend, rows))
        return self._integers[1]

    def apart(self, m: int, layer: Linear) -> bool:
        """Whether a layer's product with m rows is one of halves or integers, without SwiGLU and LoRA."""
        if self._one_by_one(m, layer):
            return False
        adapted = self._group(layer) is not None
        ways = (by_rows.takes_units, by_rows.takes_integers)
        return any(all(takes(self._backend, p.weight, m, adapted=adapted) for p in layer.parts) for takes in ways)

    def _attended_halves(self, x: Attended) -> matrices.Halves:
        """Attention that writes halves itself: means of a cache's halves need no scale."""
        if self._unscaled is None:
            self._unscaled = self._backend.array(np.ones(_rows(x), np.float32))
        out = self._backend.apply(x.kernel, {**x.problem, "halves": True}, **x.tensors)["out"]
        rows, width = out.shape
        return matrices.Halves(out.reshape(1, rows, width), self._unscaled, width, 1)

    def _fuses_product(self, m: int, n: int) -> bool:
        """Whether a product of m x n sums computes the norm before it and SwiGLU after it."""
        return self._fuses and gemm_fused.fuses(self._backend.recorder.device.traits, m, n)

    def _blocks(self, m: int, n: int, k: int) -> int:
        """Number of blocks of k to sum separately: more than one if the result alone would not fill the GPU."""
        return gemm_fused.blocks_of(self._backend.recorder.device.traits, m, n, k) if self._backend.fuses else 1
