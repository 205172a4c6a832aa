"""Slices of a decode step's context: each has its own workgroup, but joining those of several rows costs a dispatch,
and many rows fill a GPU without them."""

from __future__ import annotations

from ..models.network import Network
from ..ops.backend import in_integers

Table = tuple[tuple[int, int], ...]  # (the longest context, its slices), the shortest first

_TABLES: tuple[tuple[int, Table], ...] = (
    (4, ((256, 1), (1024, 4), (1 << 30, 12))),
    (16, ((1024, 1), (1 << 30, 4))),
    (1 << 30, ((4096, 1), (1 << 30, 2))),
)
# Of one row, which the projection after attention joins; where it stages them as integers, that costs next to nothing.
# By whether it does, and whether there are many heads.
_ALONE: dict[tuple[bool, bool], Table] = {
    (False, False): ((256, 1), (1024, 4), (8192, 8), (1 << 30, 24)),
    (False, True): ((256, 1), (1024, 4), (1 << 30, 8)),
    (True, False): ((256, 2), (1024, 4), (8192, 8), (1 << 30, 24)),
    (True, True): ((256, 2), (2048, 4), (1 << 30, 8)),
}
_MANY_HEADS = 16
_SOFTWARE: Table = ((512, 1), (1 << 30, 4))
FIXED = (1 << 30, 4)  # of all lengths, if results must not depend on the other rows


def slices_by_length(network: Network, rows: int, adapted: bool = False) -> Table:
    """For steps of `rows` rows. `adapted`: with LoRA, for whose first product the slices must be joined before."""
    if network.device.software:
        return _SOFTWARE
    if rows > 1 or adapted:
        return next(table for most, table in _TABLES if rows <= most)
    integers = network.whole_codes and in_integers(network.device)
    return _ALONE[integers, network.config.heads >= _MANY_HEADS]


def slices_at(network: Network, rows: int, length: int, adapted: bool = False) -> tuple[int, int]:
    """(the longest context of the same Program, its slices) at this length."""
    return next(entry for entry in slices_by_length(network, rows, adapted) if length <= entry[0])
