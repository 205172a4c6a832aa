"""The operations of a model's forward. Each picks its kernels by stage: one row, or many."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..gpu import Tensor
from ..kernels.attention import attention_matrix
from ..kernels.attention.attention_decode import DECODE, slices_of_few
from ..kernels.kernel import MOST_BINDINGS
from ..kernels.products import gemm_fused, gemv_fused, lora_down, lora_up, panels
from . import matrices
from .cache import KVCache, PagedCache
from .engine import GpuEngine, in_integers
from .heads import Heads as Heads
from .lazy import Attended, Gated, Lazy, Normed, Sliced
from .lazy import row_count as _rows
from .lora_pool import LoraGroup, LoraPool
from .next_token import NextToken
from .resident import Linear, Part
from .rowwise import Rows as Rows
from .streaming import Upload, bring
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


class Forward(NextToken):
    """Records one forward over `rows`. Activations are [M, width], f32.

    `splits`: number of slices of a decoding row's context; `context`: its maximum length;
    `loras`: LoRA adapters, and the index of each row's (u32 [M], 0: none);
    `uploads`: for blocks whose weights are not resident.
    """

    def __init__(
        self,
        engine: GpuEngine,
        rows: Rows,
        cache: KVCache | PagedCache,
        splits: int = 1,
        context: int | None = None,
        loras: tuple[LoraPool, Tensor] | None = None,
        uploads: Mapping[int, Upload] | None = None,
    ) -> None:
        self._engine, self.rows, self._cache, self._splits = engine, rows, cache, splits
        self._uploads = uploads or {}
        self._loras = loras
        self._lora_rows: Tensor | None = None
        self._context = min(context or cache.capacity, cache.capacity)
        self._fuses = rows.m <= gemm_fused.MOST_FEW and engine.fuses
        self._halves: tuple[object, matrices.Halves] | None = None  # of the rows of the layer that is being computed
        self._product: matrices.Product | None = None  # the latest one on matrix units
        self._unscaled: Tensor | None = None  # ones, for halves that need no scale

    @property
    def software(self) -> bool:
        return self._engine.recorder.device.software

    def rounds(self, weight: Weight) -> bool:
        """Whether the product of one row with these weights may round it to 16 bits."""
        return self._engine.short_rows and weight.type.whole_codes

    def apply(self, kernel: str, problem: Mapping[str, Any], **tensors: Tensor) -> dict[str, Tensor]:
        """Record a kernel, for operations in other modules (experts.py)."""
        return self._engine.apply(kernel, problem, **tensors)

    def state(self, at: int) -> tuple[Tensor, ...]:
        """The states of all slots, of the layer with this number among those with a state (states.py)."""
        return self._cache.states[at]

    def block(self, run: Callable[[Forward, int, Tensor], Tensor], i: int, x: Tensor) -> Tensor:
        """Run a model's i-th block. Training may run it twice: its inputs besides x must not change."""
        with self._engine.recorder.layer(i):
            bring(self._engine.recorder, self._uploads, i)
            return run(self, i, x)

    # Norms ----------------------------------------------------------------------------------------------

    def rmsnorm(self, x: Tensor, gain: Tensor, eps: float) -> Normed:
        return Normed(x, gain, eps)

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
        return self._engine.apply("rmsnorm", {"rows": m, "hidden": hidden, "eps": x.eps}, x=x.x, g=x.gain)["y"]

    def _gated_now(self, x: Gated) -> Tensor:
        rows, width = x.both.shape
        return self._engine.apply("swiglu", {"rows": rows, "n": width // 2}, x=x.both)["y"]

    def _joined(self, x: Sliced) -> Tensor:
        problem = {"rows": x.rows, "heads": x.heads, "head_dim": x.head_dim, "splits": x.splits}
        return self._engine.apply("attention_combine", problem, part=x.part)["out"]

    def _attended_now(self, x: Attended) -> Tensor:
        return self._engine.apply(x.kernel, x.problem, **x.tensors)["out"]

    # Projections ------------------------------------------------------------------------------------------

    def linear(self, x: Tensor | Lazy, layer: Linear, residual: Tensor | None = None) -> Tensor:
        """residual + x . W^T + bias; of a head, with its scale and cap."""
        return self.finished(self._linear(x, layer, residual), layer)

    def _linear(self, x: Tensor | Lazy, layer: Linear, residual: Tensor | None) -> Tensor:
        project, group = self._one if _rows(x) == 1 else self._many, self._group(layer)
        if (isinstance(x, Sliced) and not self._joins(x, layer)) or (isinstance(x, Gated) and group is not None):
            x = self.value(x)
        if isinstance(x, Attended) and not (group is None and self._on_units(_rows(x), layer)):
            x = self.value(x)
        if group is None:
            return self._in_parts(project, x, layer, residual)
        around = (isinstance(x, Normed), layer.biased, residual is not None)
        if self._adapts(x, group) and not all(around):
            low = self._inner(x, layer, group, sum(around)) or self._low_rank(x, group)
            return self._in_parts(project, x, layer, residual, low)
        x = self.value(x)
        y, low = self._in_parts(project, x, layer, residual), self._low_rank(x, group)
        problem = lora_up.problem_of(_rows(x), group.sizes, group.quads)
        self._engine.apply("lora_up", problem, y=y, **low.tensors)
        return y

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
        self._halves = None
        assert y is not None
        return y.reshape(_rows(x), layer.n)

    # LoRA adapters ------------------------------------------------------------------------------------------

    def _group(self, layer: Linear) -> LoraGroup | None:
        return None if self._loras is None else self._loras[0].group(layer)

    def _adapts(self, x: Tensor | Lazy, group: LoraGroup | None) -> bool:
        """Whether the projection itself can add LoRA's second product, if there is one."""
        few = _rows(x) == 1 or (_rows(x) <= panels.MOST_ROWS and self._fuses)
        return group is None or (self._engine.adapts and few)

    def _joins(self, x: Sliced, layer: Linear) -> bool:
        """Whether the slices are so few that each workgroup of the projection can combine them itself."""
        types = [part.weight.type for part in layer.parts]
        whole = all(x.head_dim % t.chunk == 0 and layer.k % t.row_multiple == 0 for t in types)
        staged = in_integers(self._engine.recorder.device) and all(t.whole_codes for t in types)
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
            tensors["x"] = self.value(x)
        options["stride"] = pool.table.shape[1]
        problem = lora_down.problem_of(_rows(x), group.k, group.quads, **options)
        return LowRank(group, {"low": self._engine.apply("lora_down", problem, **tensors)["low"], "pool": pool.flat})

    def _inner(
        self, x: Tensor | Lazy, layer: Linear, group: LoraGroup, around: int, at_once: int = 1
    ) -> LowRank | None:
        """For one row, the projection can compute the first product, too: in every workgroup, which saves a dispatch.

        `around`: how many of gains, bias and residual it binds; `at_once`: slices whose A a workgroup needs.
        """
        assert self._loras is not None
        bindings = max(len(part.weight.planes) for part in layer.parts) + 4 + around
        small = 16 * at_once * group.quads // len(group.slices) * group.k <= _INNER_BYTES
        subgroups = self._engine.recorder.device.traits.subgroups
        if _rows(x) > 1 or isinstance(x, Sliced) or not (small and subgroups and self._engine.fuses):
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
            problem = {"m": self.rows.m, "width": width, "adapters": adapters}
            self._lora_rows = self._engine.apply("lora_rows", problem, loras=indices, table=pool.table)["rows"]
        count = self.rows.m * width - group.at
        return Tensor(self._lora_rows.buffer, (count, 4), "u32", self._lora_rows.offset + 16 * group.at)

    # Projections with an activation ---------------------------------------------------------------------------

    def gelu(self, x: Tensor | Normed, layer: Linear, approximate: str = "tanh") -> Tensor:
        """GELU of the projection, in its tanh form or exact ("erf")."""
        group, tanh = self._group(layer), approximate == "tanh"
        if tanh and isinstance(x, Tensor) and x.shape[0] == 1 and len(layer.parts) == 1 and self._adapts(x, group):
            around = int(layer.biased)
            lora = None if group is None else self._inner(x, layer, group, around) or self._low_rank(x, group)
            return self._one(x, layer.parts[0], None, layer.n, 0, None, "gelu", lora).reshape(1, layer.n)
        y = self.linear(x, layer)
        return self._engine.apply("gelu", {"n": y.size, "approximate": approximate}, x=y)["y"].reshape(*y.shape)

    def swiglu(self, x: Tensor | Normed, gate_up: Linear) -> Tensor | Gated:
        """silu(gate) * up; one matrix has both projections, gate rows first."""
        m, n, group = _rows(x), gate_up.n // 2, self._group(gate_up)
        if self._on_units(m, gate_up):
            return Gated(self.linear(x, gate_up))
        one = len(gate_up.parts) == 1 and not gate_up.biased
        if group is not None and len(gate_up.slices) != 2:  # one matrix of both in the file: its LoRA spans both
            one = False
        fuses = m == 1 or self._fuses_product(m, gate_up.n) or self._blocks(m, gate_up.n, gate_up.k) > 1
        if fuses and one and self._adapts(x, group):
            around = int(isinstance(x, Normed))
            lora = None if group is None else self._inner(x, gate_up, group, around, 2) or self._low_rank(x, group)
            project = self._one if m == 1 else self._many
            return project(x, gate_up.parts[0], None, n, 0, None, "swiglu", lora).reshape(m, n)
        both = self.linear(x, gate_up)
        return self._engine.apply("swiglu", {"rows": both.shape[0], "n": n}, x=both)["y"]

    def geglu(self, x: Tensor | Normed, gate_up: Linear, approximate: str = "tanh") -> Tensor:
        """gelu(gate) * up, GELU in its tanh form or exact ("erf"); otherwise as swiglu."""
        both = self.linear(x, gate_up)
        problem = {"rows": both.shape[0], "n": gate_up.n // 2, "approximate": approximate}
        return self._engine.apply("geglu", problem, x=both)["y"]

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
        if isinstance(x, Normed):
            tensors |= {"x": x.x, "g": x.gain}
            fused["eps"] = x.eps
        elif isinstance(x, Sliced):
            tensors["part"] = x.part
            fused |= {"splits": x.splits, "head_dim": x.head_dim}
        else:
            tensors["x"] = self.value(x)
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
        return self._engine.apply("gemv_fused", problem, **tensors)["y"]

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
    ) -> Tensor:
        weight = part.weight
        if lora is None and act == "none" and matrices.takes(self._engine, weight, _rows(x)):
            blocks = matrices.blocks_of(self._engine, part, _rows(x), width)
            self._product = matrices.multiply(self._engine, self._as_halves(x, blocks), part, residual, width, at, y)
            return self._product.y
        tensors = dict(weight.planes)
        fused = {"bias": part.bias is not None, "add": residual is not None, "act": act}
        if isinstance(x, Normed) and self._fuses_product(_rows(x), weight.n):
            tensors |= {"x": x.x, "g": x.gain}
            fused |= {"norm": True, "eps": x.eps}
        else:
            tensors["x"] = self.value(x)
        if lora is not None:
            tensors |= lora.tensors
            fused |= {"lora": lora.group.sizes, "low_quads": lora.group.quads}
        tensors |= {name: t for name, t in (("b", part.bias), ("r", residual), ("y", y)) if t is not None}
        m, k = _rows(x), weight.k
        n = weight.n // 2 if act == "swiglu" else weight.n
        blocks = self._blocks(m, weight.n, k) if width == n and "g" not in tensors and lora is None else 1
        if blocks == 1:
            problem = gemm_fused.problem_of(weight.type.name, m, n, k, width=width, at=at, **fused)
            return self._engine.apply("gemm_fused", problem, **tensors)["y"]
        around = {name: tensors.pop(name) for name in ("b", "r") if name in tensors}
        problem = gemm_fused.problem_of(weight.type.name, m, weight.n, k, blocks=blocks)
        parts = self._engine.apply("gemm_fused", problem, **tensors)["y"]
        return self._engine.apply("sum_blocks", {"m": m, "n": n, "blocks": blocks, **fused}, part=parts, **around)["y"]

    def _as_halves(self, x: Tensor | Lazy, blocks: int) -> matrices.Halves:
        """The rows for matrix units, for a product in blocks of k; the parts of a layer share them."""
        if self._halves is None or self._halves[0] is not x:
            if isinstance(x, Attended):
                self._halves = (x, self._attended_halves(x))
                return self._halves[1]
            rows: Any = x if matrices.fuses(self._engine, x) else self.value(x)
            self._halves = (x, matrices.left(self._engine, rows, before=self._product, blocks=blocks))
        return self._halves[1]

    def _on_units(self, m: int, layer: Linear) -> bool:
        """Whether matrix units compute all of a layer's product with m rows."""
        return all(matrices.takes(self._engine, part.weight, m) for part in layer.parts)

    def _attended_halves(self, x: Attended) -> matrices.Halves:
        """Attention that writes halves itself: means of a cache's halves need no scale."""
        if self._unscaled is None:
            self._unscaled = self._engine.array(np.ones(_rows(x), np.float32))
        out = self._engine.apply(x.kernel, {**x.problem, "halves": True}, **x.tensors)["out"]
        rows, width = out.shape
        return matrices.Halves(out.reshape(1, rows, width), self._unscaled, width, 1)

    def _fuses_product(self, m: int, n: int) -> bool:
        """Whether a product of m x n sums computes the norm before it and SwiGLU after it."""
        return self._fuses and gemm_fused.fuses(self._engine.recorder.device.traits, m, n)

    def _blocks(self, m: int, n: int, k: int) -> int:
        """Number of blocks of k to sum separately: more than one if the result alone would not fill the GPU."""
        return gemm_fused.blocks_of(self._engine.recorder.device.traits, m, n, k) if self._engine.fuses else 1

    # Attention --------------------------------------------------------------------------------------------

    def attention(self, layer: int, qkv: Tensor, heads: Heads) -> Tensor | Sliced | Attended:
        """Causal attention of each row over its sequence; its key and value are added to the cache of a layer.

        Nothing else may read qkv: it is not computed if attention can take its place (`_with_blocks`).
        """
        cache, rows = self._cache, self.rows
        shape = {"heads": heads.heads, "kv_heads": heads.kv_heads, "head_dim": heads.head_dim, "cache": cache.dtype}
        place = {"rows": rows.m, "slots": cache.slots, "capacity": cache.capacity, "pages": cache.pages}
        turn = heads.turn
        sinks = {} if heads.sinks is None else {"sinks": heads.sinks}
        cached = dict(zip("kv", cache.layer(layer), strict=False))
        cached |= {"pages": cache.table} if cache.table is not None else {}
        tensors = {"qkv": qkv, "rows": rows.places, **cached}
        tensors |= {name: t for name, t in (("steps", heads.steps), ("gains", heads.gains)) if t is not None}
        if rows.decoding:
            problem = {**shape, **place, **turn, **heads.scoring, "window": heads.window, "splits": self._splits}
            problem["context"] = self._context
            return self._attention_of_steps(problem, {**tensors, **sinks}, heads)
        if heads.stored:
            tensors = {name: tensor for name, tensor in tensors.items() if name not in cached}
        q = self._engine.apply("rope_cache", {**shape, **place, **turn}, **tensors)["q"]
        problem = {**shape, **place, **heads.scoring, "window": heads.window}
        problem |= {"latent": heads.latent} if heads.latent else {}
        if (few := self._as_steps(problem)) is not None:
            return self._attention_of_steps(few, {"qkv": q, "rows": rows.places, **cached}, heads)
        kernel, problem = self._attention_of_many(problem)
        return self._engine.apply(kernel, problem, q=q, rows=rows.places, **cached, **sinks)["out"]

    def _attention_of_steps(
        self, problem: dict[str, Any], tensors: dict[str, Tensor], heads: Heads
    ) -> Tensor | Sliced | Attended:
        """Attention of decoding rows: as much of it as the projection that follows cannot do better."""
        kernel, rows, splits = "attention_decode", self.rows.m, problem["splits"]
        problem, tensors = self._with_blocks(problem, tensors)
        if splits > 1:
            part = self._engine.apply(kernel, problem, **tensors)["part"]
            if rows == 1 and self._engine.fuses:
                return Sliced(part, rows, heads.heads, heads.value_dim, splits)
            kernel, tensors = "attention_combine", {"part": part}
            problem = {"rows": rows, "heads": heads.heads, "head_dim": heads.value_dim, "splits": splits}
        attended = Attended(kernel, problem, tensors)
        whole = heads.heads * heads.value_dim % 8 == 0  # rows of halves are whole vectors of eight
        narrow = self._engine.matrix_parts == 1 and self._cache.dtype == "f16" and whole
        return attended if narrow else self.value(attended)

    def _with_blocks(
        self, problem: dict[str, Any], tensors: dict[str, Tensor]
    ) -> tuple[dict[str, Any], dict[str, Tensor]]:
        """What attention_decode computes, with the blocks of the product before it: it adds them up itself."""
        product = self._product
        if product is None or product.around["add"] or self._engine.matrix_parts != 1:
            return problem, tensors
        bias = {"b": product.tensors["b"]} if product.around["bias"] else {}
        summing = {"qkv_blocks": 2, "qkv_bias": bool(bias)}
        if DECODE.refuses({**problem, **summing}, {}) is not None:
            return problem, tensors
        if (parts := matrices.in_blocks(self._engine, product, tensors["qkv"])) is None:
            return problem, tensors
        return {**problem, **summing, "qkv_blocks": parts.shape[0]}, {**tensors, **bias, "qkv": parts}

    def _as_steps(self, problem: dict[str, Any]) -> dict[str, Any] | None:
        """The problem of attention_decode for few rows, each a tile of its own, whose queries are rotated already and
        whose keys are stored; None if attention_prefill takes them."""
        splits = slices_of_few(self._engine.recorder.device.traits, self.rows.m, problem["kv_heads"])
        if not splits or self.rows.tile > 1 or not self._engine.fuses:
            return None
        own = {"rope": False, "qk_norm": False, "eps": 0.0, "stored": True, "context": self._context}
        few = {**problem, **own, "splits": splits}
        return few if DECODE.refuses(few, {}) is None else None

    def _attention_of_many(self, problem: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """The kernel for many rows, and its problem: on matrix units where they take it."""
        precision, tile = self._engine.matrix_precision, self.rows.tile
        if precision and tile >= attention_matrix.LEAST_TILE:
            on_units = {**problem, "compute": precision}
            if attention_matrix.takes(self._engine.recorder.device.traits, on_units):
                return "attention_matrix", on_units
        return "attention_prefill", {**problem, "tile": tile}
