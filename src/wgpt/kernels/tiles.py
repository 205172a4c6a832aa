"""Tiles of the GEMM template: what GEMM and matmul choose from."""

from __future__ import annotations

from ..gpu import Traits
from .grid import MOST, Grid, ceil_div
from .kernel import Variant

# (bm, bn, bk, tm, tn): a workgroup's tile, its depth, and a thread's share of it; larger tiles first.
_SHARED = ((128, 128, 16, 8, 8), (64, 64, 16, 8, 4), (32, 64, 16, 4, 4), (32, 32, 32, 4, 4))
# In f16 arithmetic a deeper tile costs no more memory and makes fewer roundings to f32.
_SHARED_F16 = ((128, 64, 32, 8, 8), (64, 64, 32, 8, 4), (32, 32, 32, 4, 4))
_REGISTER = ((16, 8), (4, 4))
_FILLS_A_GPU = 600  # workgroups under which a smaller tile keeps more of the GPU busy


def shared_bytes(v: Variant) -> int:
    """Workgroup memory of a shared-memory tile (rows padded by one vector against bank conflicts)."""
    return int(v["bk"] * (v["bm"] // 4 + v["bn"] // 4 + 2) * 16)


def styles(traits: Traits, m: int, n: int, compute: str = "f32") -> list[Variant]:
    """Tiles in order of preference for an M x N result on this adapter."""
    shared: list[Variant] = [
        {"style": "shared", "bm": bm, "bn": bn, "bk": bk, "tm": tm, "tn": tn, "unroll": 16}
        for bm, bn, bk, tm, tn in (_SHARED_F16 if compute == "f16" else _SHARED)
    ]
    shared = [v for v in shared if shared_bytes(v) <= traits.workgroup_bytes]
    # The largest tile that still makes enough workgroups; else the smallest.
    busy = [v for v in shared if ceil_div(m, v["bm"]) * ceil_div(n, v["bn"]) >= _FILLS_A_GPU]
    shared = busy + [v for v in reversed(shared) if v not in busy]
    register: list[Variant] = [{"style": "register", "bm": bm, "bn": bn, "threads": 16} for bm, bn in _REGISTER]
    register.sort(key=lambda v: v["bm"] > max(m, 4))  # stable: no tile taller than the result, if there is one
    if traits.software:
        # Such a driver compiles an unrolled tile for seconds, and none of them pays: the smallest stands for all.
        least = min(shared, key=lambda v: v["bm"] * v["bn"])
        return [*register, {**least, "unroll": 4}]
    return shared + register


def grid(m: int, n: int, v: Variant) -> Grid:
    columns = v["bn"] * (v["threads"] if v["style"] == "register" else 1)
    return (ceil_div(n, columns), ceil_div(m, v["bm"]), 1)


def too_large(m: int, n: int, v: Variant) -> str | None:
    x, y, _ = grid(m, n, v)
    if max(x, y) > MOST:
        return f"a {m} x {n} result needs {x} x {y} workgroups, more than {MOST} in one dimension"
    return None
