"""Grids: WebGPU allows 65,535 workgroups per dimension; larger grids use a second dimension."""

from __future__ import annotations

Grid = tuple[int, int, int]
MOST = 65535


def ceil_div(a: int, b: int) -> int:
    return -(-a // b)


def linear(groups: int) -> Grid:
    """`groups` workgroups in x and, if needed, y. In WGSL: `wid.x + wid.y * nwg.x`, then a bounds check."""
    if groups <= MOST:
        return (max(1, groups), 1, 1)
    y = ceil_div(groups, MOST)
    x = ceil_div(groups, y)
    if y > MOST:
        raise ValueError(f"{groups} workgroups exceed {MOST} x {MOST}")
    return (x, y, 1)
