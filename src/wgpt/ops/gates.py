"""Attention whose queries come with gates of its results."""

from __future__ import annotations

from ..gpu import Tensor
from .forward import Forward, Heads


def gated_attention(f: Forward, layer: int, x: Tensor, heads: Heads) -> Tensor:
    """Attention of projections with the query and the gates of each head in turn, then keys and values."""
    more = 2 * heads.kv_heads
    problem = {"rows": x.shape[0], "heads": heads.heads, "head_dim": heads.head_dim, "more": more}
    q_rows = heads.heads * heads.head_dim
    qkv = f.apply("without_gates", problem | {"n": q_rows + more * heads.head_dim}, x=x)["y"]
    y = f.value(f.attention(layer, qkv, heads))
    return f.apply("gate_heads", problem | {"n": q_rows}, x=y, gates=x)["y"]
