"""The operations of a model's forward. Each picks its kernels by stage: one row, or many."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..gpu import Tensor
from ..kernels.attention import attention_matrix
from ..kernels.attention.attention_decode import DECODE, slices_of_few
from . import matrices
from .backend import GpuBackend
from .cache import KVCache, PagedCache
from .heads import Heads as Heads
from .lazy import Attended, Gated, Lazy, Normed, Sliced, Values, row_count
from .lora_pool import LoraPool
from .matrices import Halves
from .next_token import NextToken
from .projections import Projections
from .resident import Linear
from .rows import Rows as Rows
from .streaming import Upload, bring
from .weight import Weight


def slice_problem(x: Tensor, gain: Tensor, at: int, eps: float) -> dict[str, Any]:
    """The problem of norm_slice and of its gradient."""
    return {"rows": x.shape[0], "width": x.shape[1], "at": at, "hidden": gain.size, "eps": eps}


class Forward:
    """Records one forward over `rows`. Activations are [M, width], f32.

    `splits`: number of slices of a decoding row's context; `context`: its maximum length;
    `loras`: LoRA adapters, and the index of each row's (u32 [M], 0: none);
    `uploads`: for blocks whose weights are not resident;
    `fuses`: whether a product of few rows may compute what comes before and after it.
    """

    def __init__(
        self,
        backend: GpuBackend,
        rows: Rows,
        cache: KVCache | PagedCache,
        splits: int = 1,
        context: int | None = None,
        loras: tuple[LoraPool, Tensor] | None = None,
        uploads: Mapping[int, Upload] | None = None,
        *,
        fuses: bool = True,
    ) -> None:
        self._backend, self.rows, self._cache, self._splits = backend, rows, cache, splits
        self._uploads = uploads or {}
        self._context = min(context or cache.capacity, cache.capacity)
        self._values = Values(backend)
        self._projections = Projections(backend, self._values, rows.m, loras, fuses)
        self.next_token = NextToken(backend, rows)

    @property
    def software(self) -> bool:
        return self._backend.recorder.device.software

    def rounds(self, weight: Weight) -> bool:
        """Whether the product of one row with these weights may round it to 16 bits."""
        return self._projections.rounds(weight)

    def apply(self, kernel: str, problem: Mapping[str, Any], **tensors: Tensor) -> dict[str, Tensor]:
        """Record a kernel, for operations in other modules (experts.py)."""
        return self._backend.apply(kernel, problem, **tensors)

    def state(self, at: int) -> tuple[Tensor, ...]:
        """The states of all slots, of the layer with this number among those with a state (states.py)."""
        return self._cache.states[at]

    def block(self, run: Callable[[Forward, int, Tensor], Tensor], i: int, x: Tensor) -> Tensor:
        """Run a model's i-th block. Training may run it twice: its inputs besides x must not change."""
        with self._backend.recorder.layer(i):
            bring(self._backend.recorder, self._uploads, i)
            return run(self, i, x)

    def value(self, x: Tensor | Lazy) -> Tensor:
        """x as a tensor, computed now if it was deferred."""
        return self._values.value(x)

    @property
    def has_units(self) -> bool:
        """Whether there are matrix units for what is computed."""
        return self._backend.matrix_parts > 0

    def in_halves(self, x: Tensor | Normed | Gated) -> Halves:
        """Rows for matrix units."""
        return self._projections.in_halves(x)

    def right(self, weight: Weight) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """A weight for matrix units: its planes, and how they are read."""
        return matrices.right(self._backend, weight)

    # Rows -------------------------------------------------------------------------------------------------

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
            y = self._backend.apply("embed", problem, ids=ids, **weight.planes, **output)["y"]
            first += weight.n
        assert y is not None
        return y

    def layernorm(self, x: Tensor, gamma: Tensor, beta: Tensor | None, eps: float) -> Tensor:
        """LayerNorm with a gain and, if there is one, a shift."""
        m, hidden = x.shape
        problem: dict[str, Any] = {"rows": m, "hidden": hidden, "eps": eps}
        if beta is None:
            return self._backend.apply("layernorm", problem | {"shift": False}, x=x, gamma=gamma)["y"]
        return self._backend.apply("layernorm", problem, x=x, gamma=gamma, beta=beta)["y"]

    def norm_slices(self, x: Tensor, slices: Sequence[tuple[Tensor, int]], eps: float) -> Tensor:
        """RMSNorm of slices of each row, each (gain, first column); in place."""
        for gain, at in slices:
            self._backend.apply("norm_slice", slice_problem(x, gain, at, eps), g=gain, y=x)
        return x

    def add(self, x: Tensor, y: Tensor, scale: float = 1.0) -> Tensor:
        """x + scale * y."""
        return self._backend.apply("add", {"n": x.size}, a=x, b=self.scaled(y, scale))["y"].reshape(*x.shape)

    def add_times(self, x: Tensor, y: Tensor, factor: Tensor) -> Tensor:
        """(x + y) * factor, which is a tensor of one element."""
        return self._backend.apply("add_times", {"n": x.size}, a=x, b=y, s=factor)["y"].reshape(*x.shape)

    def gate_slice(self, x: Tensor, z: Tensor, at: int) -> Tensor:
        """gelu(x) times as many columns of z, from `at` on."""
        problem = {"rows": x.shape[0], "n": x.shape[1], "width": z.shape[1], "at": at}
        return self._backend.apply("gate_slice", problem, x=x, z=z)["y"]

    def scaled(self, x: Tensor, scale: float) -> Tensor:
        """scale * x."""
        if scale == 1.0:
            return x
        return self._backend.apply("scale", {"n": x.size, "alpha": scale}, x=x)["y"].reshape(*x.shape)

    def finished(self, logits: Tensor, head: Linear) -> Tensor:
        """The head's scale and soft cap of its products."""
        logits = self.scaled(logits, head.scale)
        if not head.cap:
            return logits
        problem = {"n": logits.size, "cap": head.cap}
        return self._backend.apply("softcap", problem, x=logits)["y"].reshape(*logits.shape)

    def sum_rows(self, x: Tensor, spans: Tensor) -> Tensor:
        """The sum of each span of rows: (first, how many)."""
        problem = {"rows": x.shape[0], "n": x.shape[1], "spans": spans.shape[0]}
        return self._backend.apply("sum_rows", problem, x=x, spans=spans)["y"]

    def rmsnorm(self, x: Tensor, gain: Tensor, eps: float) -> Normed:
        return Normed(x, gain, eps)

    # Projections ------------------------------------------------------------------------------------------

    def linear(self, x: Tensor | Lazy, layer: Linear, residual: Tensor | None = None) -> Tensor:
        """residual + x . W^T + bias; of a head, with its scale and cap."""
        return self.finished(self._projections.linear(x, layer, residual), layer)

    def gelu(self, x: Tensor | Normed, layer: Linear, approximate: str = "tanh") -> Tensor:
        """GELU of the projection, in its tanh form or exact ("erf")."""
        if approximate == "tanh" and (fused := self._projections.gelu(x, layer)) is not None:
            return fused
        y = self.linear(x, layer)
        return self._backend.apply("gelu", {"n": y.size, "approximate": approximate}, x=y)["y"].reshape(*y.shape)

    def swiglu(self, x: Tensor | Normed, gate_up: Linear) -> Tensor | Gated:
        """silu(gate) * up; one matrix has both projections, gate rows first."""
        if self._projections.apart(row_count(x), gate_up):
            return Gated(self.linear(x, gate_up))
        if (fused := self._projections.swiglu(x, gate_up)) is not None:
            return fused
        both = self.linear(x, gate_up)
        return self._backend.apply("swiglu", {"rows": both.shape[0], "n": gate_up.n // 2}, x=both)["y"]

    def geglu(self, x: Tensor | Normed, gate_up: Linear, approximate: str = "tanh") -> Tensor:
        """gelu(gate) * up, GELU in its tanh form or exact ("erf"); otherwise as swiglu."""
        both = self.linear(x, gate_up)
        problem = {"rows": both.shape[0], "n": gate_up.n // 2, "approximate": approximate}
        return self._backend.apply("geglu", problem, x=both)["y"]

    # Attention --------------------------------------------------------------------------------------------

    def attention(self, layer: int, qkv: Tensor, heads: Heads) -> Tensor | Sliced | Attended:
        """Causal attention of each row over its sequence; its key and value are added to the cache of a layer."""
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
        q = self._backend.apply("rope_cache", {**shape, **place, **turn}, **tensors)["q"]
        problem = {**shape, **place, **heads.scoring, "window": heads.window}
        problem |= {"latent": heads.latent} if heads.latent else {}
        if (few := self._as_steps(problem)) is not None:
            return self._attention_of_steps(few, {"qkv": q, "rows": rows.places, **cached}, heads)
        kernel, problem = self._attention_of_many(problem)
        return self._backend.apply(kernel, problem, q=q, rows=rows.places, **cached, **sinks)["out"]

    def _attention_of_steps(
        self, problem: dict[str, Any], tensors: dict[str, Tensor], heads: Heads
    ) -> Tensor | Sliced | Attended:
        """Attention of decoding rows: as much of it as the projection that follows cannot do better."""
        kernel, rows, splits = "attention_decode", self.rows.m, problem["splits"]
        if splits > 1:
            part = self._backend.apply(kernel, problem, **tensors)["part"]
            if rows == 1 and self._backend.fuses:
                return Sliced(part, rows, heads.heads, heads.value_dim, splits)
            kernel, tensors = "attention_combine", {"part": part}
            problem = {"rows": rows, "heads": heads.heads, "head_dim": heads.value_dim, "splits": splits}
        attended = Attended(kernel, problem, tensors)
        whole = heads.heads * heads.value_dim % 8 == 0  # rows of halves are whole vectors of eight
        narrow = self._backend.matrix_parts == 1 and self._cache.dtype == "f16" and whole
        return attended if narrow else self.value(attended)

    def _as_steps(self, problem: dict[str, Any]) -> dict[str, Any] | None:
        """The problem of attention_decode for few rows, each a tile of its own, whose queries are rotated already and
        whose keys are stored; None if attention_prefill takes them."""
        splits = slices_of_few(self._backend.recorder.device.traits, self.rows.m, problem["kv_heads"])
        if not splits or self.rows.tile > 1 or not self._backend.fuses:
            return None
        own = {"rope": False, "qk_norm": False, "eps": 0.0, "stored": True, "context": self._context}
        few = {**problem, **own, "splits": splits}
        return few if DECODE.refuses(few, {}) is None else None

    def _attention_of_many(self, problem: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """The kernel for many rows, and its problem: on matrix units where they take it."""
        precision, tile = self._backend.matrix_precision, self.rows.tile
        if precision and tile >= attention_matrix.LEAST_TILE:
            on_units = {**problem, "compute": precision}
            if attention_matrix.takes(self._backend.recorder.device.traits, on_units):
                return "attention_matrix", on_units
        return "attention_prefill", {**problem, "tile": tile}
