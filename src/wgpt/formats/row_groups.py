"""Matrices that files store within the rows of another one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .family import Groups
from .stacks import Gathered, joined, problem_of
from .stored import Entry, Stored


def rows_among(
    groups: Groups, names: Sequence[str], as_name: str, shape: tuple[int, ...], entries: Mapping[str, Entry]
) -> Gathered:
    """The matrix `as_name` of this shape, taken from the other one, which may have any of these names."""
    entry = next((entries[name] for name in names if name in entries), None)
    if problem := problem_of(entry, (groups.count * groups.size, *shape[1:]), False, names[0]):
        return Gathered(problems=[problem])
    assert entry is not None
    each, row = shape[0] // groups.count, entry.nbytes // entry.shape[0]
    pieces = [
        Stored(as_name, (each, *shape[1:]), entry.type, each * row, entry.source, entry.offset + at * row)
        for at in range(groups.first, groups.count * groups.size, groups.size)
    ]
    return Gathered(joined(as_name, shape, pieces), used={entry.name})


def put_among(groups: Groups, values: NDArray[Any], into: dict[str, NDArray[Any]]) -> None:
    """The inverse: put the rows into the other matrix, which is created with zeros if it does not exist."""
    name, each = f"{groups.tensor}.weight", len(values) // groups.count
    whole = into.setdefault(name, np.zeros((groups.count * groups.size, values.shape[1]), values.dtype))
    parts = whole.reshape(groups.count, groups.size, -1)
    parts[:, groups.first : groups.first + each] = values.reshape(groups.count, each, -1)
