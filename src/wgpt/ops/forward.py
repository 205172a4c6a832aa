"""The operations of a model's forward. Each picks its kernels by stage: one row, or many."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..gpu import Tensor
from ..kernels.products import gemm_fused, gemv_fused
from ..kernels.sampling.argmax import parts_for
from .cache import KVCache
from .engine import GpuEngine
from .lora import Lora, down, up_onto
from .resident import Linear, Part
from .streaming import Upload, bring

_JOINT_BYTES = 48 << 10  # of attention slices: more than this is cheaper to combine once than in every workgroup


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


@dataclass(frozen=True, eq=False)
class Heads:
    """How a family's attention reads its projections: q heads, then k heads, then v heads."""

    heads: int
    kv_heads: int
    head_dim: int
    steps: Tensor | None = None  # RoPE's rotation per position, see kernels/attention/rope.py
    gains: Tensor | None = None  # [2, head_dim]: norms of each q and k head
    eps: float = 1e-6
    window: int = 0  # how far back a row attends; 0: to the beginning


@dataclass(eq=False)
class Normed:
    """RMSNorm of x, not computed yet: for few rows, the projection that follows computes it."""

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


Lazy = Normed | Sliced


class Forward:
    """Records one forward over `rows`. Activations are [M, width], f32.

    `splits`: number of slices of a decoding row's context; `context`: its maximum length;
    `uploads`: for blocks whose weights are not resident.
    """

    def __init__(
        self,
        engine: GpuEngine,
        rows: Rows,
        cache: KVCache,
        splits: int = 1,
        context: int | None = None,
        adapters: Mapping[str, Lora] | None = None,
        uploads: Mapping[int, Upload] | None = None,
    ) -> None:
        self._engine, self.rows, self._cache, self._splits = engine, rows, cache, splits
        self._uploads = uploads or {}
        self._loras = adapters or {}
        self._context = min(context or cache.capacity, cache.capacity)
        self._fuses = rows.m <= gemm_fused.MOST_FEW and engine.fuses

    def block(self, run: Callable[[Forward, int, Tensor], Tensor], i: int, x: Tensor) -> Tensor:
        """Run a model's i-th block. Training may run it twice: its inputs besides x must not change."""
        with self._engine.recorder.layer(i):
            bring(self._engine.recorder, self._uploads, i)
            return run(self, i, x)

    # Embedding and norms ----------------------------------------------------------------------------------

    def embed(self, table: Linear) -> Tensor:
        """Rows of the table, by token id."""
        return self._gather(table, self.rows.ids, self.rows.m)

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

    def rmsnorm(self, x: Tensor, gain: Tensor, eps: float) -> Normed:
        return Normed(x, gain, eps)

    def layernorm(self, x: Tensor, gamma: Tensor, beta: Tensor, eps: float) -> Tensor:
        m, hidden = x.shape
        problem = {"rows": m, "hidden": hidden, "eps": eps}
        return self._engine.apply("layernorm", problem, x=x, gamma=gamma, beta=beta)["y"]

    def value(self, x: Tensor | Lazy) -> Tensor:
        """x as a tensor, computed now if it was deferred."""
        if isinstance(x, Tensor):
            return x
        if x.done is None:
            x.done = self._joined(x) if isinstance(x, Sliced) else self._normed(x)
        return x.done

    def _normed(self, x: Normed) -> Tensor:
        m, hidden = x.x.shape
        return self._engine.apply("rmsnorm", {"rows": m, "hidden": hidden, "eps": x.eps}, x=x.x, g=x.gain)["y"]

    def _joined(self, x: Sliced) -> Tensor:
        problem = {"rows": x.rows, "heads": x.heads, "head_dim": x.head_dim, "splits": x.splits}
        return self._engine.apply("attention_combine", problem, part=x.part)["out"]

    # Projections ------------------------------------------------------------------------------------------

    def linear(self, x: Tensor | Lazy, layer: Linear, residual: Tensor | None = None) -> Tensor:
        """residual + x . W^T + bias."""
        if isinstance(x, Sliced) and not _joins(x, layer):
            x = self.value(x)
        return self._adapted(x, layer, self._in_parts(self._one if _rows(x) == 1 else self._many, x, layer, residual))

    def _in_parts(
        self, project: Callable[..., Tensor], x: Tensor | Lazy, layer: Linear, residual: Tensor | None
    ) -> Tensor:
        """Compute a layer's parts into the columns of one result."""
        y, at = None, 0
        for part in layer.parts:
            y = project(x, part, residual, layer.n, at, y)
            at += part.weight.n
        assert y is not None
        return y.reshape(_rows(x), layer.n)

    def _adapted(self, x: Tensor | Lazy, layer: Linear, y: Tensor) -> Tensor:
        """y, plus the LoRA products of its layers."""
        for name, at, _ in layer.slices:
            lora = self._loras.get(name)
            if lora is not None:
                up_onto(self._engine, down(self._engine, self.value(x), lora), lora, y, at)
        return y

    def _plain(self, layer: Linear) -> bool:
        """Whether one dispatch can compute it: one part, and no LoRA."""
        return len(layer.parts) == 1 and not any(s.name in self._loras for s in layer.slices)

    def gelu(self, x: Tensor | Normed, layer: Linear) -> Tensor:
        """GELU (tanh) of the projection."""
        if isinstance(x, Tensor) and x.shape[0] == 1 and self._plain(layer):
            return self._one(x, layer.parts[0], None, layer.n, 0, None, act="gelu").reshape(1, layer.n)
        y = self.linear(x, layer)
        return self._engine.apply("gelu", {"n": y.size, "approximate": "tanh"}, x=y)["y"].reshape(*y.shape)

    def swiglu(self, x: Tensor | Normed, gate_up: Linear) -> Tensor:
        """silu(gate) * up; one matrix has both projections, gate rows first."""
        n = gate_up.n // 2
        m = _rows(x)
        fuses = m == 1 or self._fuses_product(m, gate_up.n) or self._blocks(m, gate_up.n, gate_up.k) > 1
        if fuses and self._plain(gate_up) and not gate_up.biased:
            project = self._one if m == 1 else self._many
            return project(x, gate_up.parts[0], None, n, 0, None, act="swiglu").reshape(m, n)
        both = self.linear(x, gate_up)
        return self._engine.apply("swiglu", {"rows": both.shape[0], "n": n}, x=both)["y"]

    def _one(
        self,
        x: Tensor | Lazy,
        part: Part,
        residual: Tensor | None,
        width: int,
        at: int,
        y: Tensor | None,
        act: str = "none",
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
            tensors["x"] = x
        tensors |= {name: t for name, t in (("b", part.bias), ("r", residual), ("y", y)) if t is not None}
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
    ) -> Tensor:
        weight = part.weight
        tensors = dict(weight.planes)
        fused = {"bias": part.bias is not None, "add": residual is not None, "act": act}
        if isinstance(x, Normed) and self._fuses_product(_rows(x), weight.n):
            tensors |= {"x": x.x, "g": x.gain}
            fused |= {"norm": True, "eps": x.eps}
        else:
            tensors["x"] = self.value(x)
        tensors |= {name: t for name, t in (("b", part.bias), ("r", residual), ("y", y)) if t is not None}
        m, k = _rows(x), weight.k
        n = weight.n // 2 if act == "swiglu" else weight.n
        blocks = self._blocks(m, weight.n, k) if width == n and "g" not in tensors else 1
        if blocks == 1:
            problem = gemm_fused.problem_of(weight.type.name, m, n, k, width=width, at=at, **fused)
            return self._engine.apply("gemm_fused", problem, **tensors)["y"]
        around = {name: tensors.pop(name) for name in ("b", "r") if name in tensors}
        problem = gemm_fused.problem_of(weight.type.name, m, weight.n, k, blocks=blocks)
        parts = self._engine.apply("gemm_fused", problem, **tensors)["y"]
        return self._engine.apply("sum_blocks", {"m": m, "n": n, "blocks": blocks, **fused}, part=parts, **around)["y"]

    def _fuses_product(self, m: int, n: int) -> bool:
        """Whether a product of m x n sums computes the norm before it and SwiGLU after it."""
        return self._fuses and gemm_fused.fuses(self._engine.recorder.device.traits, m, n)

    def _blocks(self, m: int, n: int, k: int) -> int:
        """Number of blocks of k to sum separately: more than one if the result alone would not fill the GPU."""
        return gemm_fused.blocks_of(self._engine.recorder.device.traits, m, n, k) if self._engine.fuses else 1

    # Attention --------------------------------------------------------------------------------------------

    def attention(self, layer: int, qkv: Tensor, heads: Heads) -> Tensor | Sliced:
        """Causal attention of each row over its sequence; its key and value are added to the cache."""
        cache, rows = self._cache, self.rows
        k, v = cache.layer(layer)
        shape = {"heads": heads.heads, "kv_heads": heads.kv_heads, "head_dim": heads.head_dim, "cache": cache.dtype}
        place = {"rows": rows.m, "slots": cache.slots, "capacity": cache.capacity}
        turn = {"rope": heads.steps is not None, "qk_norm": heads.gains is not None, "eps": heads.eps}
        tensors = {"qkv": qkv, "rows": rows.places, "k": k, "v": v}
        tensors |= {name: t for name, t in (("steps", heads.steps), ("gains", heads.gains)) if t is not None}
        if rows.decoding:
            problem = {**shape, **place, **turn, "window": heads.window, "splits": self._splits}
            problem["context"] = self._context
            outputs = self._engine.apply("attention_decode", problem, **tensors)
            if self._splits == 1:
                return outputs["out"]
            sliced = Sliced(outputs["part"], rows.m, heads.heads, heads.head_dim, self._splits)
            return sliced if rows.m == 1 and self._engine.fuses else self.value(sliced)
        q = self._engine.apply("rope_cache", {**shape, **place, **turn}, **tensors)["q"]
        problem = {**shape, **place, "window": heads.window, "tile": rows.tile}
        return self._engine.apply("attention_prefill", problem, q=q, rows=rows.places, k=k, v=v)["out"]

    def losses(self, logits: Tensor, targets: Tensor) -> Tensor:
        """Negative log-probability of each row's target (i32)."""
        rows, vocab = logits.shape
        problem = {"rows": rows, "vocab": vocab, "ignore_index": -1}
        return self._engine.apply("cross_entropy_forward", problem, logits=logits, targets=targets)["loss"]

    # The next token -----------------------------------------------------------------------------------------

    def greedy(self, logits: Tensor) -> None:
        """The most likely token of each row becomes its id, at its next position."""
        rows, vocab = logits.shape
        parts = parts_for(vocab, self._engine.recorder.device.software)
        problem = {"rows": rows, "vocab": vocab, "parts": parts}
        maxima = self._engine.apply("argmax_parts", problem, logits=logits)["parts"]
        pick = {"rows": rows, "parts": parts}
        self._engine.apply("argmax_pick", pick, parts=maxima, tokens=self.rows.ids, rows=self.rows.places)

    def sample(
        self, logits: Tensor, settings: Tensor, counter: Tensor, bias: Tensor | None, seen: Tensor | None
    ) -> None:
        """Sample a token for each row by its settings (kernels/sampling/settings.py)."""
        rows, vocab = logits.shape
        slots = seen.shape[0] if seen is not None else rows
        problem = {"rows": rows, "vocab": vocab, "slots": slots, "bias": bias is not None, "penalty": seen is not None}
        tensors = {"logits": logits, "settings": settings, "counter": counter}
        tensors |= {name: t for name, t in (("bias", bias), ("seen", seen)) if t is not None}
        self._engine.apply("sample", problem, tokens=self.rows.ids, rows=self.rows.places, **tensors)


def _joins(x: Sliced, layer: Linear) -> bool:
    """Whether the slices are so few that each workgroup of the projection can combine them itself."""
    types = [part.weight.type for part in layer.parts]
    whole = all(x.head_dim % t.chunk == 0 and layer.k % t.row_multiple == 0 for t in types)
    return x.rows == 1 and whole and x.part.nbytes <= _JOINT_BYTES


def _rows(x: Tensor | Lazy) -> int:
    if isinstance(x, Sliced):
        return x.rows
    return (x.x if isinstance(x, Normed) else x).shape[0]
