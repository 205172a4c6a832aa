"""The forward of a model that attends in both directions: many texts packed into rows, and nothing kept afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..gpu import Tensor
from ..kernels.attention.attention_encode import TILE as TILE  # rows of a forward are a multiple of it
from .backend import GpuBackend
from .cache import KVCache
from .forward import Forward, Heads
from .lazy import Gated
from .resident import Linear
from .rows import Rows
from .streaming import Upload

ACTIVATIONS = {"gelu": "tanh", "gelu_erf": "erf"}  # the form of GELU, by Config.act


@dataclass(frozen=True, eq=False, kw_only=True)
class TextRows(Rows):
    """The rows of texts that follow each other. `places` are (0, row): RoPE depends only on differences of positions.

    A row of padding has the id, position and type 0xffffffff, and the span (0, 0).
    """

    spans: Tensor  # u32 [M, 2]: the first row of its text, and the row after its last
    positions: Tensor  # u32 [M]: rows of the table of positions
    types: Tensor  # u32 [M]: token types

    @classmethod
    def inputs(cls, backend: GpuBackend, m: int) -> TextRows:
        """Inputs of a Program: ids, spans, positions, types."""
        upload = backend.recorder.upload
        flat, pairs = np.zeros(m, np.uint32), np.zeros((m, 2), np.uint32)
        places = np.stack([flat, np.arange(m, dtype=np.uint32)], axis=1)
        return cls(
            m,
            upload(flat, "ids"),
            upload(places),
            tile=TILE,
            spans=upload(pairs, "spans"),
            positions=upload(flat, "positions"),
            types=upload(flat, "types"),
        )


class Encoding(Forward):
    """Records one forward over packed texts. LoRA adapters are unsupported."""

    rows: TextRows

    def __init__(self, backend: GpuBackend, rows: TextRows, uploads: Mapping[int, Upload] | None = None) -> None:
        # Keys and values live only within a layer: the cache has none.
        cache = KVCache(backend.recorder.device, (), rows.m, dtype="f32")
        super().__init__(backend, rows, cache, uploads=uploads)
        self._zeros: Tensor | None = None

    def add_positions(self, x: Tensor, table: Linear) -> Tensor:
        """x + the table's rows by position; in place."""
        return self._gather(table, self.rows.positions, self.rows.m, onto=x)

    def add_types(self, x: Tensor, table: Linear) -> Tensor:
        """x + the table's rows by token type; in place."""
        return self._gather(table, self.rows.types, self.rows.m, onto=x)

    def norm(self, x: Tensor, gain: Tensor, bias: Tensor | None, eps: float) -> Tensor:
        """LayerNorm, with or without a bias."""
        if bias is None:
            if self._zeros is None:
                self._zeros = self._backend.recorder.upload(np.zeros(gain.size, np.float32))
            bias = self._zeros
        return self.layernorm(x, gain, bias, eps)

    def activated(self, x: Tensor, layer: Linear, act: str) -> Tensor:
        """The projection's GELU."""
        y = self.linear(x, layer)
        return self._backend.apply("gelu", {"n": y.size, "approximate": ACTIVATIONS[act]}, x=y)["y"].reshape(*y.shape)

    def gated(self, x: Tensor, gate_up: Linear, act: str) -> Tensor | Gated:
        """act(gate) * up; one matrix has both projections, gate rows first."""
        if act == "silu":
            return self.swiglu(x, gate_up)
        both = self.linear(x, gate_up)
        problem = {"rows": both.shape[0], "n": gate_up.n // 2, "approximate": ACTIVATIONS[act]}
        return self._backend.apply("geglu", problem, x=both)["y"]

    def attention(self, layer: int, qkv: Tensor, heads: Heads) -> Tensor:
        """Attention of each row over its text, or over the rows at most `heads.window` away."""
        m = self.rows.m
        shape = {"heads": heads.heads, "kv_heads": heads.kv_heads, "head_dim": heads.head_dim, "cache": "f32"}
        place = {"rows": m, "slots": 1, "capacity": m}
        tables = {name: t for name, t in (("steps", heads.steps), ("gains", heads.gains)) if t is not None}
        tensors: dict[str, Any] = {"qkv": qkv, "rows": self.rows.places, **tables}
        turned = self._backend.apply("rope_cache", {**shape, **place, **heads.turn}, **tensors)
        problem = {**shape, **place, **heads.scoring, "window": heads.window, "tile": self.rows.tile}
        return self._backend.apply("attention_encode", problem, rows=self.rows.spans, **turned)["out"]
