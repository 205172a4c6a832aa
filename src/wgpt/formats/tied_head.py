"""Whether the head that a Hugging Face folder has beside its embedding is the same matrix."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .family import Family
from .stored import Entry

_CHUNK = 1 << 26  # bytes to compare at a time


def same_head(family: Family, entries: Mapping[str, Entry]) -> bool:
    """True if there is no head.

    Releases of transformers differ in what they do with another head where the config says that it is tied: they take
    the embedding or the head.
    """
    head = entries.get(f"{family.head}.weight")
    names = family.file_names(f"{family.embedding}.weight")
    table = next((entries[name] for name in names if name in entries), None)
    if head is None or table is None:
        return head is None
    if (head.type, head.shape, head.nbytes) != (table.type, table.shape, table.nbytes):
        return False
    one, other = (entry.source.data[entry.offset : entry.offset + entry.nbytes] for entry in (head, table))
    chunks = range(0, head.nbytes, _CHUNK)
    return all(np.array_equal(one[at : at + _CHUNK], other[at : at + _CHUNK]) for at in chunks)
