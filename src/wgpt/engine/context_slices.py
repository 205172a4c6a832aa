"""Slices of a decode step's context: each has its own workgroup, but adding them up costs a dispatch, and many rows
fill a GPU without them."""

from __future__ import annotations

from ..gpu import GpuDevice

Table = tuple[tuple[int, int], ...]  # (the longest context, its slices), the shortest first

_TABLES: tuple[tuple[int, Table], ...] = (
    (4, ((256, 1), (1024, 4), (1 << 30, 12))),
    (16, ((1024, 1), (1 << 30, 4))),
    (1 << 30, ((4096, 1), (1 << 30, 2))),
)
_SOFTWARE: Table = ((512, 1), (1 << 30, 4))
FIXED = (1 << 30, 4)  # of all lengths, if results must not depend on the other rows


def slices_by_length(device: GpuDevice, rows: int) -> Table:
    """For steps of so many rows."""
    return _SOFTWARE if device.software else next(table for most, table in _TABLES if rows <= most)


def slices_at(device: GpuDevice, rows: int, length: int) -> tuple[int, int]:
    """(the longest context of the same Program, its slices) at this length."""
    return next(entry for entry in slices_by_length(device, rows) if length <= entry[0])
