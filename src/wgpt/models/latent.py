"""A decoder with latent attention: the cache stores one vector per position, from which all heads' keys and values
derive.

Queries are multiplied by the matrix that makes keys, and results by the matrix that makes values. So keys and values
are never computed, and a cached position is one vector whatever the number of heads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..formats.family import Row, Stack
from ..gpu import Tensor
from ..ops.experts import Experts, mixture
from ..ops.forward import Forward
from ..ops.latent import HeadRows, by_head, check_heads, head_rows
from ..ops.lazy import Normed
from ..ops.resident import Linear
from .config import Config, Latent
from .decoder import Decoder, Layer, heads_of, table
from .parts import Parts
from .weight_source import Source

_OTHERS = ("q", "k", "v", "o")  # parts of decoder.py that are different here
_EPS = 1e-6  # eps of the latent vectors' norms, whatever the config says


def tensors(config: Config) -> Iterator[Row]:
    """The tensors, with their names in transformers and GGUF."""
    yield from (row for row in table(config) if row.part not in _OTHERS)
    for i in range(config.layers):
        yield from _attention_rows(config.layer(i), i)


def _attention_rows(c: Config, i: int) -> Iterator[Row]:
    assert c.latent is not None
    at, size = f"model.layers.{i}.self_attn.", c.latent
    query = c.heads * (size.nope + c.rotary)

    def row(part: str, name: str, gguf: str, *shape: int, stack: Stack | None = None) -> Row:
        return Row(part, at + name, f"blk.{i}.{gguf}", shape, layer=i, stack=stack, lora=stack is None)

    if size.q_rank:
        yield row("q_a", "q_a_proj", "attn_q_a", size.q_rank, c.hidden)
        yield row("q_a_norm", "q_a_layernorm", "attn_q_a_norm", size.q_rank)
        yield row("q_b", "q_b_proj", "attn_q_b", query, size.q_rank)
    else:
        yield row("q", "q_proj", "attn_q", query, c.hidden)
    yield row("kv_a", "kv_a_proj_with_mqa", "attn_kv_a_mqa", size.rank + c.rotary, c.hidden)
    yield row("kv_a_norm", "kv_a_layernorm", "attn_kv_a_norm", size.rank)
    whole = Stack(c.heads, f"{at}kv_b_proj.weight", flat=size.nope + size.values)
    k_b, v_b = replace(whole, transposed=True), replace(whole, first=size.nope)
    yield row("k_b", "k_b_proj", "attn_k_b", c.heads * size.rank, size.nope, stack=k_b)
    yield row("v_b", "v_b_proj", "attn_v_b", c.heads * size.values, size.rank, stack=v_b)
    yield row("o", "o_proj", "attn_output", c.hidden, c.heads * size.values)


@dataclass(frozen=True, eq=False)
class LatentWeights:
    """`q_a` with its norm, if queries have a latent vector of their own; `k_b` and `v_b` have a matrix by head."""

    q_a: tuple[Linear, Tensor] | None
    q: Linear
    kv_norm: Tensor
    k_b: Linear
    v_b: Linear


class LatentDecoder(Decoder):
    def __init__(self, config: Config, source: Source, steps: Sequence[Tensor]) -> None:
        self._latent: list[LatentWeights] = []
        super().__init__(config, source, steps)

    def _weights(self, parts: Parts, c: Config) -> Layer:
        assert c.latent is not None
        own = c.latent.q_rank > 0
        latent = LatentWeights(
            q_a=(parts.linear("q_a"), parts.vector("q_a_norm")) if own else None,
            q=parts.linear("q_b" if own else "q"),
            kv_norm=parts.vector("kv_a_norm"),
            k_b=check_heads(parts.linear("k_b")),
            v_b=check_heads(parts.linear("v_b")),
        )
        self._latent.append(latent)
        return Layer(
            attention_norm=parts.vector("attention_norm"),
            qkv=parts.linear("kv_a"),
            out=parts.linear("o"),
            ffn_norm=parts.vector("ffn_norm"),
            ffn=self._ffn(parts, c),
            gains=None,
            row_gains=None,
            attention_post_norm=None,
            ffn_post_norm=None,
            sinks=None,
        )

    def forward(self, f: Forward) -> Normed:
        x = f.embed(self.embedding)
        rows = head_rows(f, self.config.heads)
        for i in range(len(self.layers)):
            x = f.block(partial(self._run, rows), i, x)
        return f.rmsnorm(x, self.norm, self.config.eps)

    def _run(self, rows: HeadRows, f: Forward, i: int, x: Tensor) -> Tensor:
        c, layer = self.config.layer(i), self.layers[i]
        assert c.latent is not None
        attended = self._heads(f, i, c, c.latent, self._normed(f, x, layer.attention_norm), rows)
        x = f.linear(attended, layer.out, residual=x)
        y = self._normed(f, x, layer.ffn_norm)
        if isinstance(layer.ffn, Experts):
            return mixture(f, y, layer.ffn, residual=x)
        return f.linear(self._gated(f, c, y, layer.ffn), layer.ffn.down, residual=x)

    def _heads(self, f: Forward, i: int, c: Config, size: Latent, y: Tensor | Normed, rows: HeadRows) -> Tensor:
        """The values of all heads, [M, heads * values]."""
        layer, own, m = self.layers[i], self._latent[i], f.rows.m
        kv = f.norm_slices(f.linear(y, layer.qkv), ((own.kv_norm, 0),), _EPS)
        if own.q_a is not None:
            y = f.rmsnorm(f.linear(y, own.q_a[0]), own.q_a[1], _EPS)
        q = f.linear(y, own.q)
        width = size.nope + c.rotary
        columns = {"rows": m * c.heads, "n": size.nope, "width": width, "at": 0}
        plain = f.apply("take_columns", columns, x=q.reshape(m * c.heads, width))["y"]
        low = by_head(f, plain, own.k_b, rows).reshape(m, c.heads * size.rank)
        sizes = {"rows": m, "heads": c.heads, "nope": size.nope, "rotary": c.rotary, "latent": size.rank}
        qkv = f.apply("latent_rows", sizes, q=q, low=low, kv=kv)["qkv"]
        result = f.value(f.attention(i, qkv, heads_of(c, self._steps[i])))
        values = by_head(f, result.reshape(m * c.heads, size.rank), own.v_b, rows)
        return values.reshape(m, c.heads * size.values)
