"""Latent attention in a model's forward: every head has a matrix of its own, and all share one key."""

from __future__ import annotations

from dataclasses import dataclass

from ..gpu import AllocationError, Tensor
from ..kernels.experts import expert_gemm, expert_gemv
from .forward import Forward
from .resident import Linear

_TALL, _TALL_SOFTWARE = 48, 6  # rows from which on large tiles are faster


@dataclass(frozen=True, eq=False)
class HeadRows:
    """The rows of all heads: which head each belongs to and, for many rows, the order in which products take them."""

    heads: int
    ids: Tensor
    tile: int
    places: dict[str, Tensor]


def head_rows(f: Forward, heads: int) -> HeadRows:
    """Of the rows of a forward, each with this number of heads."""
    pairs = f.rows.m * heads
    ids = f.apply("count_up", {"n": pairs, "period": heads})["y"]
    if f.rows.m == 1:
        return HeadRows(heads, ids, 0, {})
    tile = (8 if f.rows.m > _TALL_SOFTWARE else 4) if f.software else 64 if f.rows.m > _TALL else 32
    return HeadRows(heads, ids, tile, f.apply("expert_sort", {"pairs": pairs, "experts": heads, "tile": tile}, ids=ids))


def check_heads(layer: Linear) -> Linear:
    """Refuse matrices of heads that are in several bindings or types."""
    if len(layer.parts) != 1:
        kind = layer.parts[0].weight.type.name
        raise AllocationError(f"the heads of a layer have more weights of type {kind} than one binding holds")
    return layer


def by_head(f: Forward, x: Tensor, layer: Linear, rows: HeadRows) -> Tensor:
    """The product of each row of x [M * heads, K] with the matrix of its head: [M * heads, N]."""
    weight, count, heads = layer.parts[0].weight, x.shape[0], rows.heads
    n, name = layer.n // heads, weight.type.name
    if not rows.places:
        problem = expert_gemv.problem_of(name, count, 1, heads, n, weight.k)
        return f.apply("expert_gemv", problem, x=x, ids=rows.ids, **weight.planes)["y"]
    problem = expert_gemm.problem_of(name, count, 1, heads, n, weight.k, rows.tile)
    return f.apply("expert_gemm", problem, x=x, **weight.planes, **rows.places)["y"]
